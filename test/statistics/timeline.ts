/** A bank's nodes on a clock of their own: what they do second by second, in no time. */
import type { Clock } from '../../src/lib/clock.js';
import { type DayFigures, figuresOf } from '../../src/statistics/figures.js';
import { StatisticsRecorder } from '../../src/statistics/recorder.js';
import type { Db } from '../../src/store/db.js';

export const ZONE = 'Europe/Athens';
const BEAT = 5_000;

class SetClock implements Clock {
  #now: number;
  #elapsed = 0;

  constructor(at: number) {
    this.#now = at;
  }

  now = (): number => this.#now;
  elapsed = (): number => this.#elapsed;

  pass(ms: number): void {
    this.#now += ms;
    this.#elapsed += ms;
  }

  /** As a clock that is set. */
  set(ms: number): void {
    this.#now += ms;
  }
}

type Outcome = 'good' | 'refused' | 'fault' | 'late' | 'left';
const outcomes = {
  good: { status: 200 },
  refused: { status: 403, slug: 'consent-revoked' },
  fault: { status: 503, slug: 'core-unavailable' },
  late: { status: 408, slug: 'processing-timeout' },
  left: { status: 0 },
} as const;

export class Node {
  readonly recorder: StatisticsRecorder;
  isAlive = true;
  /** Beats between two moments of interest leave nothing else behind than the last one: they need not be written. */
  isQuiet = false;

  constructor(store: Db, clock: Clock) {
    const transaction: Db['transaction'] = async (work) =>
      this.isQuiet || !this.isAlive ? (undefined as never) : store.transaction(work);
    const log = {
      warn: (fields: object) => {
        throw new Error(JSON.stringify(fields));
      },
    };
    const areaOf = (operation: string) => operation as 'pis' | 'ais' | 'piis';
    this.recorder = new StatisticsRecorder({
      db: { ...store, transaction },
      clock,
      log,
      timeZone: ZONE,
      areaOf,
    });
  }

  call(outcome: Outcome, ms = 10, area: 'pis' | 'ais' | 'piis' = 'piis'): void {
    this.recorder.record({ operation: area, ms, ...outcomes[outcome] });
  }

  kill(): void {
    this.isAlive = false;
  }

  async stop(): Promise<void> {
    await this.recorder.close();
    this.isAlive = false;
  }
}

export class Timeline {
  readonly clock: SetClock;
  readonly #db: Db;
  readonly #nodes: Node[] = [];

  constructor(db: Db, start: string) {
    this.#db = db;
    this.clock = new SetClock(Date.parse(start));
  }

  async start(): Promise<Node> {
    const node = new Node(this.#db, this.clock);
    this.#nodes.push(node);
    await node.recorder.begin();
    return node;
  }

  async beat(isQuiet = false): Promise<void> {
    for (const node of this.#nodes.filter(({ isAlive }) => isAlive)) {
      node.isQuiet = isQuiet;
      await node.recorder.write();
      node.isQuiet = false;
    }
  }

  /** All living nodes live on until then; the last beat is at the last whole five seconds. */
  async until(moment: string): Promise<void> {
    await this.beat(false);
    const end = Date.parse(moment);
    while (this.clock.now() + BEAT <= end) {
      this.clock.pass(BEAT);
      await this.beat(this.clock.now() + BEAT <= end);
    }
    this.clock.pass(end - this.clock.now());
  }

  /** Nothing lives on: a machine that is stopped, or a store that is away. */
  pass(seconds: number): void {
    this.clock.pass(seconds * 1000);
  }

  async day(date: string): Promise<DayFigures | undefined> {
    for (const node of this.#nodes) if (node.isAlive) await node.stop();
    const [figures] = await figuresOf(this.#db, [date], this.clock.now(), ZONE);
    return figures;
  }
}
