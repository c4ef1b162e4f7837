/**
 * A campaign: third parties call real nodes without pause while something is broken again and again, then everything is let
 * be and the store is held against what they were told. SEED of `npm run prove -- faults` repeats its choices; a long one ends after
 * MINUTES and says how to go on.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Db } from '../../../src/store/db.js';
import { openDb } from '../../../src/store/open.js';
import { cleanUp } from '../../cli/program.js';
import { randomOf } from '../../payment/nodes.js';
import { until } from '../../support/until.js';
import { faultVolume } from '../volume.js';
import { stopNodes } from './break/node-process.js';
import { removeServers } from './break/pg-server.js';
import { Caller, type Random } from './load/caller.js';
import { Journal, type Target } from './load/journal.js';
import { readAll } from './load/read-all.js';
import { acknowledgedBy, doubledIn, lostIn, reconcile, sumsIn } from './load/reconcile.js';
import { ThirdParty } from './load/third-party.js';

const SEED = Number(process.env.TEST_FAULTS_SEED ?? 1);
const MINUTES = Number(process.env.TEST_FAULTS_MINUTES ?? 18);
/** After the database is back, a node answers again within this. A busy machine is no reason to fail `npm test`. */
const BACK_WITHIN_MS = faultVolume(60_000, 2000);
/** Then a node is gone for good, and nobody waits for it any longer. */
const GONE_MS = 30_000;
export const CAMPAIGN_MS = 20 * 60_000;

/** Each has a person of its own, with an account that nobody else pays from. */
const people = [
  ['demo-budget-app', 'nikos', 202, 4],
  ['demo-walkthrough', 'kostas', 801, 1],
  ['demo-budget-app', 'anna', 902, 2],
  ['demo-walkthrough', 'dimitris', 601, 1],
  ['demo-finance-app', 'maria', 303, 3],
  ['demo-walkthrough', 'eleni', 102, 2],
] as const;

/** A sample is loaded sooner with fewer. */
const PARTIES = faultVolume(3, people.length);

const withDb = async <T>(url: string, work: (db: Db) => Promise<T>): Promise<T> => {
  const db = await openDb(url, 2);
  try {
    return await work(db);
  } finally {
    await db.close();
  }
};

/** Breaks something, waits until it is mended, and tells what it was. */
export type Inject = (random: Random) => Promise<string>;

export interface Faults {
  readonly name: string;
  /** How many, unless COUNT says otherwise. */
  readonly count: number;
  readonly inject: Inject;
}

/** After the tests of a file: nothing that a campaign started is left behind, not even by one that broke down. */
export const endCampaigns = async (): Promise<void> => {
  await stopNodes();
  await cleanUp();
  await removeServers();
};

/** What one fault did to the service. */
interface Outcome {
  readonly what: string;
  readonly gapMs: number;
}

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;

export class Campaign {
  /** The books of a remote core; undefined if they are in the store. */
  readonly #booksUrl: string | undefined;
  readonly journal = new Journal();
  readonly random = randomOf(SEED);
  readonly #recoveriesMs: number[] = [];
  readonly #injected = new Map<string, number>();
  readonly #outcomes: Outcome[] = [];
  #parties: ThirdParty[] = [];
  #lost = 0;
  #doubled = 0;

  constructor(booksUrl?: string) {
    this.#booksUrl = booksUrl;
  }

  /** A database came back: how long until each node has answered something that needs it. Gives up after a while. */
  async backAgain(targets: readonly Target[]): Promise<void> {
    const took = await Promise.all(targets.map((target) => this.journal.firstSuccess(target, GONE_MS)));
    this.#recoveriesMs.push(...took);
    const worst = Math.max(...took);
    if (worst > BACK_WITHIN_MS)
      this.journal.report(`the first success came ${worst} ms after the database was back`);
  }

