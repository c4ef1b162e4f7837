/** What comes back every month: wages, pensions, rent, bills, card payments, cash, fees, interest. */
import { derivedId } from 'trapeza/base';
import { internalId } from '../ledger/internal-accounts.js';
import type { Party } from '../ledger/transfer.js';
import { demoBankName } from '../name.js';
import { easterOf } from './calendar.js';
import { machine } from './counterparties.js';
import {
  bankDayUpTo,
  dayOf,
  type Habit,
  type Movement,
  minor,
  pays,
  receives,
  type Scene,
  someDays,
} from './scene.js';

type Range = readonly [least: number, most: number];
type Some = readonly [Party, ...Party[]];

const amountIn = ({ random, account }: Scene, [least, most]: Range): number =>
  minor(least + random.next() * (most - least), account.currency);

/** To ten cents: what stands on a menu. */
const roundAmountIn = ({ random, account }: Scene, [least, most]: Range): number =>
  minor(random.whole(least * 10, most * 10) / 10, account.currency);

const period = ({ month: { year, month } }: Scene): string => `${String(month).padStart(2, '0')}/${year}`;

/** On the last bank day; with the bonuses of Christmas (a wage), Easter and summer (half a wage each). */
export const wage =
  (
    employer: Party,
    net: number,
    options: Partial<Movement> & { readonly hasBonuses?: boolean } = {},
  ): Habit =>
  (scene) => {
    const { year, month } = scene.month;
    const { hasBonuses = true, ...more } = options;
    const paid = (day: number, amount: number, remittance: string) =>
      receives(scene, bankDayUpTo(scene, day), {
        amountMinor: minor(amount, scene.account.currency),
        code: 'PMNT-ICDT-SALA',
        purposeCode: 'SALA',
        other: employer,
        remittance,
        ...more,
      });
    const easter = new Date(easterOf(year));
    return [
      ...paid(31, net, `Μισθοδοσία ${period(scene)}`),
      ...(hasBonuses && month === 12 ? paid(20, net, `Δώρο Χριστουγέννων ${year}`) : []),
      ...(hasBonuses && month === easter.getUTCMonth() + 1
        ? paid(Math.max(1, easter.getUTCDate() - 4), net / 2, `Δώρο Πάσχα ${year}`)
        : []),
      ...(hasBonuses && month === 7 ? paid(15, net / 2, `Επίδομα αδείας ${year}`) : []),
    ];
  };

/** The same sum every month, on the last bank day up to this one. */
export const income =
  (payer: Party, net: number, day: number, remittance: string): Habit =>
  (scene) =>
    receives(scene, bankDayUpTo(scene, day), {
      amountMinor: minor(net, scene.account.currency),
      code: 'PMNT-ICDT-ESCT',
      other: payer,
      remittance: `${remittance} ${period(scene)}`,
    });

interface Regular {
  readonly day: number;
  readonly range: Range;
  readonly remittance: string;
  /** 2 is every second month. */
  readonly every?: number;
  readonly code?: string;
}

const DIRECT_DEBIT = 'PMNT-RDDT-ESDD';

/** One for each account and creditor, as it was signed once. */
const mandateOf = ({ account }: Scene, { iban }: Party): string =>
  `M${derivedId(`mandate:${account.id}:${iban}`).slice(0, 8).toUpperCase()}`;

export const bill =
  (payee: Party, { day, range, remittance, every = 1, code = DIRECT_DEBIT }: Regular): Habit =>
  (scene) =>
    scene.month.month % every === 0
      ? pays(scene, dayOf(scene, day), {
          amountMinor: amountIn(scene, range),
          code,
          other: payee,
          remittance: `${remittance} ${period(scene)}`,
          ...(code === DIRECT_DEBIT ? { mandateId: mandateOf(scene, payee) } : {}),
        })
      : [];

/** A fixed amount to the same account every month. */
export const standingOrder =
  (payee: Party, amount: number, day: number, remittance: string, otherAccount?: string): Habit =>
  (scene) =>
    pays(scene, dayOf(scene, day), {
      amountMinor: minor(amount, scene.account.currency),
      code: 'PMNT-ICDT-STDO',
      other: payee,
      remittance,
      ...(otherAccount ? { otherAccount } : {}),
    });

