/** The question about a group that files and options make together. */
import { codedError, nearest, shown } from '../errors.js'
import { kafka } from '../index.js'

import { type Option, spelling } from './grammar.js'
import { type FileGroup, readGroup } from './group-file.js'
import type { Session } from './session.js'

const VERSIONS = ['3.9', '4.0', '4.1', '4.2', '4.3', '4.4'] as const
const NEWEST = VERSIONS.at(-1)!

export const VERSION_OPTION: Option = {
  name: 'version',
  value: 'RELEASE',
  help: `${VERSIONS.join(', ')} (default ${NEWEST})`,
}

/** The options that name an assignor. */
export const ASSIGNOR_OPTIONS: readonly Option[] = [
  { name: 'assignor', value: 'NAME', help: 'range, roundrobin, sticky, cooperative-sticky, balanced; uniform; simple' },
  { name: 'group-type', value: 'TYPE', help: 'classic, consumer or share (default: what has such an assignor)' },
  VERSION_OPTION,
]

const ASSIGNORS: Readonly<Record<kafka.GroupType, readonly string[]>> = {
  classic: kafka.CLASSIC_ASSIGNORS,
  consumer: kafka.CONSUMER_ASSIGNORS,
  share: kafka.SHARE_ASSIGNORS,
}

type Named = Pick<kafka.AssignQuestion, 'groupType' | 'assignor' | 'version'>

/** Reads the group's files. */
export function readQuestion(session: Session): kafka.AssignQuestion & FileGroup {
  const group = readGroup(session)
  return { ...group, ...namedBy(session, group) }
}

/** The release asked for: by option, by file, or the newest. */
export function versionOf({ args }: Session, group: FileGroup): NonNullable<Named['version']> {
  return args.choice('version', VERSIONS, 'ERR_PLACEMENT_UNKNOWN_VERSION') ?? group.version ?? NEWEST
}

function namedBy(session: Session, group: FileGroup): Named {
  const { args } = session
  const assignor = args.required('assignor', args.text('assignor') ?? group.assignor) as Named['assignor']
  const groupType = args.choice('group-type', kafka.GROUP_TYPES) ?? group.groupType ?? typeOf(assignor)
  return { groupType, assignor, version: versionOf(session, group) }
}

/** The first type of group that has an assignor of that name. */
function typeOf(assignor: string): kafka.GroupType {
  const type = kafka.GROUP_TYPES.find((one) => ASSIGNORS[one].includes(assignor))
  if (type !== undefined) return type
  const names = [...new Set(Object.values(ASSIGNORS).flat())]
  const message = `--assignor: expected one of ${names.join(', ')}, got ${shown(assignor)}`
  throw codedError('ERR_PLACEMENT_UNKNOWN_NAME', message + spelling(nearest(assignor, names)))
}
