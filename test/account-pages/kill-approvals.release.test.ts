/**
 * Approvals in the bank's app while nodes die like in a power failure: the browser waits on one node, the phone answers through
 * another. None is approved twice, none is lost, none is stuck. `npm run prove -- kill-approvals` is the long run; its SEED
 * repeats the moments of one.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { insertConsent } from '../../src/consent/consents.js';
import type { Db } from '../../src/store/db.js';
import { mortalNodes, whileNodesDie } from '../payment/mortal.js';
import { type PaymentNode, randomOf } from '../payment/nodes.js';
import type { Answer } from '../support/client.js';
import { bothEngines } from '../support/engines.js';
import { account, FINANCE, psuId } from '../support/operations.js';
import { hiddenFields, paymentDetails, Visitor } from './approve-support.js';

const APPROVALS = Number(process.env.TEST_KILL_APPROVALS ?? 5);
const PER_KILL = Number(process.env.TEST_KILL_EVERY ?? 12);
const SEED = Number(process.env.TEST_KILL_SEED ?? 1);
const CALLERS = 4;
const wanted = process.env.TEST_KILL_ENGINE;
const env = { TRAPEZA_CODES_PER_PERSON: '1000', TRAPEZA_LOGINS_PER_ADDRESS: '100000' };

const addPayments = async (db: Db): Promise<{ id: string; amount: string }[]> => {
  const createdAt = Date.now();
  const payments = Array.from({ length: APPROVALS }, (_each, index) => ({
    id: randomUUID(),
    amount: (1 + index / 100).toFixed(2),
  }));
  await db.transaction(async (tx) => {
    for (const { id, amount } of payments)
      await insertConsent(tx, {
        id,
        kind: 'PaymentInitiation',
        clientId: FINANCE,
        psuId: psuId('katerina'),
        status: 'Received',
        createdAt,
        expiresAt: null,
        details: { ...paymentDetails, instructedAmount: { currency: 'EUR', amount: Number(amount) } },
        accounts: [],
        redirectUri: 'https://demo-finance-app.example/callback',
        history: [{ from: null, to: 'Received', by: 'tpp', at: createdAt }],
      });
  });
  return payments;
};

const tally = { kills: 0, unanswered: 0, repeated: 0 };

/** One person in one browser, who begins on one node and goes on with whichever answers. */
class Walk {
  readonly #db: Db;
  readonly #browser: Visitor;
  readonly #phone: Visitor;
  #turn: number;

