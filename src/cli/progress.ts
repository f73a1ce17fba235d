/** Progress of a long answer on standard error, for people: nothing where nobody looks, nothing in the first second. */

/** Where progress goes: `process.stderr`. */
export interface Terminal {
  readonly isTTY?: boolean
  write(text: string): unknown
}

/** How much there is to do, where it is known. */
export interface Work {
  readonly size: number | null
  bytesRead(): number
  /** What the items are. Default: lines. */
  readonly unit?: string
}

const FIRST_MS = 1000
const EVERY_MS = 250
const ERASE = '\r\u001b[K'

export class Progress {
  readonly #terminal: Terminal
  readonly #work: Work
  readonly #now: () => number
  readonly #start: number
  #items = 0
  #next: number
  #visible = false

  constructor(terminal: Terminal, work: Work, now: () => number = () => performance.now()) {
    this.#terminal = terminal
    this.#work = work
    this.#now = now
    this.#start = now()
    this.#next = this.#start + FIRST_MS
  }

  /** So many items more are done. */
  add(items: number): void {
    this.#items += items
    if (this.#terminal.isTTY !== true || this.#now() < this.#next) return
    this.#next = this.#now() + EVERY_MS
    this.#visible = true
    this.#terminal.write(`${ERASE}${this.#line()}`)
  }

  /** Takes the line away. */
  end(): void {
    if (this.#visible) this.#terminal.write(ERASE)
    this.#visible = false
  }

  #line(): string {
    const seconds = (this.#now() - this.#start) / 1000
    const rate = Math.round(this.#items / seconds)
    const { unit = 'lines' } = this.#work
    return `${grouped(this.#items)} ${unit}, ${grouped(rate)} a second${this.#left(seconds)}`
  }

  #left(seconds: number): string {
    const { size } = this.#work
    const read = this.#work.bytesRead()
    if (size === null || read === 0) return ''
    const left = Math.max(0, Math.ceil((seconds * (size - read)) / read))
    return `, ${Math.floor((100 * read) / size)} %, ${duration(left)} left`
  }
}

/** `1234567` as `1,234,567`. */
export function grouped(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',')
}

/** `2 replicas`, `1 replica`. */
export function counted(value: number, noun: string): string {
  return `${grouped(value)} ${noun}${value === 1 ? '' : 's'}`
}

function duration(seconds: number): string {
  if (seconds < 60) return `${seconds} s`
  return seconds < 3600
    ? `${Math.floor(seconds / 60)} min ${seconds % 60} s`
    : `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`
}
