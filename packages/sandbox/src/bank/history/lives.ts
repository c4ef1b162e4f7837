/** The character of each account: what comes back every month, and between which balances it usually moves. */
import { demoAccount } from '../people.js';
import * as others from './counterparties.js';
import {
  bill,
  card,
  cardAbroad,
  cash,
  fee,
  income,
  interest,
  invoices,
  overdraftInterest,
  standingOrder,
  wage,
} from './habits.js';
import { everyday, exchanges, gives, home, type Life, life, partyOf } from './life.js';
import { dayOf, minor, pays } from './scene.js';

const [nikosEur, nikosUsd, nikosGbp] = [demoAccount(201), demoAccount(201, 'USD'), demoAccount(201, 'GBP')];
const business = demoAccount(1101);

const eleni: readonly Life[] = [
  life(
    101,
    [60, 5200],
    [
      wage(others.employers.software, 1640),
      standingOrder(others.landlord, 520, 1, 'Ενοίκιο'),
      ...home(1),
      ...everyday(1.2),
      card(others.fuel, 2, [25, 55]),
      cardAbroad('USD', others.abroad.USD, 1, [6, 25]),
      cardAbroad('GBP', others.abroad.GBP, 1, [8, 60]),
      cash(2, [1, 4]),
      gives(102, 150, 2, 'Αποταμίευση'),
      gives(701, 60, 5, 'Για τη γιαγιά'),
      fee(1.5),
    ],
  ),
  life(102, [500, 20_000], [interest([9, 16])]),
];

const nikos: readonly Life[] = [
  life(
    201,
    [40, 3200],
    [
      wage(others.employers.shipping, 1480),
      standingOrder(others.landlord, 430, 1, 'Ενοίκιο'),
      ...home(0.8),
      ...everyday(0.9),
      cash(2, [1, 5]),
      exchanges(nikosEur, nikosGbp, 'GBP', [4, 9], 2),
      gives(202, 100, 3, 'Αποταμίευση'),
      fee(1.5),
    ],
  ),
  life(
    201,
    [100, 4000],
    [
      wage(others.employersAbroad.USD, 620, { code: 'PMNT-ICDT-XBCT', hasBonuses: false }),
      exchanges(nikosUsd, nikosEur, 'USD', [20, 35], 1),
      card(others.abroad.USD, 5, [6, 60]),
    ],
    'USD',
  ),
  life(201, [0, 400], [card(others.abroad.GBP, 2, [4, 24])], 'GBP'),
  life(202, [300, 12_000], [interest([4, 8])]),
];

const maria: readonly Life[] = [
  life(
    301,
    [5000, 420_000],
    [
      wage(others.employersAbroad.JPY, 46_000, { code: 'PMNT-ICDT-XBCT', hasBonuses: false }),
      card(others.abroad.JPY, 6, [700, 14_000]),
    ],
    'JPY',
  ),
  life(
    302,
    [200, 9000],
    [
      wage(others.employersAbroad.KWD, 720, { code: 'PMNT-ICDT-XBCT', hasBonuses: false }),
      card(others.abroad.KWD, 9, [2, 48]),
      cash(1, [1, 3]),
      fee(0.75),
    ],
    'KWD',
  ),
  life(
    303,
    [50, 2500],
    [income({ ...others.otherBank, name: 'Μαρία Οικονόμου' }, 40, 8, 'Αποταμίευση'), interest([1, 2])],
  ),
];

const giorgos: readonly Life[] = [
  life(
    401,
    [0, 700],
    [
      income(others.scholarships, 210, 5, 'Υποτροφία'),
      card(others.groceries, 4, [4, 22]),
      card(others.cafes, 6, [2, 6], true),
      card(others.transport, 3, [1, 9], true),
      cash(1, [1, 2]),
    ],
  ),
  life(402, [0, 500], []),
];

