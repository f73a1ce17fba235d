/** The busiest bundles of a broker, in the order in which the extensible load manager reports them. */
import test from 'ava'
import { checkBundleLoad, LoadTable } from '../src/pulsar/simulation/series.js'
import { topBundles } from '../src/pulsar/simulation/top-bundles.js'

/** From the jar of 4.2.4: TopKBundles.partitionSort of stats [bytes in, bytes out, messages in, topics], and the list it makes. */
const TOPS = [
  {
    most: 6,
    bundles: [
      [250000, 50000, 50, 250],
      [350000, 100000, 100, 500],
      [100000, 0, 0, 250],
      [300000, 50000, 0, 500],
      [350000, 0, 100, 0],
      [300000, 50000, 100, 500],
      [150000, 50000, 50, 500],
      [150000, 0, 150, 500],
    ],
    top: [6, 3, 0, 5, 4, 1],
  },
  { most: 1, bundles: [[100000, 0, 150, 500]], top: [0] },
  {
    most: 3,
    bundles: [
      [100000, 0, 150, 250],
      [150000, 100000, 150, 0],
      [100000, 100000, 50, 500],
      [100000, 0, 100, 250],
      [150000, 0, 0, 250],
      [250000, 0, 150, 750],
      [0, 50000, 50, 750],
      [250000, 0, 50, 750],
    ],
    top: [1, 7, 5],
  },
  {
    most: 5,
    bundles: [
      [250000, 100000, 150, 750],
      [50000, 0, 50, 0],
      [150000, 50000, 150, 750],
      [100000, 0, 100, 250],
      [200000, 0, 150, 250],
    ],
    top: [1, 3, 4, 2, 0],
  },
  {
    most: 3,
    bundles: [
      [300000, 50000, 50, 250],
      [150000, 50000, 100, 750],
      [200000, 50000, 50, 250],
      [250000, 100000, 0, 750],
      [150000, 0, 150, 750],
      [150000, 50000, 50, 250],
    ],
    top: [1, 3, 0],
  },
  {
    most: 2,
    bundles: [
      [50000, 50000, 100, 250],
      [200000, 100000, 50, 750],
      [350000, 50000, 150, 250],
      [350000, 50000, 150, 250],
    ],
    top: [2, 3],
  },
  {
    most: 7,
    bundles: [
      [50000, 50000, 50, 0],
      [350000, 0, 50, 0],
      [350000, 0, 0, 750],
      [150000, 50000, 50, 500],
      [150000, 50000, 150, 250],
      [150000, 50000, 50, 0],
      [150000, 50000, 0, 0],
      [50000, 50000, 50, 750],
    ],
    top: [7, 6, 5, 3, 4, 2, 1],
  },
  {
    most: 2,
    bundles: [
      [250000, 50000, 50, 250],
      [100000, 0, 100, 250],
    ],
    top: [1, 0],
  },
  {
    most: 1,
    bundles: [
      [200000, 0, 50, 0],
      [200000, 0, 100, 500],
      [100000, 100000, 100, 750],
      [300000, 50000, 100, 750],
    ],
    top: [3],
  },
  {
    most: 4,
    bundles: [
      [250000, 0, 100, 0],
      [100000, 0, 100, 750],
      [0, 50000, 50, 0],
      [350000, 50000, 0, 250],
      [300000, 0, 100, 250],
    ],
    top: [1, 0, 4, 3],
  },
  {
    most: 2,
    bundles: [
      [50000, 0, 100, 750],
      [200000, 50000, 0, 0],
      [350000, 50000, 0, 500],
      [150000, 100000, 0, 0],
      [250000, 0, 0, 500],
      [200000, 50000, 150, 750],
    ],
    top: [4, 2],
  },
  {
    most: 1,
    bundles: [
      [350000, 50000, 150, 750],
      [300000, 100000, 100, 0],
      [300000, 0, 150, 750],
    ],
    top: [0],
  },
] as const

for (const { most, bundles, top } of TOPS) {
  test(`the ${most} busiest of ${bundles.length} bundles, in the jar's order: ${top.join(' ')}`, (t) => {
    const loads = bundles.map(([msgThroughputIn, msgThroughputOut, msgRateIn, topics]) => {
      return checkBundleLoad({ msgThroughputIn, msgThroughputOut, msgRateIn, topics }, 'load')
    })
    const found = topBundles([...bundles.keys()], new LoadTable(loads), most)
    t.deepEqual(
      found.map(({ bundle }) => bundle),
      [...top],
    )
  })
}
