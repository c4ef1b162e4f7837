/** What a run has measured, as it is written to JSON. The report, the verdicts and the picture are made from this alone. */
/** `remote` is the embedded store, with the core simulator behind HTTP in the place of the demo bank. */
export type Engine = 'sqlite' | 'postgres' | 'remote';
export type Kind = 'funds' | 'status' | 'payment' | 'atms' | 'atms-304';

export interface Conditions {
  readonly processor: string;
  readonly cores: number;
  readonly node: string;
  readonly load: string;
  /** Load and servers on cores of their own. */
  readonly isPinned: boolean;
}

/** How long and how hard a part was measured; figures of a single short round are only a trial. */
export interface Effort {
  readonly takenAt: string;
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: number;
}

/** Medians over the rounds. */
export interface Figures {
  readonly perSecond: number;
  /** User and system time of the server for one request. */
  readonly cpuUs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly rssMb: number;
  readonly loopP99Ms?: number;
  readonly errors: number;
}

export interface OperationRow extends Figures {
  readonly kind: Kind;
  readonly engine: Engine;
  readonly workers: number;
  readonly floor: string;
  readonly floorPerSecond: number;
  readonly floorCpuUs: number;
  /** The median of the ratios of each round; a round has the floor and the service one after the other. */
  readonly ratio: number;
  readonly cpuRatio: number;
  /** Of several workers: their throughput by that of one, times their number. */
  readonly scaling?: number;
}

export interface FloorRow extends Figures {
  readonly floor: string;
  readonly kind: Kind;
}

export interface ScaleRow {
  readonly kind: Kind;
  readonly engine: Engine;
  readonly small: number;
  readonly large: number;
  readonly smallPerSecond: number;
  readonly largePerSecond: number;
  readonly ratio: number;
  readonly cpuRatio: number;
  readonly p99Ms: number;
  /** Of the few, by that of the many. */
  readonly p99Ratio?: number;
  readonly errors: number;
}

/** What records cost beside the calls. */
export interface GrowthRow {
  readonly engine: Engine;
  readonly people: number;
  readonly records: number;
  readonly fillSeconds: number;
  readonly holderBytes: number;
  readonly recordBytes: number;
  /** The first page of a person's list, whose records are as many with few people as with many. */
  readonly listFewMs: number;
  readonly listMs: number;
  readonly deleteUs: number;
  /** Of a month, on PostgreSQL. */
  readonly dropMs?: number;
}

export interface RateRow {
  readonly kind: Kind;
  readonly engine: Engine;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly p999Ms: number;
  /** The floor at the same rate: what client and machine add by themselves. */
  readonly floorP50Ms: number;
  readonly floorP99Ms: number;
  /** Of funds on PostgreSQL: one bare round trip and one commit at the same rate. */
  readonly committedP50Ms?: number;
  readonly errors: number;
}

export interface SoakRow {
  readonly engine: Engine;
  readonly minutes: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Of the second half. */
  readonly rssMb: number;
  readonly slopeMbPerMinute: number;
  readonly errors: number;
}

/** Rates are per second. */
export interface OverloadRow {
  readonly engine: Engine;
  /** What the closed loop reaches, before and after. */
  readonly capacity: number;
  readonly offered: number;
  /** As many as found a connection. */
  readonly sent: number;
  readonly good: number;
  readonly ratio: number;
  readonly goodP50Ms: number;
  readonly goodP99Ms: number;
  readonly refused: number;
  readonly refusedP99Ms: number;
  readonly rssBeforeMb: number;
  readonly rssMostMb: number;
  /** Until a second at half of the capacity has no error. */
  readonly backSeconds: number;
  /** Answers that are neither a success nor a 503. */
  readonly errors: number;
}

export interface StartRow {
  readonly way: 'npm start' | 'node';
  readonly serviceMs: number;
  readonly frameworkMs: number;
}

export interface SignedRow {
  readonly kind: Kind;
  readonly key: string;
  readonly perSecond: number;
  readonly signedPerSecond: number;
  readonly cpuUs: number;
  readonly signedCpuUs: number;
  readonly ratio: number;
  readonly errors: number;
}

/** A core behind HTTP that answers after so many milliseconds, by the number of connections to the service. */
export interface CoreRow {
  readonly delayMs: number;
  readonly connections: number;
  readonly perSecond: number;
  readonly cpuUs: number;
  readonly rssMb: number;
  /** Connections of the service to the core. */
  readonly coreConnections: number;
  /** Open loop. */
  readonly rate: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** The core asked directly, at the same rate. */
  readonly coreP50Ms: number;
  readonly coreP99Ms: number;
  /** At a low rate, about people that the core was not asked about for a minute, as nearly all are in a bank. */
  readonly seldomP50Ms?: number;
  readonly errors: number;
}

export interface TlsRow {
  readonly kind: Kind;
  readonly perSecond: number;
  readonly tlsPerSecond: number;
  readonly ratio: number;
  readonly cpuUs: number;
  readonly tlsCpuUs: number;
  readonly floor: string;
  readonly floorTlsPerSecond: number;
  /** What TLS leaves of the bare server. */
  readonly floorRatio: number;
  /** The service with TLS by the bare server with TLS. */
  readonly ofFloor: number;
  readonly errors: number;
}

export interface IdleRow {
  readonly isTls: boolean;
  readonly wanted: number;
  readonly opened: number;
  /** Why there are not more; EMFILE is the limit of open files. */
  readonly limit: string;
  readonly rssBeforeMb: number;
  readonly rssAfterMb: number;
  readonly kbEach: number;
  readonly perSecond: number;
  readonly idlePerSecond: number;
  readonly ratio: number;
  /** Idle connections that the service has closed count too. */
  readonly errors: number;
}

export interface PeerRow extends Figures {
  readonly name: string;
  readonly ratio: number;
  readonly cpuRatio: number;
}

export interface Part<Row> extends Effort {
  readonly rows: readonly Row[];
}

export interface Result {
  readonly conditions: Conditions;
  readonly operations?: Part<OperationRow> & { readonly floors: readonly FloorRow[] };
  readonly rate?: Part<RateRow>;
  readonly scale?: Part<ScaleRow> & { readonly growth?: readonly GrowthRow[] };
  readonly soak?: Part<SoakRow>;
  readonly overload?: Part<OverloadRow>;
  readonly start?: Part<StartRow>;
  readonly signed?: Part<SignedRow>;
  readonly core?: Part<CoreRow>;
  readonly tls?: Part<TlsRow>;
  readonly idle?: Part<IdleRow>;
  readonly peers?: Part<PeerRow>;
}

/** What a new run has not measured is kept, if it was measured under the same conditions. */
export const mergeResults = (old: Result | undefined, fresh: Result): Result =>
  old && JSON.stringify(old.conditions) === JSON.stringify(fresh.conditions) ? { ...old, ...fresh } : fresh;

/** Answers that were no success: one of them and the run has failed. */
export const errorsIn = ({ operations, rate, scale, ...parts }: Result): number =>
  [
    operations,
    rate,
    scale,
    parts.soak,
    parts.signed,
    parts.overload,
    parts.core,
    parts.tls,
    parts.idle,
    parts.peers,
  ]
    .flatMap((part): readonly { readonly errors: number }[] => part?.rows ?? [])
    .concat(operations?.floors ?? [])
    .reduce((sum, { errors }) => sum + errors, 0);
