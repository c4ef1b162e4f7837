/** Runs the cases one after the other and keeps how each ended. */
import { monotonicMs } from 'trapeza/base';
import type { Case, Trial } from './case.js';
import type { CoreClient, OperationId, Sent } from './client.js';
import type { Subject } from './subject.js';
import { Blocked, Failure, Skip } from './verdict.js';

/**
 * `blocked`: it cannot be judged, mostly because an operation that it needs gives no right answer; one case of that operation has
 * failed for it, the others need not repeat it. `skipped`: there was nothing to try it on.
 */
export type Verdict = 'passed' | 'failed' | 'blocked' | 'skipped';

export interface Result {
  readonly id: string;
  readonly title: string;
  readonly operation: OperationId;
  readonly verdict: Verdict;
  readonly ms: number;
  readonly expected?: string;
  readonly seen?: string;
  readonly hint?: string;
  /** Why it was skipped or blocked. */
  readonly reason?: string;
  /** What was asked before it failed, if that is wanted. */
  readonly asked?: readonly Sent[];
}

export interface RunOptions {
  readonly core: CoreClient;
  readonly subject: Subject;
  readonly allowsPayments: boolean;
  readonly now: () => number;
  readonly explains?: boolean;
  readonly onResult?: (result: Result, place: number, total: number) => void;
}

type Ending = Pick<Result, 'verdict' | 'expected' | 'seen' | 'hint' | 'reason'>;

const obstacle = (
  { needs, movesMoney }: Case,
  { subject, allowsPayments }: RunOptions,
): string | undefined => {
  const missing = needs.filter((name) => subject[name] === undefined);
  if (missing.length > 0) return `the subject has no ${missing.join(', ')}`;
  return movesMoney && !allowsPayments ? 'it moves money (--payments)' : undefined;
};

/** The operations that gave no answer; a case has reported each. */
type Broken = Set<OperationId>;

const endingOf = (each: Case, error: unknown, broken: Broken): Ending => {
  if (error instanceof Skip) return { verdict: 'skipped', reason: error.message };
  if (error instanceof Blocked) return { verdict: 'blocked', reason: error.message };
  if (!(error instanceof Failure)) throw error;
  const { expected, seen, operation } = error;
  const isOwn = operation === undefined || operation === each.operation;
  if (isOwn && (operation === undefined || !broken.has(operation))) {
    if (operation !== undefined) broken.add(operation);
    return { verdict: 'failed', expected, seen, hint: each.hint };
  }
  return { verdict: 'blocked', reason: `it needs ${operation}: expected ${expected}, seen ${seen}` };
};

const runOne = async (each: Case, options: RunOptions, broken: Broken): Promise<Ending> => {
  const reason = obstacle(each, options);
  if (reason !== undefined) return { verdict: 'skipped', reason };
  const { core, subject, now } = options;
  const trial: Trial = { core, subject, now };
  try {
    await each.run(trial);
    return { verdict: 'passed' };
  } catch (error) {
    return endingOf(each, error, broken);
  }
};

const SHOWN = 5;

const lastOf = ({ sent }: CoreClient): readonly Sent[] => sent.slice(-SHOWN);

export const runCases = async (cases: readonly Case[], options: RunOptions): Promise<readonly Result[]> => {
  const results: Result[] = [];
  const broken: Broken = new Set();
  const { core, subject } = options;
  core.psuId = subject.psuId ?? core.psuId;
  for (const each of cases) {
    const start = monotonicMs();
    core.sent.length = 0;
    const ending = await runOne(each, options, broken);
    const { id, title, operation } = each;
    const asked = options.explains && ending.verdict === 'failed' ? { asked: lastOf(core) } : {};
    const result = { id, title, operation, ms: Math.round(monotonicMs() - start), ...ending, ...asked };
    results.push(result);
    options.onResult?.(result, results.length, cases.length);
  }
  return results;
};

/** Whether the core keeps its promises, as far as they were tried. */
export const isGood = (results: readonly Result[]): boolean =>
  results.some(({ verdict }) => verdict === 'passed') &&
  results.every(({ verdict }) => verdict === 'passed' || verdict === 'skipped');
