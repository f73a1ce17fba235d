/** A JSON document from a file; what is no JSON is told with line and column. */
import { codedError, nearest, shown } from '../errors.js'
import { JsonFault, placeOf, readJson } from '../pulsar/json-document.js'
import { spelling } from './grammar.js'

/** @throws ERR_PLACEMENT_INPUT */
export function parseDocument(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw codedError('ERR_PLACEMENT_INPUT', `${file}${faultOf(text)}`, { cause })
  }
}

function faultOf(text: string): string {
  try {
    const node = readJson(text)
    if (node === null) return ': expected a JSON document, got nothing'
    const behind = node.to + text.slice(node.to).search(/\S|$/)
    return `: ${placeOf(text, behind)}: expected nothing behind the document`
  } catch (fault) {
    if (fault instanceof JsonFault) return `: ${placeOf(text, fault.offset)}: expected ${fault.message}`
    throw fault
  }
}

/** An object with none but these fields. @throws ERR_PLACEMENT_INPUT */
export function objectOf(value: unknown, where: string, fields: readonly string[]): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw codedError('ERR_PLACEMENT_INPUT', `${where}: expected an object, got ${shown(value)}`)
  }
  const unknown = Object.keys(value).find((field) => !fields.includes(field))
  if (unknown === undefined) return value as Readonly<Record<string, unknown>>
  const hint = spelling(nearest(unknown, fields))
  throw codedError(
    'ERR_PLACEMENT_INPUT',
    `${where}: expected the fields ${fields.join(', ')}, got ${shown(unknown)}${hint}`,
  )
}

/** @throws ERR_PLACEMENT_INPUT */
export function arrayOf(value: unknown, where: string): readonly unknown[] {
  if (Array.isArray(value)) return value
  throw codedError('ERR_PLACEMENT_INPUT', `${where}: expected an array, got ${shown(value)}`)
}
