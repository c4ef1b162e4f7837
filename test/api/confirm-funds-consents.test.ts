/** Operation 1: whose consent opens an account, in which status, until when; and that nothing else can be learned. */
import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ConsentStatus } from '../../src/consent/record.js';
import { DAY, HOUR } from '../../src/lib/clock.js';
import { type Answer, slugOf } from '../support/client.js';
import { addFundsConsent } from '../support/consents.js';
import { engines } from '../support/engines.js';
import {
  ACCOUNTS,
  account,
  BUDGET,
  CARD,
  FUNDS,
  type FundsBody,
  freshToken,
  fundsBody,
  ibanOf,
  moveBankClock,
  resetSandbox,
  shownHeaders,
  unknownIban,
} from '../support/operations.js';
import { type Service, testSecret } from '../support/service.js';
import { type Use, useService } from '../support/use-service.js';

type As = { psu?: string; application?: string; scope?: string };

const ask = (
  service: Service,
  question: Partial<FundsBody>,
  as: As,
  requestId: string = randomUUID(),
): Promise<Answer> =>
  service.call({
    method: 'POST',
    path: FUNDS,
    body: fundsBody(question),
    as,
    headers: { 'X-Request-ID': requestId },
  });

const about = (psu: string, number: number): Partial<FundsBody> => ({
  account: { iban: ibanOf(psu, number) },
});

const shownStatus = (answer: Answer): unknown =>
  (answer.json as { extensions?: { consent?: { status?: unknown } } }).extensions?.consent?.status;

const expectStatus = (answer: Answer, status: ConsentStatus): void => {
  expect([answer.status, slugOf(answer), shownStatus(answer)]).toEqual([403, 'consent-not-valid', status]);
};

const statuses = (service: Use): void => {
  it.each([
    ['Received', 'eleni', 102],
    ['Rejected', 'nikos', 202],
    ['RevokedByPsu', 'maria', 303],
    ['Expired', 'giorgos', 402],
    ['TerminatedByTpp', 'katerina', 502],
  ] as const)('a consent that is %s never confirms funds, and says why', async (status, psu, number) => {
    expectStatus(await ask(service(), about(psu, number), { psu }), status);
  });
};

/** Consents of the second application, newest last. */
const histories: readonly [string, readonly ConsentStatus[], ConsentStatus | 'answered'][] = [
  ['one Valid', ['Valid'], 'answered'],
  ['a Valid one behind a newer revoked one', ['Valid', 'RevokedByPsu'], 'answered'],
  ['a Valid one among many', ['Rejected', 'Expired', 'Valid', 'Received', 'TerminatedByTpp'], 'answered'],
  ['two Valid ones', ['Valid', 'Valid'], 'answered'],
  ['revoked, then asked for again', ['RevokedByPsu', 'Received'], 'Received'],
  ['rejected after an expired one', ['Expired', 'Rejected'], 'Rejected'],
  ['none that lives', ['TerminatedByTpp', 'Rejected', 'RevokedByPsu'], 'RevokedByPsu'],
];

const several = (service: Use): void => {
  const accounts = [
    ['dimitris', 601],
    ['kostas', 801],
    ['anna', 902],
    ['vasilis', 1101],
    ['maria', 303],
    ['giorgos', 401],
    ['katerina', 501],
  ] as const;

  it.each(histories.map((history, index) => [...history, index] as const))(
    '%s: any Valid one wins, else the newest one tells',
    async (_what, all, expected, index) => {
      const [psu, number] = accounts[index] ?? ['', 0];
      for (const [position, status] of all.entries()) {
        const ageMs = (all.length - position) * HOUR;
        const wanted = { psu, application: BUDGET, status, accounts: [account(psu, number)], ageMs };
        await addFundsConsent(service(), wanted);
      }
      const answer = await ask(
        service(),
        { ...about(psu, number), instructedAmount: { currency: 'EUR', amount: 0.01 } },
        { psu, application: BUDGET },
      );
      if (expected === 'answered') expect(answer.json).toEqual({ fundsAvailable: true });
      else expectStatus(answer, expected);
    },
  );
};

const holders = (service: Use): void => {
  it('a joint account answers each of its holders, by the consent of each', async () => {
    const question = { ...about('anna', 901), instructedAmount: { currency: 'EUR', amount: 3120.4 } };
    for (const psu of ['anna', 'petros'])
      expect((await ask(service(), question, { psu })).json).toEqual({ fundsAvailable: true });
  });

  it('a joint account stays closed to a holder without a consent', async () => {
    await addFundsConsent(service(), {
      psu: 'anna',
      application: CARD,
      status: 'Valid',
      accounts: [account('anna', 901)],
    });
    expect((await ask(service(), about('anna', 901), { psu: 'anna', application: CARD })).status).toBe(200);
    const other = await ask(service(), about('anna', 901), { psu: 'petros', application: CARD });
    expect(slugOf(other)).toBe('consent-required');
  });

  it('an application with the card role alone confirms funds by its own consent', async () => {
    const answer = await ask(service(), about('eleni', 101), { psu: 'eleni', application: CARD });
    expect(answer.json).toEqual({ fundsAvailable: true });
  });

  it('an application with another role is not subscribed', async () => {
    const answer = await ask(service(), about('eleni', 101), {
      psu: 'eleni',
      application: ACCOUNTS,
      scope: 'piis',
    });
    expect([answer.status, slugOf(answer)]).toEqual([403, 'product-not-subscribed']);
  });
};

