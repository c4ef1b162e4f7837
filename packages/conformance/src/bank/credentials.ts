/** What the kit is given to try a bank with. Whatever is absent, the cases that need it are not run. */

export interface Application {
  readonly clientId: string;
  readonly subscriptionKey: string;
  readonly clientSecret?: string;
  readonly redirectUri?: string;
  /** A ready token of the person, if there is no way to get one. */
  readonly accessToken?: string;
}

/** PEM files, relative to the file of the credentials. */
export interface KeyFiles {
  readonly certificate: string;
  readonly key: string;
}

export const consentTypes = ['AccountAccess', 'PaymentInitiation', 'ConfirmationOfFunds'] as const;
export type ConsentType = (typeof consentTypes)[number];

export interface KnownConsent {
  readonly type: ConsentType;
  readonly id: string;
  readonly status: string;
}

export interface Account {
  readonly iban: string;
  readonly currency: string;
}

export interface Credentials {
  readonly baseUrl?: string;
  readonly application: Application;
  /** Of another third party, to see that neither reads what is the other's. */
  readonly other?: Application;
  /** May confirm funds and nothing else. */
  readonly limited?: Application;
  /** For mutual TLS. */
  readonly tls?: Partial<KeyFiles> & { readonly ca?: string };
  /** For signatures. */
  readonly seal?: KeyFiles;
  readonly person?: { readonly username: string; readonly password: string };
  /** Of the person; it has at least ten of its currency. */
  readonly account?: Account;
  /** Another one of the person, for which the other application has no consent. */
  readonly spare?: Account;
  /** Of another person at any bank. */
  readonly creditor?: { readonly iban: string; readonly name: string };
  /** Of the first application and the person. */
  readonly consents?: readonly KnownConsent[];
  /** Where the first application is notified, and the port on this machine to which that leads. */
  readonly webhook?: { readonly url: string; readonly port: number };
  /** Whether payments of one unit may be submitted. */
  readonly payments?: boolean;
}

type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const texts = (
  place: string,
  value: unknown,
  required: readonly string[],
  more: readonly string[] = [],
): string[] => {
  if (!isObject(value)) return [`${place} must be an object`];
  return [
    ...required
      .filter((name) => typeof value[name] !== 'string')
      .map((name) => `${place}.${name} is missing`),
    ...more
      .filter((name) => value[name] !== undefined && typeof value[name] !== 'string')
      .map((name) => `${place}.${name} must be text`),
    ...Object.keys(value)
      .filter((name) => !required.includes(name) && !more.includes(name))
      .map((name) => `${place}.${name} is unknown`),
  ];
};

const applicationTexts = (place: string, value: unknown): string[] =>
  texts(place, value, ['clientId', 'subscriptionKey'], ['clientSecret', 'redirectUri', 'accessToken']);

const checks: Readonly<Record<string, (value: unknown) => string[]>> = {
  baseUrl: (value) => (typeof value === 'string' ? [] : ['baseUrl must be text']),
  application: (value) => applicationTexts('application', value),
  other: (value) => applicationTexts('other', value),
  limited: (value) => applicationTexts('limited', value),
  tls: (value) => texts('tls', value, [], ['certificate', 'key', 'ca']),
  seal: (value) => texts('seal', value, ['certificate', 'key']),
  person: (value) => texts('person', value, ['username', 'password']),
  account: (value) => texts('account', value, ['iban', 'currency']),
  spare: (value) => texts('spare', value, ['iban', 'currency']),
  creditor: (value) => texts('creditor', value, ['iban', 'name']),
  consents: (value) =>
    Array.isArray(value)
      ? value.flatMap((each, index) => texts(`consents[${index}]`, each, ['type', 'id', 'status']))
      : ['consents must be a list'],
  webhook: (value) =>
    isObject(value) && typeof value.url === 'string' && Number.isInteger(value.port)
      ? []
      : ['webhook must have a url and a port'],
  payments: (value) => (typeof value === 'boolean' ? [] : ['payments must be true or false']),
};

/** Each in words; none if it can be used. */
export const credentialFaults = (value: unknown): readonly string[] => {
  if (!isObject(value)) return ['it must be an object'];
  return [
    ...(value.application === undefined ? ['application is missing'] : []),
    ...Object.entries(value).flatMap(
      ([name, member]) =>
        checks[name]?.(member) ?? [`${name} is unknown; known are ${Object.keys(checks).join(', ')}`],
    ),
  ];
};
