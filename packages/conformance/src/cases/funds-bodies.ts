/** The body of a funds confirmation request: what is refused in it, and what is unusual and right all the same. */
import type { Bank } from '../bank/bank.js';
import { confirmFunds, fundsBody } from '../bank/operations.js';
import { type Case, type Clause, document, profile } from '../case.js';
import { demandAccepted, demandStatus, isAccepted } from '../shapes.js';
import { need } from '../verdict.js';

const REQUEST = document('Resources, funds confirmation request');
const area = 'funds';

type Body = Record<string, unknown>;
type Change = (good: Body, bank: Bank) => unknown;

const inside = (good: Body, name: string, members: Body): Body => ({
  ...good,
  [name]: { ...(good[name] as Body), ...members },
});

/** [name, title, clause, change of a good body]. */
const malformed: readonly (readonly [string, string, Clause, Change])[] = [
  [
    'unknown-member',
    'a member that the request does not have',
    REQUEST,
    (good) => ({ ...good, colour: 'red' }),
  ],
  [
    'unknown-account-member',
    'a member that the account reference does not have',
    document('Resources, account reference'),
    (good) => inside(good, 'account', { branch: '1' }),
  ],
  [
    'unknown-amount-member',
    'a member that the amount does not have',
    document('Resources, amount'),
    (good) => inside(good, 'instructedAmount', { unit: 'x' }),
  ],
  ['account-missing', 'no account', REQUEST, ({ instructedAmount }) => ({ instructedAmount })],
  ['amount-missing', 'no instructed amount', REQUEST, ({ account }) => ({ account })],
  [
    'number-missing',
    'an amount without its number',
    document('Resources, amount'),
    (good, bank) => ({ ...good, instructedAmount: { currency: bank.given('account').currency } }),
  ],
  [
    'currency-missing',
    'an amount without its currency',
    document('Resources, amount'),
    (good) => ({ ...good, instructedAmount: { amount: 1 } }),
  ],
  [
    'amount-text',
    'an amount as text instead of a number',
    document('Resources, amount (number)'),
    (good) => inside(good, 'instructedAmount', { amount: '1.00' }),
  ],
  [
    'account-text',
    'an account as text instead of an object',
    document('Resources, account reference (object)'),
    (good, bank) => ({ ...good, account: bank.given('account').iban }),
  ],
  [
    'payee-long',
    'a payee of 71 characters',
    document('Limits 1 (payee at most 70)'),
    (good) => ({ ...good, payee: 'x'.repeat(71) }),
  ],
  [
    'currency-word',
    'a currency that is no code of three letters',
    document('Resources, amount (ISO 4217 alpha-3)'),
    (good) => inside(good, 'instructedAmount', { currency: 'EURO' }),
  ],
  [
    'amount-negative',
    'a negative amount',
    profile('Confirm funds, Amounts'),
    (good) => inside(good, 'instructedAmount', { amount: -1 }),
  ],
  [
    'amount-zero',
    'an amount of zero',
    profile('Confirm funds, Amounts'),
    (good) => inside(good, 'instructedAmount', { amount: 0 }),
  ],
  [
    'amount-fine',
    'more decimals than any currency has',
    profile('Confirm funds, Amounts'),
    (good) => inside(good, 'instructedAmount', { amount: 1.00001 }),
  ],
  [
    'iban-checksum',
    'an IBAN with a wrong checksum',
    profile('Confirm funds, IBAN'),
    (good) => ({ ...good, account: { iban: 'GR0099900010000000000000101' } }),
  ],
  ['not-json', 'a body that is no JSON', document('What the service does (JSON)'), () => '{"account":'],
  ['empty', 'an empty body', REQUEST, () => ''],
  ['list', 'a list instead of an object', REQUEST, (good) => [good]],
];

const malformedCases: readonly Case[] = malformed.map(([name, title, clause, change]) => ({
  id: `funds-${name}`,
  title: `${title} is refused with 400`,
  area,
  clause,
  run: async (bank) => demandStatus(await confirmFunds(bank, change(fundsBody(bank), bank)), 400),
}));

/** What is unusual, and right all the same. */
const accepted: readonly (readonly [string, string, Clause, Change])[] = [
  ['payee', 'a payee of 70 characters', document('Limits 1'), (good) => ({ ...good, payee: 'x'.repeat(70) })],
  [
    'payee-greek',
    'a payee of 70 Greek letters, which are 140 bytes',
    document('Limits 1 (characters)'),
    (good) => ({ ...good, payee: 'ω'.repeat(70) }),
  ],
  [
    'nulls',
    'null for what may be null',
    document('Resources (nullable)'),
    (good) => inside({ ...good, cardNumber: null, payee: null }, 'account', { bban: null, msisdn: null }),
  ],
  [
    'account-currency',
    'the currency beside the account',
    document('Resources, account reference'),
    (good, bank) => inside(good, 'account', { currency: bank.given('account').currency }),
  ],
  [
    'decimals',
    'an amount with two decimals',
    document('Resources, amount (double)'),
    (good) => inside(good, 'instructedAmount', { amount: 1.25 }),
  ],
  [
    'iban-written',
    'an IBAN as it is printed, in groups of four',
    profile('Confirm funds, IBAN'),
    (good, bank) => ({
      ...good,
      account: { iban: bank.given('account').iban.replace(/(.{4})(?=.)/g, '$1 ') },
    }),
  ],
];

const acceptedCases: readonly Case[] = accepted.map(([name, title, clause, change]) => ({
  id: `funds-accepts-${name}`,
  title: `${title} is accepted`,
  area,
  clause,
  run: async (bank) => {
    const good = await confirmFunds(bank);
    need(isAccepted(good), `a good question is answered ${good.status}`);
    demandAccepted(await confirmFunds(bank, change(fundsBody(bank), bank)));
  },
}));

export const fundsBodyCases: readonly Case[] = [...acceptedCases, ...malformedCases];
