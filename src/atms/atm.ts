/**
 * The ATM of the interface document ("ATM", "Address object") as a schema, its type, and its lists of fixed values.
 * Lengths count code points, as JSON Schema does.
 */
import { type Static, Type } from 'typebox';

export const LOCATION_CATEGORIES = [
  'Airport',
  'BankSpecialisedOutlet',
  'BranchExternal',
  'BranchInternal',
  'BranchLobby',
  'BureauDeChange',
  'CoachStation',
  'CommercialSpaceInternal',
  'ConvenienceStore',
  'ExhibitionCentre',
  'FactoryOrOffice',
  'FillingStation',
  'FinancialInstitution',
  'GovernmentOffice',
  'Hospital',
  'Hotel',
  'KioskPod',
  'LeisureCentre',
  'PleasurePark',
  'PublicHouse',
  'RailwayStation',
  'RemoteUnit',
  'RetailerDepartmentStore',
  'RetailerOutlet',
  'SeaportTerminal',
  'ServiceStation',
  'ShoppingCentreExternal',
  'ShoppingCentreInternal',
  'StorageDepot',
  'SupermarketExternal',
  'SupermarketInternal',
  'UndergroundRailwayStation',
  'UniversityOrCollege',
] as const;
export type LocationCategory = (typeof LOCATION_CATEGORIES)[number];

export const ACCESSIBILITY_FEATURES = [
  'AudioCashMachine',
  'AutomaticDoors',
  'ChairAccess',
  'DriveThru',
  'ExternalRamp',
  'InductionLoop',
  'InternalRamp',
  'LevelAccess',
  'LowerLevelCounter',
  'WheelchairAccess',
] as const;
export type AccessibilityFeature = (typeof ACCESSIBILITY_FEATURES)[number];

export const ATM_SERVICES = [
  'Balance',
  'BillPayments',
  'CashDeposits',
  'CashWithdrawal',
  'CharityDonation',
  'ChequeBookRequest',
  'ChequeDeposits',
  'FastCash',
  'MiniStatement',
  'MobileBankingRegistration',
  'MobilePaymentRegistration',
  'MobilePhoneTopUp',
  'OrderStatement',
  'PINActivation',
  'PINChange',
] as const;
export type AtmService = (typeof ATM_SERVICES)[number];

/**
 * All three letters are Greek capitals: mu, iota, nu. They look exactly like Latin "MIN" in an editor, so they are written as
 * escapes: a replacement in the wrong alphabet is visible.
 */
export const MINIMUM_VALUES = [
  '\u039C\u0399\u039D_5',
  '\u039C\u0399\u039D_10',
  '\u039C\u0399\u039D_20',
  '\u039C\u0399\u039D_50',
  '\u039C\u0399\u039D_100',
] as const;
export type MinimumValue = (typeof MINIMUM_VALUES)[number];

/** The document prints both patterns with doubled backslashes; the real ones have single ones. */
export const GEOGRAPHIC_LOCATION_PATTERN = '^-?\\d{1,3}\\.\\d{1,8},-?\\d{1,3}\\.\\d{1,8}$';
export const TELEPHONE_NUMBER_PATTERN = '^[+][0-9]{1,3}-[0-9()+-]{1,30}$';

const text = (description: string, rules: object = {}) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], ...rules, description });

const bounded = (maxLength: number, description: string) => text(description, { minLength: 1, maxLength });

const list = <Item extends string>(description: string, items: object = {}) =>
  Type.Unsafe<Item[] | null>({ type: ['array', 'null'], items: { type: 'string', ...items }, description });

const oneOf = <Item extends string>(values: readonly Item[], description: string) =>
  Type.Unsafe<Item>({ type: 'string', enum: [...values], description });

const AddressSchema = Type.Object(
  {
    street: Type.Optional(text('Street.')),
    buildingNumber: Type.Optional(text('Building number.')),
    city: Type.Optional(text('City.')),
    postalCode: Type.Optional(text('Postal code.')),
    country: text('ISO 3166 alpha-2 country code.'),
  },
  { additionalProperties: false, description: 'Postal address of the ATM.' },
);

export const AtmSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'Unique id of the ATM.' }),
    code: Type.Optional(bounded(32, 'Code by which the branch is known.')),
    name: Type.Optional(bounded(256, 'Name of the ATM.')),
    description: Type.Optional(bounded(512, 'Description of the ATM.')),
    branchCode: Type.Optional(bounded(32, 'Identification of a retail branch.')),
    atmid: bounded(32, 'Terminal device identification for acquirer and issuer; differs from id.'),
    locationCategory: Type.Optional(oneOf(LOCATION_CATEGORIES, 'Kind of place where the ATM stands.')),
    address: AddressSchema,
    geographicLocation: Type.Optional(
      text('Latitude and longitude, separated by a comma.', { pattern: GEOGRAPHIC_LOCATION_PATTERN }),
    ),
    accessibilityFeatures: Type.Optional(
      list<AccessibilityFeature>('Features for people with disabilities.', {
        enum: [...ACCESSIBILITY_FEATURES],
      }),
    ),
    supportedLanguages: list('Languages the ATM supports.'),
    atmServices: list<AtmService>('Services the ATM offers.', { enum: [...ATM_SERVICES] }),
    additionalATMServices: Type.Optional(list('Further services, in free text.')),
    currency: list('Currencies available for dispense.'),
    minimumValueDispensed: Type.Optional(
      oneOf(MINIMUM_VALUES, 'Smallest amount dispensed; the letters are the Greek U+039C U+0399 U+039D.'),
    ),
    telephoneNumber: text('Telephone number.', { pattern: TELEPHONE_NUMBER_PATTERN }),
  },
  { additionalProperties: false, description: 'An automated teller machine.' },
);
export type Atm = Static<typeof AtmSchema>;
export type AtmAddress = Atm['address'];

export const AtmListSchema = Type.Array(AtmSchema, { description: 'All ATMs of the provider.' });

/** The members in the order of the document; it is also the order of the published bytes and of the CSV columns. */
export const ATM_MEMBERS = Object.keys(AtmSchema.properties) as readonly (keyof Atm)[];
export const ADDRESS_MEMBERS = Object.keys(AddressSchema.properties) as readonly (keyof AtmAddress)[];

/** The members whose value is a list. */
export const LIST_MEMBERS = [
  'accessibilityFeatures',
  'supportedLanguages',
  'atmServices',
  'additionalATMServices',
  'currency',
] as const satisfies readonly (keyof Atm)[];
