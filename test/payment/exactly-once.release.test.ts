/**
 * One order and one booking for a consent, however often it is submitted: from two processes at once, with repetitions of the
 * same request and callers that give up before the answer. `npm run prove -- payments` is the long run.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Db } from '../../src/store/db.js';
import { openDb } from '../../src/store/open.js';
import { cleanUp } from '../cli/program.js';
import { sandboxToken } from '../support/client.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { bothEngines } from '../support/engines.js';
import {
  addApproved,
  COST,
  demoKey,
  figuresIn,
  ordersIn,
  PaymentNode,
  post,
  type Sent,
  STARTING_MS,
  strayBookings,
} from './nodes.js';
import { orderPath } from './support.js';

const CONSENTS = Number(process.env.TEST_ONCE_CONSENTS ?? 4);
const SUBMISSIONS = Number(process.env.TEST_ONCE_SUBMISSIONS ?? 40);
const wanted = process.env.TEST_ONCE_ENGINE;

const engines = bothEngines(
  'two processes submit one consent at once: PostgreSQL decides by the row, SQLite by the lock of its file',
);

describe.each(engines.filter((engine) => wanted === undefined || engine === wanted))(
  'two processes on %s',
  (engine) => {
    let database: TestDatabase;
    let db: Db;
    let nodes: PaymentNode[] = [];
    beforeAll(async () => {
      database = await createDatabase(engine);
      // One after the other: the first one makes the tables and the demo bank.
      nodes = [await PaymentNode.start(database.url), await PaymentNode.start(database.url)];
      db = await openDb(database.url, 4);
    }, STARTING_MS);
    afterAll(async () => {
      await cleanUp();
      await db?.close();
      await database?.drop();
    });

    /** Callers come in groups of four that share a request id; of the first two of a group, every fifth gives up early. */
    const storm = async (id: string, token: string): Promise<(Sent & { requestId: string })[]> => {
      const requestIds = Array.from({ length: Math.ceil(SUBMISSIONS / 4) }, () => randomUUID());
      const answers = await Promise.all(
        Array.from({ length: SUBMISSIONS }, async (_, index) => {
          const requestId = requestIds[index % requestIds.length] ?? '';
          const headers = {
            'Ocp-Apim-Subscription-Key': demoKey,
            Authorization: `Bearer ${token}`,
            'X-Request-ID': requestId,
          };
          const patience = index % 5 === 0 && index < SUBMISSIONS / 2 ? (index % 7) * 6 : undefined;
          const answer = await post(nodes[index % 2]?.url ?? '', orderPath(id), headers, patience);
          return answer && { ...answer, requestId };
        }),
      );
      return answers.filter((answer) => answer !== undefined);
    };

    const counts = new Map<number, number>();
    /** Whatever a caller is told, nobody is told of two orders. */
    const checkAnswers = (answers: readonly (Sent & { requestId: string })[], orderId: string): void => {
      const good = answers.filter(({ status }) => status === 201);
      for (const { status } of answers) counts.set(status, (counts.get(status) ?? 0) + 1);
      expect(new Set(good.map(({ text }) => text)).size).toBeLessThanOrEqual(1);
      expect(new Set(good.map(({ requestId }) => requestId)).size).toBeLessThanOrEqual(1);
      // A repetition of the request that made the order is never told that somebody else did.
      const repeated = answers.filter(({ requestId }) => requestId === good[0]?.requestId);
      expect(repeated.filter(({ status }) => status === 409)).toEqual([]);
      for (const { text } of good) expect(JSON.parse(text)).toMatchObject({ paymentId: orderId });
      for (const { status, text } of answers)
        if (status === 409 && text.includes('/problems/payment-already-submitted'))
          expect(JSON.parse(text)).toMatchObject({ extensions: { payment: { paymentId: orderId } } });
        else if (status === 409) expect(text).toContain('/problems/request-in-progress');
      // Besides: submitted already, too late for an answer, or too busy for now. Never a fault of ours.
      for (const { status, text } of answers) expect([201, 408, 409, 503], text).toContain(status);
    };

    it(
      `${CONSENTS} consents, ${SUBMISSIONS} submissions each: one order and one booking for every one`,
      async () => {
        const before = await figuresIn(db);
        const since = Date.now();
        const ids = await addApproved(db, CONSENTS);
        let token = await sandboxToken(nodes[0]?.url ?? '');
        const answersOf = new Map<string, (Sent & { requestId: string })[]>();
        for (const [index, id] of ids.entries()) {
          if (index % 20 === 19) token = await sandboxToken(nodes[0]?.url ?? '');
          answersOf.set(id, await storm(id, token));
        }
        const orders = await ordersIn(db);
        expect(orders.length).toBe(CONSENTS);
        expect(new Set(orders.map(({ consentId }) => consentId))).toEqual(new Set(ids));
        for (const { consentId, orderId, bookings } of orders) {
          expect(bookings).toBe(1);
          checkAnswers(answersOf.get(consentId) ?? [], orderId);
        }
        expect(await figuresIn(db)).toEqual({ payer: before.payer - CONSENTS * COST, sum: before.sum });
        expect(await strayBookings(db, since)).toEqual([]);
        expect(counts.get(201)).toBeGreaterThan(0);
        if (process.env.TEST_ONCE_CONSENTS)
          console.log(engine, 'answers by status', Object.fromEntries(counts));
      },
      Math.max(60_000, CONSENTS * SUBMISSIONS * 60),
    );
  },
);