const katerina: readonly Life[] = [
  life(
    501,
    [-940, 900],
    [
      wage(others.employers.clinic, 1090),
      standingOrder(others.landlord, 390, 1, 'Ενοίκιο'),
      ...home(0.8),
      ...everyday(1),
      cash(2, [1, 4]),
      overdraftInterest([1, 6]),
      gives(502, 20, 3, 'Αποταμίευση'),
      fee(1.5),
    ],
  ),
  life(502, [0, 450], [interest([0.1, 0.4])]),
];

const dimitris: readonly Life[] = [
  life(
    601,
    [30, 3000],
    [
      wage(partyOf(business), 1310, { otherAccount: business.id }),
      standingOrder(others.landlord, 410, 1, 'Ενοίκιο'),
      ...home(0.9),
      ...everyday(1),
      card(others.fuel, 2, [20, 50]),
      cash(2, [2, 6]),
      fee(1.5),
    ],
  ),
  life(602, [0, 1500], []),
];

const family: readonly Life[] = [
  life(
    901,
    [200, 6000],
    [
      wage(others.employers.printing, 1520),
      standingOrder(others.landlord, 640, 1, 'Ενοίκιο'),
      bill(others.school, {
        day: 4,
        range: [180, 180],
        remittance: 'Παιδικός σταθμός',
        code: 'PMNT-ICDT-STDO',
      }),
      ...home(1.5),
      ...everyday(1.7),
      card(others.fuel, 3, [25, 60]),
      cash(2, [2, 5]),
      fee(2),
    ],
  ),
  life(
    902,
    [25, 1800],
    [
      wage(others.employers.school, 1210),
      gives(901, 600, 1, 'Για το σπίτι'),
      ...everyday(0.8),
      cardAbroad('GBP', others.abroad.GBP, 1, [5, 45]),
      cash(1, [1, 4]),
      fee(1.5),
    ],
  ),
];

const company: Life = life(
  1101,
  [60_000_000, 130_000_000],
  [
    invoices('received', others.clients, 14, [40_000, 620_000]),
    invoices('paid', others.suppliers, 12, [18_000, 480_000]),
    bill(others.insurance, {
      day: 28,
      range: [88_000, 92_000],
      remittance: 'Ασφαλιστικές εισφορές',
      code: 'PMNT-ICDT-ESCT',
    }),
    bill(others.treasury, { day: 26, range: [140_000, 260_000], remittance: 'ΦΠΑ', code: 'PMNT-ICDT-ESCT' }),
    (scene) =>
      pays(scene, dayOf(scene, 27), {
        amountMinor: minor(310_000 + scene.random.whole(0, 9_000), 'EUR'),
        code: 'PMNT-ICDT-SALA',
        other: { name: 'Μισθοδοσία προσωπικού', iban: null },
        remittance: 'Μισθοδοσία',
      }),
    cardAbroad('USD', others.abroad.USD, 2, [900, 4200]),
    fee(45),
  ],
);

export const lives: readonly Life[] = [
  ...eleni,
  ...nikos,
  ...maria,
  ...giorgos,
  ...katerina,
  ...dimitris,
  life(
    701,
    [20, 1400],
    [
      income(others.pensions, 680, 27, 'Σύνταξη'),
      ...home(0.7),
      card(others.groceries, 6, [5, 32]),
      card(others.pharmacies, 3, [4, 30]),
      cash(2, [2, 7]),
      fee(1.5),
    ],
  ),
  life(
    801,
    [50, 2200],
    [
      income(others.pensions, 1180, 27, 'Σύνταξη'),
      ...home(1),
      ...everyday(0.8),
      cash(2, [2, 5]),
      gives(401, 180, 29, 'Χαρτζιλίκι'),
      fee(1.5),
    ],
  ),
  ...family,
  life(
    1001,
    [300, 7500],
    [wage(others.employers.weaving, 1150), ...home(1), ...everyday(0.9), cash(1, [1, 4]), fee(1.5)],
  ),
  company,
];