  constructor(nodes: readonly PaymentNode[], db: Db, turn: number) {
    this.#db = db;
    this.#turn = turn;
    const at = (more: number): string => nodes[(this.#turn + more) % nodes.length]?.url ?? '';
    this.#browser = new Visitor({
      get url() {
        return at(0);
      },
    });
    this.#phone = new Visitor({
      get url() {
        return at(1);
      },
    });
  }

  /** Undefined: no answer, or none that says anything. */
  async #try(call: () => Promise<Answer>): Promise<Answer | undefined> {
    const answer = await call().catch(() => undefined);
    if (answer && answer.status < 500) return answer;
    tally.unanswered += 1;
    this.#turn += 1;
    await setTimeout(100);
    return undefined;
  }

  async #confirmOnPhone(amount: string): Promise<boolean> {
    const page = await this.#try(() => this.#phone.get('/sandbox/phone'));
    const forms = page?.text.split('<form').filter((form) => form.includes(`Πληρωμή ${amount} EUR;`)) ?? [];
    let isTaken = false;
    for (const form of forms) {
      const { challenge = '' } = hiddenFields(form);
      const answer = await this.#try(() =>
        this.#phone.post('/sandbox/phone', { challenge, answer: 'right' }),
      );
      isTaken ||= answer?.status === 303;
    }
    return isTaken;
  }

  async #isDecided(id: string): Promise<boolean> {
    return (
      (await this.#db.one('select id from consents where id = ? and status <> ?', [id, 'Received'])) !==
      undefined
    );
  }

  /** The form of the request, logged in, with a request in the app. */
  async #form(id: string): Promise<Answer | undefined> {
    // As if half a minute had passed since a node died while it asked the bank.
    await this.#db.run(
      'update sent_codes set sent_at = sent_at - 31000 where challenge is null or expires_at = 0',
    );
    const page = await this.#try(() => this.#browser.get(`/authorise/${id}`));
    if (page?.text.includes('name="password"')) await this.#try(() => this.#browser.open(id, 'katerina'));
    else if (page?.text.includes('value="approve"')) return page;
    else if (page && !(await this.#isDecided(id)))
      await this.#try(() =>
        this.#browser.post(`/authorise/${id}/decision`, { ...hiddenFields(page.text), decision: 'send' }),
      );
    return undefined;
  }

  async approve({ id, amount }: { readonly id: string; readonly amount: string }): Promise<void> {
    let isConfirmed = false;
    const until = Date.now() + 120_000;
    while (!(await this.#isDecided(id))) {
      if (Date.now() > until) throw new Error(`stuck: ${id}`);
      const page = await this.#form(id);
      if (!page) continue;
      // The person had confirmed, and must do it again: what they did was lost.
      if (isConfirmed) tally.repeated += 1;
      const decided = await this.#try(() =>
        this.#browser.decide(id, page, { account: account('katerina', 501).id, code: '' }),
      );
      const waiting = decided?.headers.location;
      if (!waiting?.includes('/waiting')) continue;
      isConfirmed = false;
      for (let isOver = false; !isOver && Date.now() < until; ) {
        if (!isConfirmed) isConfirmed = await this.#confirmOnPhone(amount);
        // Polls of several windows share thirty a minute.
        await this.#db.run('delete from recent_times where kind = ?', ['app asked']);
        const answer = await this.#try(() => this.#browser.get(waiting));
        isOver = answer !== undefined && answer.status !== 200;
        if (answer?.text.includes('name="password"')) isOver = true;
      }
    }
  }
}

const engines = bothEngines(
  'a killed node leaves half a transaction: PostgreSQL ends its session and frees its row locks, SQLite rolls back from its log',
);

describe.each(engines.filter((engine) => wanted === undefined || engine === wanted))(
  'approvals in the app while nodes die on %s',
  (engine) => {
    const { nodes, db } = mortalNodes(engine, env);

    it(
      `${APPROVALS}: none twice, none lost, none stuck`,
      async () => {
        Object.assign(tally, { kills: 0, unanswered: 0, repeated: 0 });
        const random = randomOf(SEED);
        const queue = await addPayments(db());
        let done = 0;
        const call = async (turn: number): Promise<void> => {
          const walk = new Walk(nodes, db(), turn);
          for (let next = queue.shift(); next; next = queue.shift()) {
            await walk.approve(next);
            done += 1;
          }
        };
        const callers = Array.from({ length: CALLERS }, (_each, turn) => call(turn));
        await whileNodesDie(nodes, callers, { random, every: PER_KILL, done: () => done, tally });
        const steps = await db().all<{ status: string; approvals: number }>(
          `select c.status, count(h.consent_id) as approvals from consents c
           left join consent_history h on h.consent_id = c.id and h.to_status = 'Valid'
           where c.psu_id = ? and c.kind = 'PaymentInitiation' and c.redirect_uri is not null
           group by c.id, c.status`,
          [psuId('katerina')],
        );
        expect(steps.filter(({ status, approvals }) => status === 'Valid' && approvals === 1)).toHaveLength(
          APPROVALS,
        );
        expect(tally.repeated).toBe(0);
        expect(tally.kills).toBeGreaterThan(0);
        if (process.env.TEST_KILL_APPROVALS) console.log(engine, `seed ${SEED}`, tally);
      },
      Math.max(180_000, APPROVALS * 3000),
    );
  },
);
