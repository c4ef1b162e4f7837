/** A repetition that meets its original while that still runs. PostgreSQL alone: SQLite writes one after the other. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { type Answer, slugOf } from '../../support/client.js';
import { hasPostgres } from '../../support/engines.js';
import { FINANCE } from '../../support/operations.js';
import type { Service } from '../../support/service.js';
import { useService, withStore } from '../../support/use-service.js';

const test = it.runIf(hasPostgres);

const TAKE =
  'insert into request_ids (client_id, request_id, fingerprint, used_at, outcome) values (?, ?, ?, ?, null)';

const patient = useService({ engine: 'postgres', env: { TRAPEZA_DEADLINE_MS: '60000' } });
const impatient = useService({ engine: 'postgres', env: { TRAPEZA_DEADLINE_MS: '1500' } });

/** Calls while another transaction has the id in hand, which it gives back once `until` has ended. */
const meet = async (
  service: Service,
  until: (answer: Promise<Answer>) => Promise<unknown>,
): Promise<Answer> => {
  const requestId = randomUUID();
  const rollback = new Error('the original comes to nothing');
  let answer: Promise<Answer> | undefined;
  await withStore(service, (db) =>
    db.transaction(async (tx) => {
      await tx.run(TAKE, [FINANCE, requestId, 'of the original', service.clock.now()]);
      answer = service.call({
        method: 'POST',
        path: '/ais/psd2/v1/consents',
        headers: { 'X-Request-ID': requestId },
        body: { permissions: ['AccountsBasic'] },
        as: { application: FINANCE },
      });
      await until(answer);
      throw rollback;
    }),
  ).catch((error: unknown) => expect(error).toBe(rollback));
  if (!answer) throw new Error('nothing was called');
  return answer;
};

/** Until the call waits for the row. */
const isWaiting = (service: Service) => () =>
  withStore(service, async (db) => {
    for (;;) {
      const row = await db.one<{ waiting: number }>(
        `select count(*) as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      if (Number(row?.waiting) > 0) return;
    }
  });

test('code M6: a repetition within the deadline waits for the original and is answered', async () => {
  expect((await meet(patient(), isWaiting(patient()))).status).toBe(201);
});

test('code M6: a repetition beyond the deadline is 409 request-in-progress and has no effect', async () => {
  const service = impatient();
  const count = () => withStore(service, (db) => db.one<{ n: number }>('select count(*) as n from consents'));
  const before = await count();
  const answer = await meet(service, (asked) => asked);
  expect([answer.status, slugOf(answer)]).toEqual([409, 'request-in-progress']);
  expect(answer.json).toMatchObject({ extensions: { error: { retryable: true } } });
  expect(await count()).toEqual(before);
});
