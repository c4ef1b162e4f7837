/**
 * The receiving account of a payment: another account of the demo bank, or the nostro account that stands for all other banks.
 */

import type { PaymentInstruction } from 'trapeza/bank';
import { type AccountId, normalBban, normalIban, normalMsisdn, type Queries } from 'trapeza/base';
import { isAtOtherBank } from '../history/counterparties.js';
import { internalId } from '../ledger/internal-accounts.js';
import { type Reason, type Rejection, reject } from './reject.js';

export interface Payee {
  readonly accountId: AccountId;
  /** Money inside the bank arrives at once. */
  readonly isInside: boolean;
  /** Why another bank sends it back. */
  readonly fault: Reason | null;
}

interface Row {
  readonly id: string;
  readonly currency: string;
  readonly status: 'enabled' | 'blocked' | 'closed';
}

const FIND = `
  select id, currency, status from demo_accounts
  where role = 'customer' and (iban = ? or bban = ? or msisdn = ?) order by currency`;

/** The demo bank's own code, in an IBAN and in a BBAN: such an account exists here or not at all. */
const OWN_IBAN = /^GR\d\d999/;
const OWN_BBAN = /^999\d{20}$/;
/** The bank of the people and companies that customers deal with; of no other one anything is known. */
const NEIGHBOUR_IBAN = /^GR\d\d998/;

const outside = (iban: string | null, currency: string): Payee => ({
  accountId: internalId('nostro', currency),
  isInside: false,
  fault: iban !== null && NEIGHBOUR_IBAN.test(iban) && !isAtOtherBank(iban) ? 'payee-unknown-there' : null,
});

export const findPayee = async (
  tx: Queries,
  { creditAccount, currency, payer }: PaymentInstruction,
): Promise<Payee | Rejection> => {
  const iban = creditAccount.iban ? normalIban(creditAccount.iban) : null;
  const bban = creditAccount.bban ? normalBban(creditAccount.bban) : null;
  const msisdn = creditAccount.msisdn ? normalMsisdn(creditAccount.msisdn) : null;
  const rows = await tx.all<Row>(FIND, [iban, bban, msisdn]);
  if (rows.length === 0) {
    const isOurs = iban === null ? bban === null || OWN_BBAN.test(bban) : OWN_IBAN.test(iban);
    return isOurs ? reject('payee-unknown') : outside(iban, currency);
  }
  const found = rows.find((row) => row.currency === currency);
  if (!found) return reject('payee-currency');
  if (found.status === 'closed') return reject('payee-closed');
  if (found.status === 'blocked') return reject('payee-blocked');
  return found.id === payer.id
    ? reject('same-account')
    : { accountId: found.id, isInside: true, fault: null };
};
