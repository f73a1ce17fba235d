/** The bundles that a command speaks of: so many equal ones, those of a file, or a release's default, which is said. */
import { readFileSync } from 'node:fs'
import { codedError, isCodedError, shown } from '../errors.js'
import { type PulsarVersion, pulsar } from '../index.js'
import type { Option } from './grammar.js'
import { unreadable } from './input.js'
import type { Session } from './session.js'

const VERSIONS: readonly PulsarVersion[] = ['2.10', '3.0', '4.2', '5.0']

/** The options that say which bundles are meant. */
export const LAYOUT_OPTIONS: readonly Option[] = [
  { name: 'bundles', value: 'N', help: 'N equal bundles (default: what the release makes)' },
  { name: 'boundaries', value: 'FILE', help: 'the bundles that "pulsar-admin namespaces bundles" printed' },
  { name: 'namespace', value: 'NAME', help: 'tenant/namespace: refuse topics of another one, as the broker does' },
  { name: 'version', value: 'RELEASE', help: `${VERSIONS.join(', ')} (default ${VERSIONS.at(-1)})` },
]

/** Makes the layout and says which it is. */
export function layoutOf(session: Session): pulsar.NamespaceBundles {
  const { args } = session
  args.apart('bundles', 'boundaries')
  const version = args.choice('version', VERSIONS, 'ERR_PLACEMENT_UNKNOWN_VERSION') ?? VERSIONS.at(-1)!
  const options = { version, namespace: args.text('namespace') }
  const file = args.text('boundaries')
  if (file !== undefined) {
    const bundles = bundlesOfFile(file, options)
    session.noteAnswer(`as Pulsar ${version}: ${bundles.length} bundles of ${file}`)
    return bundles
  }
  const given = args.integer('bundles', [1, 0x7fffffff], 'ERR_PLACEMENT_BUNDLE_COUNT')
  const bundles = pulsar.NamespaceBundles.even(given ?? pulsar.defaults({ version }).bundles.namespace, options)
  session.noteAnswer(
    `as Pulsar ${version}: ${bundles.length} bundles${given === undefined ? otherDefault(version) : ''}`,
  )
  return bundles
}

/** The default of the release before it changed, or after. */
function otherDefault(version: PulsarVersion): string {
  const bundlesOf = (of: PulsarVersion) => pulsar.defaults({ version: of }).bundles.namespace
  const changed = VERSIONS.find((release, i) => i > 0 && bundlesOf(release) !== bundlesOf(VERSIONS[i - 1]!))!
  return VERSIONS.indexOf(version) < VERSIONS.indexOf(changed)
    ? `; since ${changed} it is ${bundlesOf(changed)}`
    : `; before ${changed} it was ${bundlesOf(VERSIONS[VERSIONS.indexOf(changed) - 1]!)}`
}

function bundlesOfFile(file: string, options: pulsar.BundlesOptions): pulsar.NamespaceBundles {
  const text = textOf(file)
  try {
    return pulsar.NamespaceBundles.fromData(text, options)
  } catch (error) {
    if (!isCodedError(error) || error.code === 'ERR_PLACEMENT_NAMESPACE') throw error
    throw codedError(error.code, `${file}: ${error.message}`, { cause: error })
  }
}

function textOf(file: string): string {
  let bytes: Buffer
  try {
    bytes = readFileSync(file)
  } catch (cause) {
    throw unreadable(file, cause)
  }
  const text = bytes.toString()
  if (text.includes('\ufffd'))
    throw codedError('ERR_PLACEMENT_INPUT', `${file}: expected JSON in UTF-8, got ${shown(text)}`)
  return text
}
