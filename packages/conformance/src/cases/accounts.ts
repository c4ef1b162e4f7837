/** Account information: whose data is given, with which consent, and how often. */
import {
  ACCOUNTS,
  accessConsent,
  accountId,
  accountsOf,
  goodRead,
  objectsIn,
  readData,
} from '../bank/access.js';
import type { Bank } from '../bank/bank.js';
import { creationBody, decided, end, stage } from '../bank/consents.js';
import type { Answer } from '../bank/http.js';
import { newId } from '../bank/operations.js';
import { casesOf, complaint, document, law, profile, rfc, type Sketch } from '../case.js';
import { demandStatus, isObject, membersOf } from '../shapes.js';
import { demand, need } from '../verdict.js';

const OWN = law('PSD2 Art. 67(2)(d): only designated accounts, with consent');

const balancesPath = async (bank: Bank): Promise<string> => `${ACCOUNTS}/${await accountId(bank)}/balances`;

const balancesOf = async (bank: Bank) => {
  const balances = objectsIn((await goodRead(bank, await balancesPath(bank))).balances);
  need(balances.length > 0, 'there is no balance in the answer');
  return balances;
};

const contents: readonly Sketch[] = [
  [
    'status',
    'the accounts are answered with 200',
    document('What the service does'),
    async (bank) => demandStatus(await readData(bank, ACCOUNTS), 200),
  ],
  [
    'members',
    'every account has its id and its currency',
    complaint('#68, #85 (required members missing)'),
    async (bank) => {
      const bad = (await accountsOf(bank)).filter(
        ({ resourceId, currency }) => typeof resourceId !== 'string' || !/^[A-Z]{3}$/.test(String(currency)),
      );
      demand(bad.length === 0, 'resourceId and currency', `${bad.length} accounts without`);
    },
  ],
  [
    'ids-opaque',
    'no account id shows an IBAN',
    profile('Account information, Account ids'),
    async (bank) => {
      const bad = (await accountsOf(bank)).filter(
        ({ resourceId, iban }) => typeof iban === 'string' && String(resourceId).includes(iban.slice(4)),
      );
      demand(bad.length === 0, 'ids that show nothing', `${bad.length} that show the IBAN`);
    },
  ],
  [
    'one',
    'an account alone is the same as in the list',
    law('RTS 2018/389 Art. 36(1)(a): the same information'),
    async (bank) => {
      const id = await accountId(bank);
      const listed = (await accountsOf(bank)).find(({ resourceId }) => resourceId === id);
      const { account } = await goodRead(bank, `${ACCOUNTS}/${id}`);
      const isSame =
        isObject(account) && account.iban === listed?.iban && account.currency === listed?.currency;
      demand(isSame, 'the same IBAN and currency', 'others');
    },
  ],
  [
    'unknown',
    'an account id that was never given is not found',
    document('Errors (404)'),
    async (bank) => demandStatus(await readData(bank, `${ACCOUNTS}/${newId()}`), 403, 404),
  ],
  [
    'balances',
    'an account has balances, each a number with its currency',
    document('Resources, amount (number)'),
    async (bank) => {
      const bad = (await balancesOf(bank)).filter(
        ({ balanceAmount }) =>
          !isObject(balanceAmount) ||
          typeof balanceAmount.amount !== 'number' ||
          typeof balanceAmount.currency !== 'string',
      );
      demand(bad.length === 0, 'numbers with currency', `${bad.length} balances without`);
    },
  ],
  [
    'balance-types',
    'every balance says of which kind it is, and no kind is there twice',
    complaint('#68 (required members missing)'),
    async (bank) => {
      const types = (await balancesOf(bank)).map(({ balanceType }) => balanceType);
      const isGood = types.every((type) => typeof type === 'string') && new Set(types).size === types.length;
      demand(isGood, 'different values of balanceType', 'none, or one twice');
    },
  ],
  [
    'no-store',
    'no cache keeps account data',
    rfc('9111, 5.2.2.5 (no-store), for data of one person'),
    async (bank) => {
      const { headers } = await readData(bank, ACCOUNTS);
      demand(/\bno-store\b/.test(headers['cache-control'] ?? ''), 'Cache-Control: no-store', 'none');
    },
  ],
];

const withConsent = (bank: Bank, id: string | null): Promise<Answer> =>
  readData(bank, ACCOUNTS, { headers: { 'Consent-ID': id } });

/** For one sitting, so it takes the place of no other. */
const oneOff = (bank: Bank, permissions: readonly string[]) => ({
  body: { ...creationBody(bank, 'AccountAccess'), permissions },
});