  /** Every third party has something to lose. */
  async #isLoaded(): Promise<void> {
    await until(() =>
      this.#parties.every(({ payments, fundsAnswers }) => payments.length > 0 && fundsAnswers.length > 0),
    );
  }

  /** While its old connections are half-open, a node answers over new ones. */
  async stillServes(target: Target): Promise<void> {
    const took = await this.journal.firstSuccess(target, GONE_MS);
    if (took >= GONE_MS)
      this.journal.report('a node with half-open connections did not answer over new ones');
  }

  /** Runs the faults under load, then reconciles with the store. What is wrong is in the journal. */
  async run(targets: readonly Target[], databaseUrl: () => string, faults: Faults): Promise<void> {
    const booksUrl = (): string => this.#booksUrl ?? databaseUrl();
    const sums = await withDb(booksUrl(), sumsIn);
    this.#parties = people
      .slice(0, PARTIES)
      .map(
        ([application, psu, number, accounts]) =>
          new ThirdParty(
            new Caller(this.journal, targets, this.random, application, psu),
            number,
            accounts,
            this.#booksUrl !== undefined,
          ),
      );
    const startedAt = Date.now();
    let isOver = false;
    const load = Promise.all(this.#parties.map((party) => party.run(() => isOver)));
    const count = Number(process.env.TEST_FAULTS_COUNT ?? faults.count);
    let made = 0;
    try {
      await Promise.race([this.#isLoaded(), load]);
      for (; made < count && Date.now() - startedAt < MINUTES * 60_000; made += 1) {
        await Promise.race([pause(this.random() * 300), load]);
        this.journal.takeLongestGap();
        const what = await faults.inject(this.random);
        this.#outcomes.push({ what, gapMs: this.journal.takeLongestGap() });
        if (this.#booksUrl !== undefined) await this.#compare(databaseUrl(), this.#booksUrl);
        this.#injected.set(what, (this.#injected.get(what) ?? 0) + 1);
      }
    } catch (error) {
      this.journal.isAbandoned = true;
      await load.catch(() => undefined);
      throw error;
    }
    isOver = true;
    if ((await Promise.race([load, pause(GONE_MS, 'unknown', { ref: false })])) === 'unknown') {
      this.journal.report('after the last fault some outcomes stayed unknown');
      this.journal.isAbandoned = true;
    }
    if (this.#booksUrl !== undefined && !this.journal.isAbandoned)
      for (const party of this.#parties) await readAll(party);
    await withDb(databaseUrl(), (db) => withDb(booksUrl(), (books) => this.#reconcile(db, books, sums)));
    this.#print(faults, made, count);
  }

  /** Under load, after each fault. */
  async #compare(databaseUrl: string, booksUrl: string): Promise<void> {
    const told = acknowledgedBy(this.#parties);
    const lost = await withDb(databaseUrl, (db) => lostIn(db, told));
    const doubled = await withDb(booksUrl, doubledIn);
    this.#lost += lost.length;
    this.#doubled += doubled.length;
    for (const fault of [...lost, ...doubled]) this.journal.report(fault);
  }

  async #reconcile(db: Db, books: Db, sums: string): Promise<void> {
    for (const fault of await reconcile(db, books, this.#parties, sums)) this.journal.report(fault);
  }

  /** For each kind of fault: how often, and how long no write was acknowledged. */
  #table(): string {
    const kinds = [...new Set(this.#outcomes.map(({ what }) => what))].toSorted();
    const seconds = (ms: number): string => (ms / 1000).toFixed(1).padStart(6);
    return kinds
      .map((kind) => {
        const gaps = this.#outcomes.filter(({ what }) => what === kind).map(({ gapMs }) => gapMs);
        return `    ${kind.padEnd(52)}${String(gaps.length).padStart(4)}${seconds(median(gaps))}${seconds(Math.max(...gaps))}`;
      })
      .join('\n');
  }

  #print({ name }: Faults, made: number, count: number): void {
    if (process.env.TEST_FAULTS !== 'full') return;
    const { journal } = this;
    const all = <T>(read: (party: ThirdParty) => readonly T[]): number => this.#parties.flatMap(read).length;
    console.log(`\nFault campaign "${name}", seed ${SEED}: ${made} of ${count}`);
    const listed = (counts: ReadonlyMap<string, number>): string =>
      [...counts].map(([what, times]) => `${what} ${times}`).join(', ');
    console.log(`  faults     ${listed(this.#injected)}`);
    console.log(`  right      ${journal.rightCount}: ${listed(journal.right)}`);
    console.log(`  no answer  ${listed(journal.unanswered)}`);
    console.log(
      `  WRONG      ${journal.faults.length}${journal.faults
        .slice(0, 40)
        .map((fault) => `\n    ${fault}`)
        .join('')}`,
    );
    console.log(
      `  kept       ${all(({ fundsAnswers }) => fundsAnswers)} funds answers, ${all(({ consents }) => consents)} consents, ${all(({ payments }) => payments)} payments`,
    );
    console.log(
      `  slowest    answer ${journal.slowestMs} ms, first success after an outage ${Math.max(0, ...this.#recoveriesMs)} ms (of ${this.#recoveriesMs.length})`,
    );
    if (this.#booksUrl !== undefined) console.log(`  after each  ${this.#lost} lost, ${this.#doubled} twice`);
    console.log(`  without a write, in seconds: times, median, longest\n${this.#table()}`);
    if (made < count) console.log(`Go on with SEED=${SEED + 1} COUNT=${count - made}.`);
  }

  /** For the test: nothing was wrong, and the load was real. */
  expectRight(): void {
    expect(this.journal.faults.slice(0, 30)).toEqual([]);
    expect(this.journal.rightCount).toBeGreaterThan(PARTIES * 10);
  }
}
