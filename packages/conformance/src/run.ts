/** Runs the cases one after the other and keeps how each ended. */
import type { Bank } from './bank/bank.js';
import type { Sent } from './bank/http.js';
import type { Area, Case, Clause } from './case.js';
import { now } from './clock.js';
import { Failure, NotRun, need } from './verdict.js';

export const verdicts = ['passed', 'failed', 'not run'] as const;
export type Verdict = (typeof verdicts)[number];

export interface Result {
  readonly id: string;
  readonly title: string;
  readonly area: Area;
  readonly clause: Clause;
  readonly verdict: Verdict;
  readonly ms: number;
  readonly expected?: string;
  readonly seen?: string;
  /** Why it was not run. */
  readonly reason?: string;
  /** The last calls of a case that failed. */
  readonly calls?: readonly Sent[];
}

type Ending = Pick<Result, 'verdict' | 'expected' | 'seen' | 'reason' | 'calls'>;

const SHOWN = 5;

/** So many calls without an answer, and the rest of the area would have none either: it is not waited for. */
const PATIENCE = 3;

const runOne = async ({ run }: Case, bank: Bank): Promise<Ending> => {
  try {
    need(bank.http.unansweredInRow < PATIENCE, `the last ${PATIENCE} calls had no answer`);
    await run(bank);
    return { verdict: 'passed' };
  } catch (error) {
    if (error instanceof NotRun) return { verdict: 'not run', reason: error.message };
    // A fault of the kit is none of the bank.
    if (!(error instanceof Failure))
      return { verdict: 'not run', reason: `the kit failed: ${String(error)}` };
    const { expected, seen } = error;
    return { verdict: 'failed', expected, seen, calls: bank.http.sent.slice(-SHOWN) };
  }
};

/** What cannot be ended now is over when its time is. */
const tidyUp = async ({ leftovers }: Bank): Promise<void> => {
  for (const end of leftovers.splice(0)) await end().catch(() => undefined);
};

export const runCases = async (
  cases: readonly Case[],
  bank: Bank,
  onResult: (result: Result, place: number, total: number) => void = () => undefined,
): Promise<readonly Result[]> => {
  const results: Result[] = [];
  for (const each of cases) {
    const { id, title, area, clause } = each;
    const start = now();
    bank.http.sent.length = 0;
    if (area !== results.at(-1)?.area) bank.http.unansweredInRow = 0;
    const ending = await runOne(each, bank);
    await tidyUp(bank);
    const result = { id, title, area, clause, ms: now() - start, ...ending };
    results.push(result);
    onResult(result, results.length, cases.length);
  }
  return results;
};