const consents: readonly Sketch[] = [
  [
    'without-consent',
    'no account data without Consent-ID',
    OWN,
    async (bank) => demandStatus(await withConsent(bank, null), 400, 401, 403),
  ],
  [
    'unknown-consent',
    'no account data with a consent that never was',
    OWN,
    async (bank) => demandStatus(await withConsent(bank, newId()), 400, 401, 403, 404),
  ],
  [
    'foreign-consent',
    'no account data with the consent of another third party',
    OWN,
    async (bank) => {
      const headers = { 'Consent-ID': await accessConsent(bank) };
      demandStatus(await bank.call({ as: 'other', path: ACCOUNTS, headers }), 401, 403, 404);
    },
  ],
  [
    'undecided',
    'no account data before the account holder has approved',
    OWN,
    async (bank) => demandStatus(await withConsent(bank, (await stage(bank, 'AccountAccess')).id), 401, 403),
  ],
  [
    'ended',
    'no account data once the third party has ended the consent',
    OWN,
    async (bank) => {
      const { id } = await decided(bank, 'AccountAccess', 'approve');
      const before = await withConsent(bank, id);
      need(before.status === 200, `an approved consent is answered ${before.status}`);
      await end(bank, 'AccountAccess', id);
      demandStatus(await withConsent(bank, id), 401, 403);
    },
  ],
  [
    'withdrawn',
    'no account data once the account holder has withdrawn the consent',
    law('PSD2 Art. 64(3), 67(2)(a): consent may be withdrawn'),
    async (bank) => {
      const { id } = await decided(bank, 'AccountAccess', 'revoke');
      demandStatus(await withConsent(bank, id), 401, 403);
    },
  ],
  [
    'permission',
    'no balances without the permission for balances',
    document('What the service does (data permissions)'),
    async (bank) => {
      const { id } = await decided(bank, 'AccountAccess', 'approve', oneOff(bank, ['AccountsBasic']));
      const headers = { 'Consent-ID': id };
      const accounts = objectsIn(membersOf(await readData(bank, ACCOUNTS, { headers })).accounts);
      need(accounts.length > 0, 'there is no account in the answer');
      const path = `${ACCOUNTS}/${accounts[0]?.resourceId}/balances`;
      demandStatus(await readData(bank, path, { headers }), 401, 403);
    },
  ],
];

/** In the absence of the account holder, with a consent of its own so that no other case is counted. */
const unattended = (bank: Bank): Promise<readonly Answer[]> =>
  bank.once('five reads without the account holder', async () => {
    const body = { ...creationBody(bank, 'AccountAccess'), recurring: true, frequencyPerDay: 4 };
    const { id } = await decided(bank, 'AccountAccess', 'approve', { as: 'other', body });
    const answers: Answer[] = [];
    for (const _ of [1, 2, 3, 4, 5])
      answers.push(await bank.call({ as: 'other', path: ACCOUNTS, headers: { 'Consent-ID': id } }));
    return answers;
  });

const FOUR = law('RTS 2018/389 Art. 36(5)(b): four times a day without the account holder');

const visits: readonly Sketch[] = [
  [
    'four-a-day',
    'four reads a day are answered without the account holder',
    FOUR,
    async (bank) => {
      for (const answer of (await unattended(bank)).slice(0, 4)) demandStatus(answer, 200);
    },
  ],
  [
    'fifth',
    'a fifth read in a day without the account holder is refused with 429',
    FOUR,
    async (bank) => {
      const answers = await unattended(bank);
      need(answers[3]?.status === 200, 'fewer than four are answered');
      demandStatus(answers[4] as Answer, 429);
    },
  ],
  [
    'come-back',
    'the refusal says when to come back',
    profile('Account information, Four a day'),
    async (bank) => {
      const fifth = (await unattended(bank))[4];
      need(fifth?.status === 429, 'a fifth read is not refused');
      demand(Number(fifth?.headers['retry-after']) > 0, 'Retry-After in seconds', 'none');
    },
  ],
  [
    'attended',
    'reads with the account holder present are not counted',
    law('RTS 2018/389 Art. 36(5)(a): whenever the account holder asks'),
    async (bank) => {
      for (const _ of [1, 2, 3, 4, 5, 6]) demandStatus(await readData(bank, ACCOUNTS), 200);
    },
  ],
];

export const accountCases = casesOf('accounts', [...contents, ...consents, ...visits]);
