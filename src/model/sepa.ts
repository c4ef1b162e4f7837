/** The single euro payments area: what is the same inside of it, whichever country an account is in. */
import { isSEPACountry } from 'ibantools';
import { type AccountReference, normalIban } from './account-reference.js';
import type { CreditorAgent } from './creditor-agent.js';

/** Undefined if the account has no IBAN. */
export const isIbanInSepa = ({ iban }: AccountReference): boolean | undefined =>
  iban ? isSEPACountry(normalIban(iban).slice(0, 2)) : undefined;

interface Transfer {
  readonly product: 'domestic' | 'international';
  readonly currency: string;
  readonly creditAccount: AccountReference;
  readonly creditorAgent?: CreditorAgent | undefined;
}

/** From an account of this bank. A domestic payee without IBAN is one of this bank too. */
const staysInSepa = ({ product, currency, creditAccount, creditorAgent }: Transfer): boolean =>
  currency === 'EUR' &&
  (isIbanInSepa(creditAccount) ??
    (creditorAgent ? isSEPACountry(creditorAgent.country) : product === 'domestic'));

export type ChargeBearer = 'sha' | 'our' | 'ben';

export const chargeBearers = ['sha', 'our', 'ben'] as const satisfies readonly ChargeBearer[];

/** PSD2 Art. 62(2): between two accounts of the area each side bears the charges of its own bank, and SEPA knows nothing else. */
export const bearersOf = (transfer: Transfer): readonly ChargeBearer[] =>
  staysInSepa(transfer) ? ['sha'] : chargeBearers;
