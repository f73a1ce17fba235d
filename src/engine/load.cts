/** CommonJS on purpose: a missing addon is an answer here, not a failure. Nothing is printed, nothing is installed. */
type Binding = typeof import('../binding/binding.cjs')

let loaded: { binding: Binding; error: null } | { binding: null; error: Error }
try {
  const binding = require('../binding/binding.cjs') as Binding
  if (typeof binding.availableArms !== 'function') {
    throw new Error(`a bundler has put ${typeof binding === 'string' ? binding : 'something else'} in its place`)
  }
  loaded = { binding, error: null }
} catch (error) {
  loaded = { binding: null, error: error as Error }
}
export = loaded
