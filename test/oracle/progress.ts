/** Tells on standard error how far a round is: in place on a terminal, else a line at its start and its end. */

const EVERY_MS = 500

export interface Progress {
  readonly at: (done: number) => void
  readonly done: () => void
}

export function progressOf(what: string, count: number): Progress {
  const started = Date.now()
  let shown = 0
  let last = 0
  const live = process.stderr.isTTY === true
  const tell = (text: string) => process.stderr.write(live ? `\r\x1b[K${text}` : `${text}\n`)
  tell(`${what}: starting, ${count} questions to ask`)
  return {
    at(done) {
      last = done
      if (!live || Date.now() - shown < EVERY_MS) return
      shown = Date.now()
      tell(`${what}: ${done} of ${count}, ${rate(done, started)}`)
    },
    done() {
      tell(`${what}: ${last} asked, ${rate(last, started)}`)
      if (live) process.stderr.write('\n')
    },
  }
}

function rate(done: number, started: number): string {
  const seconds = (Date.now() - started) / 1000
  return `${seconds.toFixed(1)} s, ${Math.round(done / Math.max(seconds, 0.001))} a second`
}
