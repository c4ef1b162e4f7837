/** What a run has measured. The report is made from this alone. */
import type { SubjectId } from './options.js';

export interface Figures {
  /** User and system time of the process for one request. */
  readonly cpuUs: number;
  readonly perSecond: number;
  /** Of the first three seconds of the process. */
  readonly firstCpuUs: number;
  /** At half of the throughput, in the open loop. */
  readonly halfP50Ms: number;
  readonly halfP99Ms: number;
  /** Of one connection that asks, waits for the answer and asks again. */
  readonly aloneP50Ms: number;
  readonly rssMb: number;
  readonly errors: number;
}

export interface Row extends Figures {
  readonly id: SubjectId;
  /** CPU of its floor by its own: the median of the rounds. */
  readonly ofFloor?: number;
}

export interface NodesRow {
  readonly kind: 'funds' | 'status';
  readonly nodes: number;
  readonly perSecond: number;
  readonly cpuUs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly errors: number;
}

/** Of a core that takes so long for a question. */
export interface SlowCoreRow {
  readonly coreMs: number;
  readonly perSecond: number;
  /** Of what calls at once allow. */
  readonly share: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly refused: number;
}

export interface Overload {
  readonly capacity: number;
  readonly sentPerSecond: number;
  readonly goodPerSecond: number;
  readonly goodP50Ms: number;
  readonly goodP99Ms: number;
  readonly refusedPerSecond: number;
  readonly rssMb: number;
  /** Neither a success nor a refusal. */
  readonly errors: number;
}

export interface Result {
  readonly takenAt: string;
  readonly node: string;
  readonly processor: string;
  readonly cores: number;
  /** Load and servers on cores of their own. */
  readonly isPinned: boolean;
  readonly effort: {
    readonly rounds: number;
    readonly seconds: number;
    readonly warm: number;
    readonly connections: number;
  };
  readonly rows: readonly Row[];
  /** The median of a lone insert and commit, without a server around it. */
  readonly commitMs: { readonly sqlite?: number; readonly postgres?: number };
  readonly nodes: readonly NodesRow[];
  readonly slowCores: readonly SlowCoreRow[];
  readonly overload?: Overload;
}

export const errorsIn = ({ rows, nodes, overload }: Result): number =>
  [...rows, ...nodes, ...(overload ? [overload] : [])].reduce((sum, { errors }) => sum + errors, 0);

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low = Number.NaN, high = Number.NaN] = [sorted[middle - 1], sorted[middle]];
  return sorted.length % 2 === 1 ? high : (low + high) / 2;
};
