/**
 * What a payment takes from an account, and which accounts can pay it. Pure: the approval page, the sandbox, the funds check
 * and the submission all ask here, so that what is shown is what is debited.
 */
import { type AccountReference, normalBban, normalIban, normalMsisdn } from '../model/account-reference.js';
import { isCurrency, toMinor } from '../model/amount.js';
import type { CreditorAgent } from '../model/creditor-agent.js';
import type { Price } from '../model/payment-terms.js';
import type { Quote } from '../model/quote.js';
import type { ChargeBearer } from '../model/sepa.js';

/** What the payment consent says, as far as money goes. */
export interface PaymentTerms extends Price {
  readonly currency: string;
  readonly amountMinor: number;
  readonly creditAccount: AccountReference;
  /** In further currencies. */
  readonly otherPrices?: readonly Price[];
}

interface MoneyMember {
  readonly currency?: string | null;
  readonly amount?: number;
}

/** The members of a payment consent's details that the rules need; they were checked when it was staged. */
export interface StagedDetails {
  readonly paymentProduct?: 'domestic' | 'international';
  readonly instructedAmount?: MoneyMember;
  readonly expenses?: MoneyMember;
  readonly creditAccount?: AccountReference;
  readonly creditorName?: string | null;
  readonly creditorAgent?: CreditorAgent;
  readonly chargeBearer?: ChargeBearer;
  readonly endToEndId?: string | null;
  readonly remittanceInformation?: string | null;
}

const minorOf = ({ currency, amount }: MoneyMember = {}, fallback = ''): PaymentTerms['charge'] => ({
  currency: currency ?? fallback,
  amountMinor: amount && isCurrency(currency ?? fallback) ? Number(toMinor(amount, currency ?? fallback)) : 0,
});

export const termsOf = (
  details: StagedDetails,
  quote: Quote | null,
  otherPrices: readonly Price[] = [],
): PaymentTerms => {
  const amount = minorOf(details.instructedAmount);
  return {
    ...amount,
    charge: minorOf(details.expenses, amount.currency),
    creditAccount: details.creditAccount ?? {},
    quote,
    ...(otherPrices.length > 0 ? { otherPrices } : {}),
  };
};

export interface Payable {
  readonly currency: string;
  readonly amountMinor: number;
  readonly chargeMinor: number;
}

/** What an account in this currency pays; undefined if it cannot pay. */
export const payableIn = (terms: PaymentTerms, currency: string): Payable | undefined => {
  const { charge, quote } = terms;
  const inCurrency = charge.currency === currency ? charge.amountMinor : quote?.chargeMinor;
  if (currency === terms.currency)
    return charge.amountMinor === 0 || inCurrency !== undefined
      ? { currency, amountMinor: terms.amountMinor, chargeMinor: inCurrency ?? 0 }
      : undefined;
  const price = [terms, ...(terms.otherPrices ?? [])].find((each) => each.quote?.payCurrency === currency);
  if (!price?.quote) return undefined;
  return { currency, amountMinor: price.quote.payMinor, chargeMinor: price.charge.amountMinor };
};

interface PayerAccount {
  readonly iban: string | null;
  readonly bban: string | null;
  readonly msisdn: string | null;
  readonly currency: string;
  readonly status: 'enabled' | 'blocked' | 'closed';
  readonly mayPay?: boolean | null | undefined;
}

/** Whether the payee's reference names this very account; another currency of the same number is another account. */
export const isPayee = ({ creditAccount, currency }: PaymentTerms, account: PayerAccount): boolean => {
  const { iban, bban, msisdn } = creditAccount;
  const isNumber =
    (!!iban && account.iban === normalIban(iban)) ||
    (!!bban && account.bban === normalBban(bban)) ||
    (!!msisdn && account.msisdn === normalMsisdn(msisdn));
  return isNumber && account.currency === (creditAccount.currency ?? currency);
};

export type PayerFault = 'blocked' | 'closed' | 'mayNotPay' | 'currency' | 'payee';

/** Why an account cannot pay. */
export const payerFault = (terms: PaymentTerms, account: PayerAccount): PayerFault | undefined => {
  if (account.status !== 'enabled') return account.status;
  if (account.mayPay === false) return 'mayNotPay';
  if (isPayee(terms, account)) return 'payee';
  return payableIn(terms, account.currency) ? undefined : 'currency';
};
