/** How many unattended reads a consent may have: as the bank says for everybody, or more for one third party; the person sees the number. */
import { expect, it } from 'vitest';
import { setUnattended } from '../../../src/tpp/registry.js';
import { Visitor } from '../../account-pages/approve-support.js';
import { done, slugOf } from '../../support/client.js';
import { approve, BUDGET, FINANCE } from '../../support/operations.js';
import { useService, withStore } from '../../support/use-service.js';
import { readUnattended } from './support.js';

const use = useService({ env: { TRAPEZA_UNATTENDED_PER_DAY: '6' } });

const ask = (frequencyPerDay?: number, application = FINANCE) =>
  use().call({
    method: 'POST',
    path: '/ais/psd2/v1/consents',
    body: {
      permissions: ['AccountsBasic'],
      recurring: true,
      ...(frequencyPerDay ? { frequencyPerDay } : {}),
    },
    as: { application },
  });

const asked = async (...wish: Parameters<typeof ask>): Promise<string> =>
  (done(await ask(...wish)).json as { consentId: string }).consentId;

const give = (application: string, perDay: number | undefined): Promise<void> =>
  withStore(use(), (db) =>
    db.transaction(async (tx) => {
      const find = 'select tpp_id as id from applications where client_id = ?';
      await setUnattended(tx, (await tx.one<{ id: string }>(find, [application]))?.id ?? '', perDay);
    }),
  );

const expectRefused = async (frequencyPerDay: number, max: number, application = FINANCE): Promise<void> => {
  const answer = await ask(frequencyPerDay, application);
  expect([answer.status, slugOf(answer)]).toEqual([400, 'validation-failed']);
  expect(answer.json).toMatchObject({
    errors: { frequencyPerDay: [`must be at most ${max}`] },
    extensions: { errors: { frequencyPerDay: [{ code: 'too-large', max }] } },
  });
};

it('everybody may have what the bank allows, and is counted by it', async () => {
  await expectRefused(7, 6);
  const id = await asked(6);
  await approve(use(), id);
  const access = { id, resourceIds: [], first: '', as: { psu: 'eleni', application: FINANCE } };
  const statuses: number[] = [];
  for (let count = 0; count < 7; count += 1) {
    const answer = await readUnattended(use(), access, '/ais/psd2/v1/accounts');
    statuses.push(answer.status);
    if (count === 0) expect(answer.headers.ratelimit).toMatch(/^"unattended";r=5;/);
  }
  expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 429]);
});

it('one third party may have more, never less; what was approved stays', async () => {
  await give(FINANCE, 24);
  await expectRefused(25, 24);
  await expectRefused(7, 6, BUDGET);
  const id = await asked(24);
  await approve(use(), id);
  for (const less of [4, undefined]) {
    await give(FINANCE, less);
    await expectRefused(7, 6);
  }
  const { json } = await use().call({ path: `/ais/psd2/v1/consents/${id}` });
  expect(json).toMatchObject({ details: { frequencyPerDay: 24 } });
});

it('a recurring consent that does not ask has four', async () => {
  const { json } = await use().call({ path: `/ais/psd2/v1/consents/${await asked()}` });
  expect(json).toMatchObject({ details: { frequencyPerDay: 4 } });
});

it.each([
  ['en', 'up to 6 times a day'],
  ['el', 'έως 6 φορές την ημέρα'],
])('the approval page says how many, in %s', async (lang, words) => {
  const visitor = new Visitor(use());
  const id = await asked(6);
  await visitor.open(id);
  expect((await visitor.get(`/authorise/${id}?lang=${lang}`)).text).toContain(words);
});
