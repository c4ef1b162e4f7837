/** The members of an ATM, as the interface document has them. */
import { UUID } from '../shapes.js';

interface Rule {
  readonly about: string;
  readonly isNullable: boolean;
  readonly test: (value: unknown) => boolean;
}

const isText = (value: unknown): value is string => typeof value === 'string';

const text = (least: number, most: number): Rule => ({
  about: `text of ${least} to ${most} characters`,
  isNullable: true,
  test: (value) => isText(value) && [...value].length >= least && [...value].length <= most,
});

const oneOf = (about: string, names: string): Rule => {
  const values = names.split(' ');
  return { about, isNullable: false, test: (value) => values.includes(String(value)) };
};

const listOf = (about: string, test: (value: unknown) => boolean): Rule => ({
  about,
  isNullable: true,
  test: (value) => Array.isArray(value) && value.every(test),
});

const matching = (about: string, pattern: RegExp): Rule => ({
  about,
  isNullable: true,
  test: (value) => isText(value) && pattern.test(value),
});

const categories = oneOf(
  'one of the 33 categories',
  'Airport BankSpecialisedOutlet BranchExternal BranchInternal BranchLobby BureauDeChange CoachStation CommercialSpaceInternal ConvenienceStore ExhibitionCentre FactoryOrOffice FillingStation FinancialInstitution GovernmentOffice Hospital Hotel KioskPod LeisureCentre PleasurePark PublicHouse RailwayStation RemoteUnit RetailerDepartmentStore RetailerOutlet SeaportTerminal ServiceStation ShoppingCentreExternal ShoppingCentreInternal StorageDepot SupermarketExternal SupermarketInternal UndergroundRailwayStation UniversityOrCollege',
);
const features = oneOf(
  '',
  'AudioCashMachine AutomaticDoors ChairAccess DriveThru ExternalRamp InductionLoop InternalRamp LevelAccess LowerLevelCounter WheelchairAccess',
);
const offered = oneOf(
  '',
  'Balance BillPayments CashDeposits CashWithdrawal CharityDonation ChequeBookRequest ChequeDeposits FastCash MiniStatement MobileBankingRegistration MobilePaymentRegistration MobilePhoneTopUp OrderStatement PINActivation PINChange',
);

export const atmMembers: Readonly<Record<string, Rule>> = {
  id: { ...matching('a UUID', UUID), isNullable: false },
  code: text(1, 32),
  name: text(1, 256),
  description: text(1, 512),
  branchCode: text(1, 32),
  atmid: text(1, 32),
  locationCategory: categories,
  address: {
    about: 'an object',
    isNullable: false,
    test: (value) => typeof value === 'object' && !Array.isArray(value),
  },
  geographicLocation: matching('latitude,longitude', /^-?\d{1,3}\.\d{1,8},-?\d{1,3}\.\d{1,8}$/),
  accessibilityFeatures: listOf('a list of the ten features', features.test),
  supportedLanguages: listOf('a list of texts', isText),
  atmServices: listOf('a list of the fifteen services', offered.test),
  additionalATMServices: listOf('a list of texts', isText),
  currency: listOf('a list of codes of three letters', (value) => isText(value) && /^[A-Z]{3}$/.test(value)),
  minimumValueDispensed: oneOf('ΜΙΝ_5 to ΜΙΝ_100, in Greek letters', 'ΜΙΝ_5 ΜΙΝ_10 ΜΙΝ_20 ΜΙΝ_50 ΜΙΝ_100'),
  telephoneNumber: matching('a number such as +30-2100000000', /^[+][0-9]{1,3}-[0-9()+-]{1,30}$/),
};

export const requiredMembers: ReadonlySet<string> = new Set([
  ...['id', 'atmid', 'address', 'supportedLanguages', 'atmServices', 'currency', 'telephoneNumber'],
]);

export const addressMembers = ['street', 'buildingNumber', 'city', 'postalCode', 'country'];

export const fits = ({ isNullable, test }: Rule, value: unknown): boolean =>
  value === null ? isNullable : test(value);
