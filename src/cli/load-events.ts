/** What happens to a simulated cluster, from a file: a JSON array, such as `[{"step":10,"leave":"broker-1:8080"}]`. */
import type { pulsar } from '../index.js'
import { LocatedJson } from '../pulsar/located-json.js'
import { textOf } from './consumer-file.js'
import type { Option } from './grammar.js'
import { parseDocument } from './json-file.js'
import type { Session } from './session.js'

export const EVENTS_OPTION: Option = {
  name: 'events',
  value: 'FILE',
  help: 'what happens: [{"step":10,"leave":"b1"},{"step":20,"restart":"b2"}]',
}

/** Events and where they stand. */
export interface EventsFile {
  readonly events: readonly pulsar.LoadEvent[]
  readonly document: LocatedJson
}

/** @throws ERR_PLACEMENT_INPUT */
export function eventsOf({ args }: Session): EventsFile | null {
  const file = args.text('events')
  if (file === undefined) return null
  const text = textOf(file).replace(/^\ufeff/, '')
  const events = parseDocument(text, file) as readonly pulsar.LoadEvent[]
  const document = LocatedJson.documents(text, file)[0]!
  document.items()
  return { events, document }
}
