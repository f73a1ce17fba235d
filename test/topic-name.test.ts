import test from 'ava'
import { PULSAR_VERSIONS } from '../src/types.js'
import { replayFile } from './vectors/replay.js'

for (const release of PULSAR_VERSIONS) {
  const suffix = release === '5.0' ? '' : `@${release}`
  test(`topic and namespace names are those of Pulsar ${release}`, (t) => {
    const { failures, skipped, passed } = replayFile(`test/vectors/pulsar/topic-name${suffix}.jsonl`, [])
    t.deepEqual(failures.slice(0, 3), [])
    t.deepEqual([...skipped], [])
    t.true((passed.get('typescript') ?? 0) > 80)
  })
}
