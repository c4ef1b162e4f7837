/** No application can pile up requests before a person: twenty of a kind wait, the next one is refused. */
import { describe, expect, it } from 'vitest';
import { MAX_OPEN } from '../../src/consent/consents.js';
import { DAY, HOUR } from '../../src/lib/clock.js';
import { type Answer, slugOf } from '../support/client.js';
import { racingEngines } from '../support/engines.js';
import { moveBankClock } from '../support/operations.js';
import { type Service, startService } from '../support/service.js';
import { useService } from '../support/use-service.js';
import { created, kinds } from './kinds.js';

const [funds, access, domestic, international] = kinds;

const post = (
  service: Service,
  { create, body }: (typeof kinds)[number],
  as: { psu?: string; application?: string } = {},
): Promise<Answer> => service.call({ method: 'POST', path: create, body, as });

const fill = (service: Service, kind: (typeof kinds)[number], psu: string): Promise<Answer[]> =>
  Promise.all(Array.from({ length: MAX_OPEN + 5 }, () => post(service, kind, { psu })));

const expectRefused = (answer: Answer): void =>
  expect([answer.status, slugOf(answer)]).toEqual([429, 'too-many-open-consents']);

const engines = racingEngines(
  'requests at once count up to one limit: PostgreSQL by an advisory lock, SQLite by its one writer',
);

describe.each(engines)('on %s', (engine) => {
  const use = useService({ engine });

  it.each([
    [funds, 'katerina', 'ConfirmationOfFunds'],
    [access, 'katerina', 'AccountAccess'],
    [domestic, 'katerina', 'PaymentInitiation'],
  ] as const)('of $name 20 wait, however many come at once', async (kind, psu, name) => {
    const answers = await fill(use(), kind, psu);
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(5);
    for (const answer of refused) {
      expectRefused(answer);
      expect(answer.json).toMatchObject({ extensions: { openConsents: { kind: name, limit: MAX_OPEN } } });
    }
  });

  it('all payments are one kind; other kinds, people and applications have room of their own', async () => {
    expectRefused(await post(use(), international, { psu: 'katerina' }));
    expect((await post(use(), domestic, { psu: 'nikos' })).status).toBe(201);
    const application = 'demo-budget-app';
    expect((await post(use(), domestic, { psu: 'katerina', application })).status).toBe(201);
  });

  it('a decision, a deletion, and the end of the day each make room; Retry-After names that moment', async () => {
    const psu = 'giorgos';
    const answers = await fill(use(), funds, psu);
    const [one, other] = answers
      .filter(({ status }) => status === 201)
      .map((each) => created(each).consentId);
    await use().call({
      method: 'POST',
      path: `/sandbox/consents/${one}/decision`,
      body: { decision: 'reject' },
    });
    expect((await post(use(), funds, { psu })).status).toBe(201);
    expectRefused(await post(use(), funds, { psu }));
    await use().call({ method: 'DELETE', path: `${funds.read}/${other}`, as: { psu } });
    expect((await post(use(), funds, { psu })).status).toBe(201);
    const refused = await post(use(), funds, { psu });
    const waitMs = Number(refused.headers['retry-after']) * 1000;
    expect(waitMs).toBeGreaterThan(DAY - HOUR);
    expect(waitMs).toBeLessThanOrEqual(DAY);
    await moveBankClock(use(), `PT${waitMs / 1000}S`);
    expect((await post(use(), funds, { psu })).status).toBe(201);
  });

  it('two nodes keep the limit together', async () => {
    const other = await startService({ databaseUrl: use().databaseUrl });
    const wanted = { method: 'POST', path: funds.create, body: funds.body };
    const answers = await Promise.all(
      Array.from({ length: MAX_OPEN + 10 }, (_, index) =>
        (index % 2 === 0 ? use() : other).call({ ...wanted, as: { psu: 'nikos' } }),
      ),
    );
    await other.close();
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(MAX_OPEN);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(10);
  });
});
