/** Real processes on one store, for payments: started, killed and started again at the same address. */
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../bench/free-port.js';
import { demoApplications } from '../../packages/sandbox/src/applications.js';
import { insertConsent } from '../../src/consent/consents.js';
import { DAY } from '../../src/lib/clock.js';
import type { Db } from '../../src/store/db.js';
import { type RunningService, startSandbox, tempFolder, type Variables } from '../cli/program.js';
import { sandboxToken } from '../support/client.js';
import { account, FINANCE, psuId } from '../support/operations.js';
import { testSecret } from '../support/service.js';
import { OTHER_BANK, orderPath } from './support.js';

/** The key of the first application. */
export const demoKey = demoApplications[0]?.subscriptionKey ?? '';

const BASE_URL = 'http://payments.example';

export class PaymentNode {
  readonly #databaseUrl: string;
  readonly #port: number;
  readonly #env: Variables;
  #running: RunningService | undefined;

  private constructor(databaseUrl: string, port: number, env: Variables) {
    this.#databaseUrl = databaseUrl;
    this.#port = port;
    this.#env = env;
  }

  static async start(databaseUrl: string, env: Variables = {}): Promise<PaymentNode> {
    const node = new PaymentNode(databaseUrl, await freePort(), env);
    await node.start();
    return node;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async start(): Promise<void> {
    this.#running = await startSandbox({
      cwd: tempFolder(),
      env: {
        PORT: String(this.#port),
        DATABASE_URL: this.#databaseUrl,
        TRAPEZA_SECRET: testSecret,
        BASE_URL,
        TRAPEZA_LOG_LEVEL: 'error',
        TRAPEZA_QUOTA_PER_MINUTE: '100000000',
        TRAPEZA_QUOTA_PER_DAY: '100000000',
        ...this.#env,
      },
    });
  }

  signal(name: NodeJS.Signals): void {
    if (this.#running) process.kill(this.#running.program.pid, name);
  }

  /** As a power failure ends it. */
  async kill(): Promise<void> {
    await this.#running?.program.stop('SIGKILL');
  }
}

export interface Sent {
  readonly status: number;
  readonly text: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 100 });

/** Undefined: no answer came, because the connection broke or the caller gave up. */
export const post = (
  url: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  patienceMs?: number,
): Promise<Sent | undefined> =>
  new Promise((resolve) => {
    const outgoing = request(`${url}${path}`, { method: 'POST', headers, agent }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('error', () => resolve(undefined));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      response.on('close', () => resolve(undefined));
    });
    outgoing.on('error', () => resolve(undefined));
    if (patienceMs !== undefined) setTimeout(() => outgoing.destroy(), patienceMs).unref();
    outgoing.end();
  });

export interface SubmissionTally {
  unanswered: number;
  retried: number;
}

/** Submits until there is an answer that says what happened, always with the same request id. The id of the order. */
export const submitUntilAnswered = async (
  nodes: readonly PaymentNode[],
  { id, turn }: { readonly id: string; readonly turn: number },
  tally: SubmissionTally,
): Promise<string> => {
  const requestId = randomUUID();
  for (let attempt = 0; ; attempt += 1) {
    const { url } = nodes[(turn + attempt) % nodes.length] ?? { url: '' };
    const token = await sandboxToken(url).catch(() => undefined);
    if (token !== undefined) {
      const headers = {
        'Ocp-Apim-Subscription-Key': demoKey,
        Authorization: `Bearer ${token}`,
        'X-Request-ID': requestId,
      };
      const answer = await post(url, orderPath(id), headers);
      if (answer?.status === 201) {
        if (attempt > 0) tally.retried += 1;
        return (JSON.parse(answer.text) as { paymentId: string }).paymentId;
      }
      if (!answer) tally.unanswered += 1;
      else if (![408, 503].includes(answer.status)) throw new Error(`${answer.status} ${answer.text}`);
    }
    await pause(50);
  }
};

/** Numbers below 1 that a seed repeats (mulberry32). */
export const randomOf = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

/** Approved payments of one euro, as many as wanted: every second one stays inside the bank, and so do all instant ones. */
export const addApproved = async (db: Db, count: number, isInstant = false): Promise<string[]> => {
  const payer = account('eleni', 102);
  const payee = account('vasilis', 1101);
  const now = Date.now();
  const ids = Array.from({ length: count }, () => randomUUID());
  await db.transaction(async (tx) => {
    for (const [index, id] of ids.entries())
      await insertConsent(tx, {
        id,
        kind: 'PaymentInitiation',
        clientId: FINANCE,
        psuId: psuId('eleni'),
        status: 'Valid',
        createdAt: now,
        approvedAt: now,
        expiresAt: now + DAY,
        details: {
          paymentService: 'transfers',
          paymentProduct: 'domestic',
          debitAccount: { iban: payer.iban },
          creditAccount: { iban: isInstant || index % 2 === 0 ? payee.iban : OTHER_BANK },
          creditorName: 'Βασίλης Αλεξίου',
          instructedAmount: { currency: 'EUR', amount: 1 },
          chargeBearer: 'sha',
          expenses: { currency: 'EUR', amount: 0.3 },
        },
        accounts: [{ accountId: payer.id, iban: payer.iban, bban: null, msisdn: null, currency: 'EUR' }],
        history: [],
      });
    if (isInstant)
      await tx.run(`update consents set payment_notes = '{"instant":true}' where approved_at = ?`, [now]);
  });
  return ids;
};

interface Settled {
  readonly consentId: string;
  readonly orderId: string;
  readonly status: string;
  readonly bookings: number;
}

/** Each submitted consent with its order and the number of bookings of that order. */
export const ordersIn = (db: Db): Promise<Settled[]> =>
  db.all<Settled>(
    `select o.consent_id as "consentId", o.id as "orderId", o.status,
            (select count(*) from demo_transfers t where t.payment_id = o.id and t.code <> 'PMNT-ICDT-CHRG')
            + (select count(*) from demo_holds h where h.payment_id = o.id and h.code <> 'PMNT-ICDT-CHRG') as bookings
     from payment_orders o`,
  );

/** What the payer has left, and what all accounts of a currency have together. */
export const figuresIn = async (db: Db): Promise<{ payer: number; sum: number }> => {
  const payer = await db.one<{ booked: number }>(
    'select booked_minor - pending_minor as booked from demo_accounts where id = ?',
    [account('eleni', 102).id],
  );
  const all = await db.one<{ sum: number }>(
    `select cast(sum(booked_minor) as bigint) as sum from demo_accounts where currency = 'EUR'`,
  );
  return { payer: payer?.booked ?? Number.NaN, sum: all?.sum ?? Number.NaN };
};

/** Bookings of the payer that belong to no order: money that nobody asked to move. */
export const strayBookings = (db: Db, since: number): Promise<unknown[]> =>
  db.all(
    `select t.id from demo_transfers t left join payment_orders o on o.id = t.booking_id
     where t.debit_account = ? and t.booked_at >= ? and o.id is null`,
    [account('eleni', 102).id, since],
  );

export const COST = 130;

/** Two processes that start on a busy machine. */
export const STARTING_MS = 180_000;
