/** What the machines of the demo bank can do, by kind. A null or missing member is meant: clients must cope with both. */
import { type Atm, MINIMUM_VALUES } from 'trapeza/extend';

const [FROM_5, FROM_10, FROM_20, FROM_50, FROM_100] = MINIMUM_VALUES;

type Kit = Pick<Atm, 'supportedLanguages' | 'atmServices' | 'currency'> &
  Partial<
    Pick<Atm, 'description' | 'accessibilityFeatures' | 'additionalATMServices' | 'minimumValueDispensed'>
  >;

export type KitName =
  | 'branch'
  | 'lobby'
  | 'street'
  | 'drive'
  | 'store'
  | 'market'
  | 'travel'
  | 'airport'
  | 'exchange'
  | 'resort'
  | 'health'
  | 'campus'
  | 'remote';

export const kits: Readonly<Record<KitName, Kit>> = {
  branch: {
    description: 'Στην πρόσοψη του καταστήματος, όλο το 24ωρο.',
    accessibilityFeatures: ['AudioCashMachine', 'LevelAccess', 'WheelchairAccess'],
    supportedLanguages: ['el', 'en'],
    atmServices: [
      'Balance',
      'BillPayments',
      'CashDeposits',
      'CashWithdrawal',
      'FastCash',
      'MiniStatement',
      'PINActivation',
      'PINChange',
    ],
    additionalATMServices: ['Ανάληψη χωρίς κάρτα', 'Πληρωμή λογαριασμών με κωδικό QR'],
    currency: ['EUR'],
    minimumValueDispensed: FROM_5,
  },
  lobby: {
    description: 'Στον προθάλαμο του καταστήματος· η πόρτα ανοίγει με κάρτα.',
    accessibilityFeatures: [
      'AudioCashMachine',
      'AutomaticDoors',
      'InternalRamp',
      'LowerLevelCounter',
      'WheelchairAccess',
    ],
    supportedLanguages: ['el', 'en', 'sq'],
    atmServices: [
      'Balance',
      'BillPayments',
      'CashDeposits',
      'CashWithdrawal',
      'ChequeBookRequest',
      'ChequeDeposits',
      'MiniStatement',
      'OrderStatement',
      'PINActivation',
      'PINChange',
    ],
    additionalATMServices: ['Κατάθεση κερμάτων'],
    currency: ['EUR'],
    minimumValueDispensed: FROM_5,
  },
  street: {
    accessibilityFeatures: ['ExternalRamp'],
    supportedLanguages: ['el', 'en'],
    atmServices: ['Balance', 'CashWithdrawal', 'FastCash'],
    currency: ['EUR'],
    minimumValueDispensed: FROM_10,
  },
  drive: {
    description: 'Εξυπηρέτηση από το αυτοκίνητο.',
    accessibilityFeatures: ['DriveThru'],
    supportedLanguages: ['el', 'en'],
    atmServices: ['Balance', 'CashWithdrawal', 'FastCash'],
    additionalATMServices: null,
    currency: ['EUR'],
    minimumValueDispensed: FROM_20,
  },
  store: {
    description: null,
    accessibilityFeatures: ['AutomaticDoors', 'ChairAccess', 'LevelAccess'],
    supportedLanguages: ['el', 'en'],
    atmServices: ['Balance', 'CashWithdrawal', 'MobilePhoneTopUp'],
    additionalATMServices: null,
    currency: ['EUR'],
    minimumValueDispensed: FROM_20,
  },
  market: {
    accessibilityFeatures: ['LevelAccess', 'WheelchairAccess'],
    supportedLanguages: ['el', 'en'],
    atmServices: ['Balance', 'BillPayments', 'CashDeposits', 'CashWithdrawal', 'CharityDonation'],
    currency: ['EUR'],
    minimumValueDispensed: FROM_10,
  },
  travel: {
    description: 'Δίπλα στα εκδοτήρια εισιτηρίων.',
    accessibilityFeatures: ['LevelAccess', 'WheelchairAccess'],
    supportedLanguages: ['el', 'en', 'de', 'it'],
    atmServices: ['Balance', 'CashWithdrawal', 'FastCash', 'MobilePhoneTopUp'],
    currency: ['EUR'],
    minimumValueDispensed: FROM_20,
  },
  airport: {
    description: 'Στην αίθουσα αφίξεων.',
    accessibilityFeatures: [
      'AudioCashMachine',
      'AutomaticDoors',
      'InductionLoop',
      'LevelAccess',
      'WheelchairAccess',
    ],
    supportedLanguages: ['el', 'en', 'de', 'fr', 'it', 'es'],
    atmServices: ['Balance', 'CashWithdrawal', 'FastCash'],
    additionalATMServices: ['Ανάληψη σε ξένο νόμισμα'],
    currency: ['EUR', 'USD', 'GBP'],
    minimumValueDispensed: FROM_50,
  },
  exchange: {
    description: 'Αγορά και πώληση συναλλάγματος.',
    accessibilityFeatures: [],
    supportedLanguages: ['el', 'en', 'de', 'fr', 'it', 'tr'],
    atmServices: ['CashWithdrawal'],
    additionalATMServices: ['Ανάληψη σε ξένο νόμισμα'],
    currency: ['EUR', 'USD', 'GBP'],
    minimumValueDispensed: FROM_100,
  },
  resort: {
    supportedLanguages: ['el', 'en', 'de', 'fr'],
    atmServices: ['Balance', 'CashWithdrawal', 'FastCash', 'PINChange'],
    additionalATMServices: [],
    currency: ['EUR'],
    minimumValueDispensed: FROM_20,
  },
  health: {
    description: 'Στην κεντρική είσοδο του νοσοκομείου.',
    accessibilityFeatures: [
      'AudioCashMachine',
      'AutomaticDoors',
      'LevelAccess',
      'LowerLevelCounter',
      'WheelchairAccess',
    ],
    supportedLanguages: ['el', 'en'],
    atmServices: ['Balance', 'BillPayments', 'CashWithdrawal', 'CharityDonation'],
    currency: ['EUR'],
    minimumValueDispensed: FROM_5,
  },
  campus: {
    description: null,
    accessibilityFeatures: ['ExternalRamp', 'WheelchairAccess'],
    supportedLanguages: ['el', 'en'],
    atmServices: [
      'Balance',
      'BillPayments',
      'CashWithdrawal',
      'MobileBankingRegistration',
      'MobilePaymentRegistration',
      'MobilePhoneTopUp',
    ],
    currency: ['EUR'],
    minimumValueDispensed: FROM_5,
  },
  remote: {
    accessibilityFeatures: null,
    supportedLanguages: null,
    atmServices: ['CashWithdrawal'],
    currency: ['EUR'],
  },
};
