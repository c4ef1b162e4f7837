/** What the demo bank charges, exchanges and allows. Its prices are fixed, so that examples come out the same every day. */
import type { Charge, Transfer, TransferKind, TransferTerms } from 'trapeza/bank';
import { exchanged, isIbanInSepa } from 'trapeza/base';

export const HOME = 'EUR';

/** In cents of a euro, for the payer. */
const DOMESTIC = 30;
const international = { sha: 1200, our: 2500, ben: 0 } as const;

export const chargeOf = ({ product, bearer }: TransferKind): Charge => ({
  currency: HOME,
  amountMinor: product === 'domestic' ? DOMESTIC : international[bearer],
});

/** Millionths of a euro for one unit. */
const rates: ReadonlyMap<string, number> = new Map([
  ['USD', 921_300],
  ['GBP', 1_154_200],
  ['CHF', 1_038_700],
  ['JPY', 6_124],
  ['KWD', 2_996_100],
]);

export const rateOf = (currency: string): number | undefined => rates.get(currency);

const inEuro = (amountMinor: number, currency: string): number => {
  const rate = rateOf(currency);
  return rate === undefined ? amountMinor : exchanged(amountMinor, currency, HOME, rate);
};

/** The payee bears what the payer would have shared: it goes off the amount, in its currency. */
export const deductedFrom = ({ product, bearer, currency }: Transfer): number => {
  if (product === 'domestic' || bearer !== 'ben') return 0;
  const rate = rateOf(currency);
  const cents = international.sha;
  return rate === undefined ? cents : exchanged(cents, HOME, currency, Math.round(1_000_000_000_000 / rate));
};

/** What one account can pay in a day through third parties, in cents of a euro. */
export const DAILY_LIMIT = 1_500_000;

export const limitUse = ({ amountMinor, currency }: Transfer): number => inEuro(amountMinor, currency);

const supported = [HOME, ...rates.keys()];

const operations = {
  domestic: 'POST /pis/psd2/v1/transfers/domestic',
  international: 'POST /pis/psd2/v1/transfers/international',
} as const;

/** Domestic is what costs as much as at home: euro to an account in the SEPA area (Regulation (EU) 2021/1230). */
export const faultsOf = (transfer: Transfer): TransferTerms['faults'] => {
  const { product, currency, creditAccount, amountMinor } = transfer;
  const errors: Record<string, string[]> = {};
  const isInSepa = isIbanInSepa(creditAccount);
  if (product === 'domestic' && currency !== HOME)
    errors['instructedAmount.currency'] = [
      `must be EUR; stage other currencies with ${operations.international}`,
    ];
  else if (!supported.includes(currency))
    errors['instructedAmount.currency'] = [`must be one of ${supported.join(', ')}`];
  else if (deductedFrom(transfer) >= amountMinor)
    errors['instructedAmount.amount'] = ['must be greater than the charges that the payee bears'];
  if (product === 'domestic' && isInSepa === false)
    errors['creditAccount.iban'] = [
      `must be in the SEPA area; stage others with ${operations.international}`,
    ];
  if (product === 'international' && currency === HOME && isInSepa)
    errors['creditAccount.iban'] = [
      `must be outside the SEPA area; stage euro to an account in it with ${operations.domestic}`,
    ];
  return errors;
};
