/** What the check must know about the bank under test: whose accounts it may look at, and who may pay whom. */
import { type Static, Type } from 'typebox';
import { demoAccount, demoPsus } from '../bank/demo/people.js';
import { BankId, Currency, Day, Decimal } from '../bank/http/contract/shapes.js';
import { validator } from '../http/validate.js';

const strict = { additionalProperties: false } as const;
const text = (maxLength: number) => Type.String({ minLength: 1, maxLength });

const Transfer = Type.Object(
  {
    payerAccountId: Type.Optional(BankId),
    creditAccount: Type.Object(
      { iban: Type.Optional(text(34)), bban: Type.Optional(text(30)), msisdn: Type.Optional(text(16)) },
      strict,
    ),
    creditorName: Type.Optional(text(70)),
    amount: Type.Object({ currency: Currency, amount: Decimal }, strict),
    product: Type.Union([Type.Literal('domestic'), Type.Literal('international')]),
  },
  strict,
);

export const Subject = Type.Partial(
  Type.Object(
    {
      psuId: BankId,
      ownerName: text(140),
      accountId: BankId,
      otherPsuId: BankId,
      otherAccountId: BankId,
      blockedAccountId: BankId,
      closedAccountId: BankId,
      username: text(256),
      password: text(1024),
      from: Day,
      to: Day,
      payment: Transfer,
      foreignTransfer: Transfer,
    },
    strict,
  ),
);
export type Subject = Static<typeof Subject>;

const check = validator(Subject);

/** What is wrong with a subject somebody wrote, by its members; undefined where nothing is. */
export const subjectFaults = (value: unknown): string | undefined => {
  const faults = check(value);
  return (
    faults &&
    Object.entries(faults)
      .map(([at, words]) => `${at} ${words.join(', ')}`)
      .join('; ')
  );
};

const person = (username: string) => {
  const found = demoPsus.find((each) => each.username === username);
  if (!found) throw new Error(`the demo bank has no ${username}`);
  return found;
};

/** The people of the core simulator. */
export const demoSubject = (): Subject => {
  const { id: psuId, name: ownerName, username, password } = person('eleni');
  const { id: accountId } = demoAccount(101);
  const payee = demoAccount(801);
  return {
    psuId,
    ownerName,
    username,
    password,
    accountId,
    otherPsuId: person('kostas').id,
    otherAccountId: payee.id,
    blockedAccountId: demoAccount(1001).id,
    closedAccountId: demoAccount(602).id,
    payment: {
      payerAccountId: accountId,
      creditAccount: { iban: payee.iban ?? '' },
      creditorName: person('kostas').name,
      amount: { currency: 'EUR', amount: '0.01' },
      product: 'domestic',
    },
    foreignTransfer: {
      creditAccount: { iban: payee.iban ?? '' },
      amount: { currency: 'USD', amount: '10.00' },
      product: 'international',
    },
  };
};
