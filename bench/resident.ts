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

const megabytes = (field: string): number => kilobytes(field) / 1024

/** A field of the process's status, such as `VmRSS`. Throws where the system has none. */
export function kilobytes(field: string): number {
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync('/proc/self/status', 'utf8'))![1])
}
