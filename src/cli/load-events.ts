/** What happens to a simulated cluster, from a file: a JSON array, such as `[{"step":10,"leave":"broker-1:8080"}]`. */
import type { pulsar } from '../index.js'
import { textOf } from './consumer-file.js'
import type { Option } from './grammar.js'
import { parseDocument } from './json-file.js'
import { JsonFile } from './load-files.js'
import type { Session } from './session.js'

export const EVENTS_OPTION: Option = {
  name: 'events',
  value: 'FILE',
  help: 'what happens: [{"step":10,"leave":"b1"},{"step":20,"restart":"b2"}]',
}

/** Events and where they stand. */
export interface EventsFile {
  readonly events: readonly pulsar.LoadEvent[]
  readonly document: JsonFile
}

/** @throws ERR_PLACEMENT_INPUT */
export function eventsOf({ args }: Session): EventsFile | null {
  const file = args.text('events')
  if (file === undefined) return null
  const text = textOf(file).replace(/^\ufeff/, '')
  const events = parseDocument(text, file)
  const document = new JsonFile(file, text)
  if (!Array.isArray(events)) throw document.located().wrong('an array')
  return { events, document }
}
