/** What pages show of the command line: commands, with the lines below them. */
import { readFileSync } from 'node:fs'

/**
 * Commands that a page shows, from `system` on, each with what it prints there; a line `…` stands for any.
 *
 * @param questions system and questions that are looked for, such as `pulsar (?:simulate|compare)`
 */
export function shownIn(page: string, questions: string): (readonly [command: string, parts: readonly string[]])[] {
  const lines = readFileSync(page, 'utf8').split('\n')
  const start = new RegExp(`^( *)\\$ topic-placement (${questions} .*)$`)
  return lines.flatMap((line, i) => {
    const [, indent = '', command] = start.exec(line) ?? []
    if (command === undefined) return []
    const rest = lines.slice(i + 1)
    const ends = (one: string) => one.startsWith('```') || /^ *\$ /.test(one) || (one !== '' && !one.startsWith(indent))
    const shown = rest.slice(0, rest.findIndex(ends)).map((one) => one.slice(indent.length))
    const printed = shown.filter((one) => !one.startsWith('topic-placement: '))
    const parts = printed.join('\n').split(/^…$/m)
    return [[command, parts.map((part) => part.trim())]]
  })
}
