/** The legs of a payment: the amount, its exchange, and the charges of the party that bears them. Each leg has one currency. */

import type { PaymentInstruction } from 'trapeza/bank';
import { fromMinor, normalBban, normalIban } from 'trapeza/base';
import { internalId } from '../ledger/internal-accounts.js';
import type { PostedLeg } from '../ledger/post.js';
import { accountParty, fromMicros, type Party } from '../ledger/transfer.js';
import { demoBankName } from '../name.js';
import { deductedFrom } from './tariff.js';

const CHARGES = { name: demoBankName.el, iban: null } as const;

interface Parties {
  readonly payer: Party;
  readonly payee: Party;
}

/** What the payer gave as the other account comes back in the entry. */
const partiesOf = ({ payer, creditorName, creditAccount, creditorAgent }: PaymentInstruction): Parties => ({
  payer: accountParty(payer, payer.ownerName),
  payee: {
    name: creditorName,
    iban: creditAccount.iban ? normalIban(creditAccount.iban) : null,
    bban: creditAccount.bban ? normalBban(creditAccount.bban) : null,
    currency: creditAccount.currency ?? null,
    agent: creditorAgent ?? null,
  },
});

/** Book transfer inside the bank, SEPA transfer in euro, cross-border transfer for the rest. */
const codeOf = ({ product }: PaymentInstruction, isInside: boolean): string => {
  if (isInside) return 'PMNT-ICDT-BOOK';
  return product === 'domestic' ? 'PMNT-ICDT-ESCT' : 'PMNT-ICDT-XBCT';
};

/** The payer pays in the currency of the transfer, or its exchange account stands between. */
const amountLegs = (instruction: PaymentInstruction, payeeId: string): PostedLeg[] => {
  const { id: paymentId, payer, amountMinor, currency, quote } = instruction;
  const { endToEndId, remittance } = instruction;
  const isInside = payeeId !== internalId('nostro', currency);
  const shared = { ...partiesOf(instruction), code: codeOf(instruction, isInside), endToEndId, remittance };
  if (payer.currency === currency)
    return [{ ...shared, paymentId, debit: payer.id, credit: payeeId, amountMinor }];
  if (!quote) throw new Error('a payment in another currency than its account needs a quote');
  const exchange = { currency, amountMinor, rate: fromMicros(quote.rateMicros) };
  return [
    {
      ...shared,
      paymentId,
      debit: payer.id,
      credit: internalId('exchange', quote.payCurrency),
      amountMinor: quote.payMinor,
      exchange,
    },
    { ...shared, debit: internalId('exchange', currency), credit: payeeId, amountMinor },
  ];
};

/** Charges are earned in euro; an account in another currency pays them at the quote. */
const chargeLegs = (instruction: PaymentInstruction): PostedLeg[] => {
  const { id: paymentId, payer, charge, quote } = instruction;
  if (charge.amountMinor === 0) return [];
  const { payer: from } = partiesOf(instruction);
  const shared = { code: 'PMNT-ICDT-CHRG', payer: from, payee: CHARGES, remittance: 'Έξοδα μεταφοράς' };
  const fees = internalId('fees', charge.currency);
  if (payer.currency === charge.currency)
    return [{ ...shared, paymentId, debit: payer.id, credit: fees, amountMinor: charge.amountMinor }];
  if (!quote) throw new Error('charges in another currency than the account need a quote');
  const exchange = {
    currency: charge.currency,
    amountMinor: charge.amountMinor,
    rate: fromMinor(quote.chargeMinor, payer.currency) / fromMinor(charge.amountMinor, charge.currency),
  };
  return [
    {
      ...shared,
      paymentId,
      debit: payer.id,
      credit: internalId('exchange', payer.currency),
      amountMinor: quote.chargeMinor,
      exchange,
    },
    {
      ...shared,
      debit: internalId('exchange', charge.currency),
      credit: fees,
      amountMinor: charge.amountMinor,
    },
  ];
};

/** What the payee bears leaves its account as soon as the amount has arrived; of another bank's payee, before it goes there. */
const deductionLegs = (instruction: PaymentInstruction, payeeId: string): PostedLeg[] => {
  const amountMinor = deductedFrom(instruction);
  if (amountMinor === 0) return [];
  const { payee } = partiesOf(instruction);
  const shared = { code: 'PMNT-ICDT-CHRG', payer: payee, payee: CHARGES, remittance: 'Έξοδα δικαιούχου' };
  return [{ ...shared, debit: payeeId, credit: internalId('fees', instruction.currency), amountMinor }];
};

/** Those that the payer pays name the order, so that they are found among the account's transactions. */
export const legsOf = (instruction: PaymentInstruction, payeeId: string): readonly PostedLeg[] => [
  ...amountLegs(instruction, payeeId),
  ...chargeLegs(instruction),
  ...deductionLegs(instruction, payeeId),
];
