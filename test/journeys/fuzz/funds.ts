/** Questions about funds: how one may be asked, and what is wrong with a wrong one. */
import { type DemoAccount, demoPsus } from '../../../packages/sandbox/src/bank/people.js';
import { FUNDS, unknownIban } from '../../support/operations.js';
import type { Random } from './random.js';
import {
  type Change,
  type Draft,
  type Json,
  json,
  put,
  type Rule,
  rule,
  setHeader,
  type Target,
  writeJson,
} from './target.js';

interface Asked {
  readonly psu: string;
  readonly account: DemoAccount;
  readonly isMulti: boolean;
}

/** The savings accounts have consents in other statuses. */
const isSavings = ({ product }: DemoAccount): boolean => product === 'Savings account';

const askable: readonly Asked[] = demoPsus.flatMap(({ username, accounts }) =>
  accounts
    .filter((account) => !isSavings(account))
    .map((account) => ({ psu: username, account, isMulti: account.product.startsWith('Multi') })),
);

/** Of ISO 4217, as far as the demo bank has accounts in them; all others have two. */
const decimals: Readonly<Record<string, number>> = { JPY: 0, KWD: 3 };

const spelledIban = (random: Random, iban: string): string => {
  const cased = random.chance(0.3) ? iban.toLowerCase() : iban;
  return random.chance(0.3) ? cased.replace(/(.{4})/g, '$1 ').trim() : cased;
};

const referenceOf = (random: Random, { account, isMulti }: Asked): Json => {
  const { iban, bban, msisdn, currency } = account;
  const reference: Json = {};
  if (msisdn && random.chance(0.5)) reference.msisdn = random.pick([msisdn, msisdn.replace('+', '00')]);
  if (bban) reference.bban = bban;
  if (iban && (!msisdn || random.chance(0.7) || !reference.msisdn))
    reference.iban = spelledIban(random, iban);
  if (random.chance(isMulti ? 0.5 : 0.2)) reference.currency = currency;
  if (random.chance(0.1)) reference[random.pick(['iban', 'bban', 'msisdn'])] ??= null;
  return reference;
};

/** At most 15 digits, with as many decimals as the currency has. */
const amountOf = (random: Random, currency: string): number => {
  if (random.chance(0.05)) return random.pick([1e15, 1e21, 1e100, 1e300]);
  const minor = 1 + random.int(10 ** random.pick([1, 3, 5, 8, 12, 14]));
  return Number(`${minor}e-${decimals[currency] ?? 2}`);
};

const questionOf = (random: Random, asked: Asked): Json => {
  const reference = referenceOf(random, asked);
  const { currency, cardNumber } = asked.account;
  const mayBeNull = !asked.isMulti || reference.currency !== undefined;
  const isNull = mayBeNull && random.chance(0.2);
  const question: Json = {
    account: reference,
    instructedAmount: { currency: isNull ? null : currency, amount: amountOf(random, currency) },
  };
  if (random.chance(0.4)) question.payee = random.pick([random.text(70), null]);
  if (random.chance(0.4)) question.cardNumber = cardNumber;
  return question;
};

const amount = (more: object) => (body: Json) => {
  body.instructedAmount = { ...(body.instructedAmount as object), ...more };
};

const badQuestions: readonly Change[] = [
  (body) => delete body.account,
  (body) => delete body.instructedAmount,
  put({ account: null }),
  put({ account: { iban: 'GR00' } }),
  put({ account: {}, cardNumber: null }),
  put({ account: { iban: 1 } }),
  put({ account: { bban: 'x'.repeat(31) } }),
  put({ account: { msisdn: 'x' } }),
  put({ payee: 'x'.repeat(71) }),
  put({ payee: 1 }),
  put({ cardNumber: 'x' }),
  put({ instructedAmount: null }),
  amount({ amount: 0 }),
  amount({ amount: -1 }),
  amount({ amount: '1' }),
  amount({ amount: 1.000001 }),
  amount({ amount: 123_456_789_012_345.6 }),
  amount({ currency: 'euro' }),
  amount({ currency: undefined }),
  amount({ constructor: 1 }),
];

const otherCurrency = (body: Json): void => {
  body.account = { ...(body.account as object), currency: undefined };
  body.instructedAmount = { currency: 'CHF', amount: 1 };
};

/** Whose question it is now. */
const askAs = (draft: Draft, psu: string, tokens: Readonly<Record<string, string>>): void =>
  setHeader(draft, 'Authorization', `Bearer ${tokens[psu]}`);

const oneEuro = { currency: null, amount: 1 };

/** The first savings accounts of these people have a consent that is over or not yet decided. */
const undecided = ['eleni', 'nikos', 'maria', 'giorgos', 'katerina'].map((username) => ({
  username,
  iban: demoPsus.find((psu) => psu.username === username)?.accounts.find(isSavings)?.iban ?? '',
}));

/** Two accounts of one person, one by its IBAN and the other by its card. */
const single = askable.filter(({ isMulti }) => !isMulti);
const pairs = single.flatMap(({ psu, account: { iban } }) =>
  single
    .filter((other) => other.psu === psu && other.account.cardNumber && other.account.iban !== iban && iban)
    .map((other) => ({ psu, iban, cardNumber: other.account.cardNumber })),
);

const rules: readonly Rule[] = [
  rule('unknown account', '403 consent-required', json(put({ account: { iban: unknownIban } }))),
  rule('unknown card', '403 consent-required', json(put({ cardNumber: '4111111111111111' }))),
  rule('other holder', '403 consent-required', (draft, _random, { tokens }) =>
    askAs(draft, draft.psu === 'sofia' ? 'kostas' : 'sofia', tokens),
  ),
  rule('state', '403 consent-not-valid', (draft, random, world) => {
    const { username, iban } = random.pick(undecided);
    json((body) => {
      delete body.cardNumber;
      Object.assign(body, { account: { iban }, instructedAmount: oneEuro });
    })(draft, random, world);
    askAs(draft, username, world.tokens);
  }),
  rule('two accounts', '409 reference-conflict', (draft, random, world) => {
    const { psu, iban, cardNumber } = random.pick(pairs);
    json(put({ account: { iban }, cardNumber, instructedAmount: oneEuro }))(draft, random, world);
    askAs(draft, psu, world.tokens);
  }),
  rule('currency', '400 currency-mismatch', json(otherCurrency)),
];

export const confirmFunds: Target = {
  id: 'confirmFunds',
  kind: 'operation',
  method: 'POST',
  success: [200],
  scope: 'piis',
  product: 'piis',
  checks: ['request id', 'session', 'signature'],
  badBodies: badQuestions,
  claims: 'funds',
  rules,
  fill: (draft, random, { tokens }) => {
    const asked = random.pick(askable);
    draft.path = FUNDS;
    draft.psu = asked.psu;
    askAs(draft, asked.psu, tokens);
    draft.json = questionOf(random, asked);
    writeJson(draft, random);
  },
};
