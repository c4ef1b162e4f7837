/**
 * The core simulator as a process of its own, with faults in every call about a payment: killed, and started again on its books.
 * It has forgotten what idempotency is: a payment that is sent again is booked again, under an id that nobody knows, so only the
 * side that calls it keeps payments from being carried out twice.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { freePort } from '../../../bench/free-port.js';
import type { Fault } from '../../../packages/core-kit/src/simulator/faults.js';
import { openDb } from '../../../src/store/open.js';
import { type Program, startTrapeza, tempFolder } from '../../cli/program.js';
import { account } from '../../support/operations.js';

/** What the core does instead of answering well, and how often. */
const faults = [
  'executed-but-silent:0.08@executePayment',
  'silent-before:0.06@executePayment',
  'reset:0.05@executePayment',
  'late:0.04@executePayment',
  'half-open:0.03@executePayment',
  'status-500:0.03@executePayment',
  'status-503:0.03@executePayment',
  'garbage:0.03@executePayment',
  'wrong-id:0.03@executePayment',
  'wrong-type:0.03@executePayment',
  'reset:0.1@readPayment',
  'late:0.05@readPayment',
  'status-500:0.1@readPayment',
  'html:0.05@readPayment',
  'wrong-id:0.05@readPayment',
  'status-503:0.03@findAccounts',
];

const defects = ['--defect', 'repetition-executed', '--defect', 'race-executed-twice'];
const broken = [...faults.flatMap((fault) => ['--fault', fault]), ...defects];

export class CoreProcess {
  readonly #folder = tempFolder();
  readonly #port: number;
  readonly #traits: readonly string[];
  #seed: number;
  #running: Program | undefined;

  private constructor(port: number, seed: number, traits: readonly string[]) {
    this.#port = port;
    this.#seed = seed;
    this.#traits = traits;
  }

  static async start(seed: number, traits: readonly string[] = broken): Promise<CoreProcess> {
    const core = new CoreProcess(await freePort(), seed, traits);
    await core.start();
    return core;
  }

  /** Of the store in which its books are. */
  get booksUrl(): string {
    return `sqlite:${join(this.#folder, 'core-simulator.db')}`;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Each life has its own chances. */
  async start(): Promise<void> {
    const place = ['--port', String(this.#port), '--data', this.#folder, '--seed', String(this.#seed)];
    this.#seed += 1;
    this.#running = startTrapeza(['core-simulator', ...place, ...this.#traits]);
    await this.#running.until(/core simulator is ready/);
  }

  /** As a power failure ends it. */
  async kill(): Promise<void> {
    await this.#running?.stop('SIGKILL');
  }

  /** From here on it answers well, or with these faults alone. */
  async behave(...kinds: readonly Fault[]): Promise<void> {
    const headers = { 'Content-Type': 'application/json' };
    const body = JSON.stringify(kinds);
    const answer = await fetch(`${this.url}/simulator/faults`, { method: 'PUT', headers, body });
    if (!answer.ok) throw new Error(await answer.text());
  }

  async statusOf(id: string): Promise<string> {
    const headers = { 'X-Request-ID': randomUUID() };
    const answer = await fetch(`${this.url}/payments/${id}`, { headers });
    return ((await answer.json()) as { status: string }).status;
  }

  /** How often each payment stands in its books. */
  async executions(): Promise<ReadonlyMap<string, number>> {
    const answer = await fetch(`${this.url}/simulator/payments`);
    const { payments } = (await answer.json()) as { payments: { paymentId: string; executions: number }[] };
    return new Map(payments.map(({ paymentId, executions }) => [paymentId, executions]));
  }

  /** The core books what is due when it gets a question about it; Trapeza sends none about what was settled by hand. */
  async bookDue(ids: Iterable<string>, bankTime: string): Promise<void> {
    const headers = { 'X-Request-ID': randomUUID(), 'Sandbox-Time': bankTime };
    for (const id of ids) await (await fetch(`${this.url}/payments/${id}`, { headers })).arrayBuffer();
  }

  async #books<T>(sql: string, params: readonly string[] = []): Promise<T[]> {
    const db = await openDb(this.booksUrl, 1);
    try {
      return await db.all<T>(sql, params);
    } finally {
      await db.close();
    }
  }

  /** What the account has that pays. */
  async payerMinor(): Promise<number> {
    const sql = 'select booked_minor as booked from demo_accounts where id = ?';
    const [row] = await this.#books<{ booked: number }>(sql, [account('eleni', 102).id]);
    return row?.booked ?? Number.NaN;
  }

  /** When each payment arrived and when it was decided, if it takes its time for them. */
  delays(): Promise<{ id: string; receivedAt: number; decidesAt: number }[]> {
    return this.#books(
      'select id, received_at as "receivedAt", decides_at as "decidesAt" from simulator_delays',
    );
  }
}