export const card =
  (shops: Some, count: number, range: Range, isRound = false): Habit =>
  (scene) =>
    someDays(scene, count).flatMap((day) =>
      pays(scene, day, {
        amountMinor: isRound ? roundAmountIn(scene, range) : amountIn(scene, range),
        code: 'PMNT-CCRD-POSD',
        other: scene.random.pick(shops),
        remittance: `Αγορά με κάρτα ${day.date.slice(8)}/${day.date.slice(5, 7)}`,
      }),
    );

/** One unit in euros, some time ago; it moves a little from day to day. */
const rates = { USD: 0.92, GBP: 1.17 } as const;

export const rateOf = ({ random }: Scene, currency: keyof typeof rates): number =>
  Math.round(rates[currency] * (0.975 + random.next() * 0.05) * 10_000) / 10_000;

/** A card payment in another currency, at the rate of the day. */
export const cardAbroad =
  (currency: keyof typeof rates, shops: Some, count: number, range: Range): Habit =>
  (scene) =>
    someDays(scene, count).flatMap((day) => {
      const amountMinor = minor(scene.random.whole(range[0], range[1]) - 0.01, currency);
      const rate = rateOf(scene, currency);
      return pays(scene, day, {
        amountMinor: Math.round(amountMinor * rate),
        code: 'PMNT-CCRD-POSD',
        other: scene.random.pick(shops),
        remittance: `Αγορά με κάρτα ${day.date.slice(8)}/${day.date.slice(5, 7)}`,
        exchange: { currency, amountMinor, rate },
      });
    });

export const cash =
  (count: number, notes: Range): Habit =>
  (scene) =>
    someDays(scene, count).flatMap((day) =>
      pays(scene, day, {
        amountMinor: minor(scene.random.whole(...notes) * 20, scene.account.currency),
        code: 'PMNT-CCRD-CWDL',
        other: machine,
        remittance: 'Ανάληψη μετρητών από ΑΤΜ',
      }),
    );

const BANK: Party = { name: demoBankName.el, iban: null };

export const fee =
  (amount: number, remittance = 'Συνδρομή λογαριασμού'): Habit =>
  (scene) =>
    pays(scene, bankDayUpTo(scene, 31), {
      amountMinor: minor(amount, scene.account.currency),
      code: 'ACMT-MDOP-CHRG',
      other: BANK,
      remittance: `${remittance} ${period(scene)}`,
      otherAccount: internalId('fees', scene.account.currency),
    });

/** Twice a year the bank pays it; for an overdraft the customer pays every month. */
export const interest =
  (range: Range): Habit =>
  (scene) =>
    scene.month.month % 6 === 0
      ? receives(scene, bankDayUpTo(scene, 31), {
          amountMinor: amountIn(scene, range),
          code: 'ACMT-MCOP-INTR',
          other: BANK,
          remittance: `Τόκοι ${scene.month.month === 6 ? 'Α' : 'Β'} εξαμήνου ${scene.month.year}`,
          otherAccount: internalId('interest', scene.account.currency),
        })
      : [];

export const overdraftInterest =
  (range: Range): Habit =>
  (scene) =>
    pays(scene, bankDayUpTo(scene, 31), {
      amountMinor: amountIn(scene, range),
      code: 'ACMT-MDOP-INTR',
      other: BANK,
      remittance: `Χρεωστικοί τόκοι ${period(scene)}`,
      otherAccount: internalId('interest', scene.account.currency),
    });

/** ISO 11649: the check digits make the number with RF00 at its end leave 1. */
const creditorReferenceOf = (number: number): string =>
  `RF${String(98n - (BigInt(`${number}271500`) % 97n)).padStart(2, '0')}${number}`;

/** Every second one has a reference that machines read. */
const invoiceOf = (number: number) => ({
  remittance: `Τιμολόγιο ${number}`,
  ...(number % 2 === 0 ? { creditorReference: creditorReferenceOf(number) } : {}),
});

/** Invoices of a business, paid or received. */
export const invoices =
  (direction: 'paid' | 'received', others: Some, count: number, range: Range): Habit =>
  (scene) =>
    someDays(scene, count).flatMap((day) =>
      (direction === 'paid' ? pays : receives)(scene, day, {
        amountMinor: amountIn(scene, range),
        code: 'PMNT-ICDT-ESCT',
        other: scene.random.pick(others),
        ...invoiceOf(scene.random.whole(1000, 9999)),
      }),
    );
