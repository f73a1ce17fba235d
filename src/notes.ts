/**
 * The one table of note codes. A note says that an answer is right and yet not what one would expect: a defect of the
 * original that was reproduced, a limit that was met, a question that was read in one of several ways.
 */

/** Every code of a note, and what it means. */
export const NOTE_CODES = {
  NOTE_SPLIT_NOTHING: 'the algorithm finds no boundary: Pulsar reports success and splits nothing',
  NOTE_SPLIT_LAST_BUNDLE: 'the last bundle is cut one hash below its middle',
  NOTE_SPLIT_EQUAL_HASHES: 'hashes in the middle are equal or adjacent: the left part gets fewer topics than the right',
  NOTE_SPLIT_EMPTY_CHILD: 'a part of the split holds no topic',
  NOTE_SPLIT_SEVERAL_BOUNDARIES:
    'more boundaries than one: the extensible load manager refuses them, and the bundle is never split (apache/pulsar#22254)',
  NOTE_SPLIT_LOST_CYCLE:
    'a boundary on an end of its bundle throws out of the cycle, and the other decisions of it are lost',
  NOTE_SPLIT_REFUSED: 'the load manager asks for the split, and the broker refuses it, again in each cycle',
  NOTE_SPLIT_ONE_HASH:
    'a bundle stays over its limits, and no split relieves it: one topic, or one hash, is too much alone',
  NOTE_SPLIT_MAXIMUM_BUNDLES: 'a bundle is over its limits, and the namespace has as many bundles as it may',
  NOTE_SPLIT_BANDWIDTH_OVERFLOW:
    'the bandwidth limit in bytes overflows 32 bits: bundles are split at another limit than the one configured',
  NOTE_SPLIT_NOT_QUIET: 'the loads given end before splits do',
  NOTE_ASSIGN_STALE_PARTITION:
    'a partition that does not exist stays with whoever claimed it (KAFKA-21674, and alike in share groups)',
  NOTE_ASSIGN_NO_SUCH_PARTITION:
    'a partition that does not exist is handed out, since the assignor counts where ids have gaps',
  NOTE_ASSIGN_TWICE: 'a partition is handed out more than once',
  NOTE_ASSIGN_NOBODY: 'a partition that has subscribers goes to nobody',
  NOTE_ASSIGN_NOT_SUBSCRIBED: 'a member gets a partition of a topic that it does not subscribe to',
  NOTE_ASSIGN_NOT_ASSIGNABLE: 'a share group keeps, or hands on, a partition that is not assignable',
  NOTE_ASSIGN_CLASH: 'two members claimed a partition in one generation: neither claim counts',
  NOTE_ASSIGN_CLASH_NOT_WITHHELD:
    'two members claimed a partition in one generation, and one gets it before the other gave it up',
  NOTE_LEDGER_ODD_ENSEMBLE: 'an ensemble of odd size over two racks never keeps the rack-aware policy',
  NOTE_LEDGER_REGION_UNCHECKED: 'the region-aware policy says that every ensemble keeps it',
  NOTE_LEDGER_HAS_ENTRY:
    'from entry 2^31 - Qw + 1 on `hasEntry` names other bookies than the write set: it cuts to an int',
  NOTE_DEDUP_LOST_CHUNK:
    'recovery took a chunk for its whole message: the last chunk is refused, and the message is lost',
  NOTE_DEDUP_BATCH_REFUSED:
    'a batch is judged by its first sequence id alone: new messages in it are refused with the others',
  NOTE_DEDUP_MARK_LOWERED:
    'a confirmation out of order lowers the persisted mark: later duplicates can pass after a restart',
  NOTE_RETRY_ENDLESS: "a message's count is so far from the limit that it stays in the retry topic",
  NOTE_SIMULATION_PLACEMENT_FALLBACK:
    'AvgShedder places bundles only where it sheds too: another placement strategy is taken',
  NOTE_SIMULATION_SHEDDER_FALLBACK:
    'the extensible load manager takes TransferShedder, whatever shedder of the modular one is set',
  NOTE_SIMULATION_SATURATED: 'bundles ask for more than their broker has: it reports 100 %',
  NOTE_SIMULATION_NO_USAGE: 'no broker has any usage, so that no threshold can be met',
  NOTE_SIMULATION_NO_BROKER: 'policies, or a limit on topics, left no broker for a bundle at times',
  NOTE_SIMULATION_THRASH: 'bundles are unloaded again and again although nothing changes',
  NOTE_SIMULATION_NOT_SETTLED: 'the run is too short to tell whether anything would still move',
  NOTE_DELAYED_NEVER_WOKEN: 'messages are held back and no timer is set: the dispatcher is not woken when they are due',
  NOTE_CONF_BOOLEAN: 'a boolean of broker.conf is neither true nor false: a broker takes it for false',
  NOTE_CONF_TWICE: 'a name stands twice in broker.conf: the last one counts',
  NOTE_CONF_RELEASE: 'a setting of broker.conf is not known to that release, which passes over it',
  NOTE_LOAD_OVER_LIMIT: 'a load report has more usage than limit: the limit is taken',
  NOTE_LOAD_MOVED: 'two load reports have a bundle, which moved between them: the later one counts',
  NOTE_LOAD_NO_USAGE: "broker-stats topics tell nothing of the broker's usage: its limits must be given",
} as const satisfies Record<string, string>

/** One of the codes of {@link NOTE_CODES}. */
export type NoteCode = keyof typeof NOTE_CODES

/** One note on an answer. */
export interface Note {
  readonly code: NoteCode
  /** What happened and what a right answer would be, with figures. */
  readonly message: string
  /** What it is about: a bundle's range or key, an algorithm, a setting. */
  readonly where?: string
}
