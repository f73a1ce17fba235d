/** Resident memory of the process, and its peak since a moment; where the system tells. */
import { readFileSync, writeFileSync } from 'node:fs'

/** Resident memory in MB, its peak forgotten; where the system tells. */
export function resident(): number | null {
  try {
    writeFileSync('/proc/self/clear_refs', '5')
    return megabytes('VmRSS')
  } catch {
    return null
  }
}

/** The peak since then. */
export function memoryAbove(before: number | null): { 'MB of memory'?: number } {
  return before === null ? {} : { 'MB of memory': Math.max(0, megabytes('VmHWM') - before) }
}

function megabytes(field: string): number {
  const line = new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync('/proc/self/status', 'utf8'))!
  return Number(line[1]) / 1024
}