const probes: readonly [string, Partial<FundsBody>, As][] = [
  ['an IBAN of this bank that nobody has', { account: { iban: unknownIban } }, { psu: 'eleni' }],
  ['an IBAN of another bank', { account: { iban: 'DE89370400440532013000' } }, { psu: 'eleni' }],
  ["another holder's IBAN", about('nikos', 201), { psu: 'eleni' }],
  ["another holder's IBAN without a live consent", about('maria', 303), { psu: 'eleni' }],
  ["another holder's blocked account", about('ioanna', 1001), { psu: 'eleni' }],
  [
    'an own account without a consent of this application',
    about('eleni', 102),
    { psu: 'eleni', application: BUDGET },
  ],
  ['a joint account of others', about('anna', 901), { psu: 'eleni' }],
  ['an unknown phone number', { account: { msisdn: '+306900009999' } }, { psu: 'eleni' }],
  ["another holder's phone number", { account: { msisdn: '+306900000801' } }, { psu: 'eleni' }],
  ['an unknown BBAN', { account: { bban: '9990001000000000009999' } }, { psu: 'eleni' }],
  ["another holder's BBAN", { account: { bban: account('sofia', 701).bban } }, { psu: 'eleni' }],
  ['an unknown card', { account: {}, cardNumber: '4111111111111111' }, { psu: 'eleni' }],
  ["another holder's card", { account: {}, cardNumber: account('kostas', 801).cardNumber }, { psu: 'eleni' }],
  ['a currency of an unknown account', { account: { iban: unknownIban, currency: 'USD' } }, { psu: 'eleni' }],
  [
    'a sub-account that does not exist',
    { account: { iban: ibanOf('eleni', 101), currency: 'USD' } },
    { psu: 'eleni' },
  ],
];

const probing = (service: Use): void => {
  it.each(probes)('%s is answered like any other that is not covered', async (_what, question, as) => {
    const requestId = randomUUID();
    const unknown = { account: { iban: unknownIban } };
    const [first, second] = [
      await ask(service(), unknown, { psu: 'eleni' }, requestId),
      await ask(service(), question, as, requestId),
    ];
    expect([first.status, slugOf(first)]).toEqual([403, 'consent-required']);
    expect(second.text).toBe(first.text);
    expect(shownHeaders(second)).toEqual(shownHeaders(first));
    expect(Object.keys(second.headers)).toEqual(Object.keys(first.headers));
  });
};

const time = (service: Use): void => {
  const as = { psu: 'eleni' };

  it('a consent confirms funds to the end of its life and not a moment longer', async () => {
    const wanted = {
      psu: 'anna',
      status: 'Valid',
      accounts: [account('anna', 902)],
      expiresInMs: 10 * DAY,
    } as const;
    await addFundsConsent(service(), { ...wanted, application: BUDGET });
    const anna = { psu: 'anna', application: BUDGET };
    await moveBankClock(service(), 'P9DT23H');
    expect((await ask(service(), about('anna', 902), anna)).json).toEqual({ fundsAvailable: true });
    await moveBankClock(service(), 'PT1H');
    expectStatus(await ask(service(), about('anna', 902), anna), 'Expired');
  });

  it('a consent that nobody decides about within a day counts as rejected', async () => {
    await resetSandbox(service());
    expectStatus(await ask(service(), about('eleni', 102), as), 'Received');
    await moveBankClock(service(), 'PT22H50M');
    expectStatus(await ask(service(), about('eleni', 102), as), 'Received');
    await moveBankClock(service(), 'PT15M');
    expectStatus(await ask(service(), about('eleni', 102), as), 'Rejected');
  });

  it('a year later the seeded consent is over; a reset brings it back', async () => {
    expect((await ask(service(), about('eleni', 101), as)).status).toBe(200);
    await moveBankClock(service(), 'P366D');
    expectStatus(await ask(service(), about('eleni', 101), as), 'Expired');
    await resetSandbox(service());
    expect((await ask(service(), about('eleni', 101), as)).status).toBe(200);
  });

  it('real time ends it as well', async () => {
    service().clock.advance(366 * DAY);
    const answer = await service().call({
      method: 'POST',
      path: FUNDS,
      body: fundsBody(),
      headers: { Authorization: `Bearer ${await freshToken(service())}` },
    });
    expectStatus(answer, 'Expired');
  });
};

const rotated = (service: Use): void => {
  it('a card is found after three changes of the secret, under the one it was stored with', async () => {
    const cardNumber = '5413330089010434';
    // `addFundsConsent` knows only the old secret.
    const wanted = { psu: 'anna', status: 'Valid', accounts: [account('anna', 902)], cardNumber } as const;
    await addFundsConsent(service(), wanted);
    const answer = await ask(service(), { account: {}, cardNumber }, { psu: 'anna' });
    expect(answer.json).toEqual({ fundsAvailable: true });
  });
};

describe.each(engines)('consents of a funds question on %s', (engine) => {
  const service = useService({ engine });
  describe('403 Forbidden: by status', () => statuses(service));
  describe('several consents for one account', () => several(service));
  describe('holders and applications', () => holders(service));
  describe('403 Forbidden: nothing can be probed', () => probing(service));
  describe('time', () => time(useService({ engine })));
  const newer = Array.from({ length: 3 }, () => randomBytes(32).toString('base64'));
  const secrets = [...newer, testSecret].join();
  describe('cards', () => rotated(useService({ engine, env: { TRAPEZA_SECRET: secrets } })));
});
