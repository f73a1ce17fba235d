/** Values of a JSON document by their path, refused with line, column and path where they are not what they should be. */
import { type CodedError, codedError, shown } from '../errors.js'
import { JsonFault, type JsonNode, placeOf, readJson } from './json-document.js'

/** The text that it is a part of, and where its document begins. */
interface Origin {
  readonly text: string
  readonly name: string
  readonly from: number
}

/** A value of a document, and how to speak of it. */
export class LocatedJson {
  readonly node: JsonNode
  /** Its path: `[0].cpu.usage`; empty for the document. */
  readonly path: string
  readonly #document: Origin

  private constructor(node: JsonNode, path: string, document: Origin) {
    this.node = node
    this.path = path
    this.#document = document
  }

  /** The documents of a text, one behind the other, as several answers in one file are. @throws ERR_PLACEMENT_INPUT */
  static documents(text: string, name: string): LocatedJson[] {
    const found: LocatedJson[] = []
    for (let from = 0; ; from += found.at(-1)!.node.to) {
      const node = documentAt(text, name, from)
      if (node === null) return found
      found.push(new LocatedJson(node, '', { text, name, from }))
    }
  }

  /** Where it stands: `report.json: line: 3, column: 7`. */
  get place(): string {
    const { text, name, from } = this.#document
    return `${name}: ${placeOf(text, from + this.node.from)}`
  }

  /** The name of its file. */
  get file(): string {
    return this.#document.name
  }

  /** Refuses it. */
  wrong(expected: string): CodedError {
    const what = this.path === '' ? '' : `${this.path}: `
    return codedError('ERR_PLACEMENT_INPUT', `${this.place}: ${what}expected ${expected}, got ${this.#got()}`)
  }

  #got(): string {
    const { kind, text } = this.node
    if (kind === 'string') return shown(text)
    if (kind === 'number') return text
    return kind === 'object' || kind === 'array' ? `an ${kind}` : kind
  }

  get isObject(): boolean {
    return this.node.kind === 'object'
  }

  /** Its fields; of two with one name the last counts, as Jackson and JSON.parse have it. */
  fields(): ReadonlyMap<string, LocatedJson> {
    if (!this.isObject) throw this.wrong('an object')
    const { names, items } = this.node
    return new Map(names.map((name, i) => [name, this.#inner(items[i]!, fieldPath(this.path, name))]))
  }

  /** A field, `undefined` where it is not there or null. */
  field(name: string): LocatedJson | undefined {
    if (!this.isObject) throw this.wrong('an object')
    const at = this.node.names.lastIndexOf(name)
    const node = this.node.items[at]
    return node === undefined || node.kind === 'null' ? undefined : this.#inner(node, fieldPath(this.path, name))
  }

  /** The items of an array. */
  items(): LocatedJson[] {
    if (this.node.kind !== 'array') throw this.wrong('an array')
    return this.node.items.map((item, i) => this.#inner(item, `${this.path}[${i}]`))
  }

  /** The value at a path behind this one, such as `[0].limits.cpu`; as deep as it goes. */
  at(path: string): LocatedJson {
    const steps = path.match(/\.\w+|\[\d+\]|\["[^"]*"\]/g) ?? []
    let found: LocatedJson = this
    for (const step of steps) {
      const next = found.#step(step)
      if (next === undefined) break
      found = next
    }
    return found
  }

  #step(step: string): LocatedJson | undefined {
    if (/^\[\d/.test(step)) return this.node.kind === 'array' ? this.items()[Number(step.slice(1, -1))] : undefined
    const name = step.startsWith('.') ? step.slice(1) : step.slice(2, -2)
    return this.isObject ? this.field(name) : undefined
  }

  #inner(node: JsonNode, path: string): LocatedJson {
    return new LocatedJson(node, path, this.#document)
  }

  text(): string {
    if (this.node.kind !== 'string') throw this.wrong('a string')
    return this.node.text
  }

  /** A number of 0 or more. Jackson writes NaN and Infinity as texts: they are none. */
  amount(): number {
    const value = this.node.kind === 'number' ? Number(this.node.text) : Number.NaN
    if (value >= 0 && Number.isFinite(value)) return value
    throw this.wrong('a number of 0 or more')
  }
}

function documentAt(text: string, name: string, from: number): JsonNode | null {
  try {
    return readJson(from === 0 ? text : text.slice(from))
  } catch (fault) {
    if (!(fault instanceof JsonFault)) throw fault
    const place = placeOf(text, from + fault.offset)
    throw codedError('ERR_PLACEMENT_INPUT', `${name}: ${place}: expected ${fault.message}`, { cause: fault })
  }
}

function fieldPath(path: string, name: string): string {
  if (!/^\w+$/.test(name)) return `${path}[${shown(name)}]`
  return path === '' ? name : `${path}.${name}`
}
