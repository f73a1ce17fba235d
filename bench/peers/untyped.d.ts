/** Peers that bring no types: the parts that the benches use. */
declare module 'murmurhash' {
  const murmurhash: {
    /** MurmurHash2, 32 bits, unsigned. */
    v2(key: string | Uint8Array, seed: number): number
    /** MurmurHash3 x86, 32 bits, unsigned. */
    v3(key: string | Uint8Array, seed: number): number
  }
  export default murmurhash
}

declare module 'imurmurhash' {
  /** MurmurHash3 x86, 32 bits, over UTF-16 units; without `new` one object is reused. */
  export default function MurmurHash3(key: string, seed: number): { result(): number }
}

declare module 'benchmark' {
  export default class Benchmark {
    constructor(name: string, run: () => unknown, options?: { minSamples?: number; maxTime?: number })
    /** Seconds a call. */
    readonly stats: { readonly mean: number; readonly sample: readonly number[] }
    readonly error?: unknown
    run(options?: { async: boolean }): this
  }
}

declare module 'kafkajs/src/producer/partitioners/default/murmur2.js' {
  /** Kafka's murmur2, signed. */
  export default function murmur2(key: string | Buffer): number
}
