/** Messages to `scripts/quickstart.mjs`, which prints them: steps, text, data. */

type Kind = 'begin' | 'end' | 'text' | 'refused' | 'answer'

/** Sends a message and waits until it has left: the work that follows keeps this process busy. */
export function tell(kind: Kind, content: unknown): Promise<void> {
  return new Promise((resolve, reject) => {
    process.send!([kind, content], undefined, undefined, (error) => (error === null ? resolve() : reject(error)))
  })
}

/** Work that is told before it begins and after it. */
export async function step<T>(name: string, work: () => T | Promise<T>): Promise<T> {
  await tell('begin', name)
  const result = await work()
  await tell('end', '')
  return result
}
