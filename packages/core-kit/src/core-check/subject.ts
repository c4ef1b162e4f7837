/** What the check must know about the bank under test: whose accounts it may look at, and who may pay whom. */

import { demoAccount, demoPsus } from '@trapeza/sandbox/demo-bank';
import { BankId, Currency, Day, Decimal } from 'trapeza/bank';
import { sentencesOf, validator } from 'trapeza/base';
import { type Static, Type } from 'typebox';

const strict = { additionalProperties: false } as const;
const text = (maxLength: number) => Type.String({ minLength: 1, maxLength });

/** `psuId`: its holder, if that is another person than the subject. */
const Account = Type.Object({ id: BankId, currency: Currency, psuId: Type.Optional(BankId) }, strict);

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

export const Subject = Type.Object(
  {
    psuId: Type.Optional(BankId),
    ownerName: Type.Optional(text(140)),
    accountId: Type.Optional(BankId),
    otherPsuId: Type.Optional(BankId),
    /** A person who confirms in the app of the bank. */
    appPsuId: Type.Optional(BankId),
    otherAccountId: Type.Optional(BankId),
    blockedAccount: Type.Optional(Account),
    closedAccount: Type.Optional(Account),
    username: Type.Optional(text(256)),
    password: Type.Optional(text(1024)),
    from: Type.Optional(Day),
    to: Type.Optional(Day),
    payment: Type.Optional(Transfer),
    /** One that is not settled at once, so that it can be called back. */
    slowPayment: Type.Optional(Transfer),
    foreignTransfer: Type.Optional(Transfer),
  },
  strict,
);
export type Subject = Static<typeof Subject>;

const check = validator(Subject);

/** What is wrong with a written subject, by its members; undefined if nothing is. */
export const subjectFaults = (value: unknown): string | undefined => {
  const faults = check(value);
  return (
    faults &&
    Object.entries(sentencesOf(faults))
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
    otherPsuId: person('anna').id,
    appPsuId: person('katerina').id,
    otherAccountId: demoAccount(902).id,
    blockedAccount: { id: demoAccount(1001).id, currency: 'EUR', psuId: person('ioanna').id },
    closedAccount: { id: demoAccount(602).id, currency: 'EUR', psuId: person('dimitris').id },
    payment: {
      payerAccountId: accountId,
      creditAccount: { iban: payee.iban ?? '' },
      creditorName: person('kostas').name,
      amount: { currency: 'EUR', amount: '0.01' },
      product: 'domestic',
    },
    slowPayment: {
      payerAccountId: accountId,
      creditAccount: { iban: 'TR330006100519786457841326' },
      amount: { currency: 'EUR', amount: '0.01' },
      product: 'international',
    },
    foreignTransfer: {
      creditAccount: { iban: payee.iban ?? '' },
      amount: { currency: 'USD', amount: '10.00' },
      product: 'international',
    },
  };
};
