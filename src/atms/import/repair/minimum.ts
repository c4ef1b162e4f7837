/**
 * The smallest amount an ATM dispenses. An amount ("£10", 10, "10.00") becomes the contract's Greek label. A label is
 * compared code point by code point, never normalised: one in look-alike letters is refused, or clients that compare
 * strings would miss it.
 */
import { MINIMUM_VALUES, type MinimumValue } from '../../atm.js';
import { codePoints, quote } from '../show.js';
import type { Ledger } from './ledger.js';

const FIELD = 'minimumValueDispensed';

const byAmount: ReadonlyMap<number, MinimumValue> = new Map(
  MINIMUM_VALUES.map((value) => [Number(value.slice(value.indexOf('_') + 1)), value]),
);
const isLabel = (text: string): text is MinimumValue => (MINIMUM_VALUES as readonly string[]).includes(text);

/** Named currencies only: any three letters would let "MIN 10" pass as an amount. */
const AMOUNT =
  /^(?:[£€$]|EUR|GBP|USD|CHF)?\s{0,3}(\d{1,9}(?:[.,]\d{1,2})?)\s{0,3}(?:[£€$]|EUR|GBP|USD|CHF)?$/i;

const amountOf = (raw: unknown): number | undefined => {
  if (typeof raw === 'number') return raw;
  const digits = typeof raw === 'string' ? AMOUNT.exec(raw.trim())?.[1] : undefined;
  return digits === undefined ? undefined : Number(digits.replace(',', '.'));
};

const EXPECTED = `the letters must be the Greek ${codePoints('\u039C\u0399\u039D')}, followed by _5, _10, _20, _50 or _100`;

export const cleanMinimum = (raw: unknown, ledger: Ledger): MinimumValue | undefined => {
  if (raw === undefined) return undefined;
  if (raw === null || (typeof raw === 'string' && raw.trim() === '')) {
    ledger.change(FIELD, 'has no value; left out');
    return undefined;
  }
  const label = typeof raw === 'string' ? raw.trim() : '';
  if (isLabel(label)) {
    if (label !== raw) ledger.change(FIELD, 'had blanks around it');
    return label;
  }
  const amount = amountOf(raw);
  if (amount !== undefined) return fromAmount(amount, quote(String(raw)), ledger);
  if (typeof raw !== 'string')
    return ledger.refuse(FIELD, 'is neither a label of the contract nor an amount');
  return ledger.refuse(
    FIELD,
    `${quote(raw)} (${codePoints(raw)}) is not a value of the contract: ${EXPECTED}`,
  );
};

const fromAmount = (amount: number, written: string, ledger: Ledger): MinimumValue | undefined => {
  const value = byAmount.get(amount);
  if (value === undefined) ledger.change(FIELD, `${written} is none of 5, 10, 20, 50, 100; left out`);
  else ledger.change(FIELD, `${written} is written ${value} (Greek letters)`);
  return value;
};
