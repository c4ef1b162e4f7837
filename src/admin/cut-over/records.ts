/** The files of a cut-over: what each holds, and a record as it was read. Every value is a text, whatever the file. */

export const cutOverTables = {
  thirdParties: { file: 'third-parties.csv', columns: ['registration', 'name', 'roles'] },
  applications: {
    file: 'applications.csv',
    columns: [
      'clientId',
      'registration',
      'name',
      'redirectUris',
      'clientSecret',
      'clientSecretSha256',
      'jwks',
    ],
  },
  keys: {
    file: 'keys.csv',
    columns: ['clientId', 'slot', 'key', 'keySha256', 'products', 'quotaPerMinute', 'quotaPerDay'],
  },
  consents: {
    file: 'consents.csv',
    columns: [
      ...['id', 'kind', 'clientId', 'psuId', 'createdAt', 'approvedAt', 'expirationDate', 'permissions'],
      ...['recurring', 'frequencyPerDay', 'transactionFrom', 'transactionTo', 'cardNumber', 'purpose'],
    ],
  },
  consentAccounts: {
    file: 'consent-accounts.csv',
    columns: ['consentId', 'accountId', 'iban', 'bban', 'msisdn', 'currency', 'resourceId'],
  },
} as const;

export type CutOverTable = keyof typeof cutOverTables;
export const cutOverNames = Object.keys(cutOverTables) as readonly CutOverTable[];

/** One line of a CSV file, or one member of a list in JSON. */
export interface SourceRecord {
  readonly file: string;
  /** Counted from 1, with the header. In JSON the number of the record. */
  readonly line: number;
  /** Without those that are empty. */
  readonly values: Readonly<Record<string, string>>;
}

export type SourceRecords = Readonly<Record<CutOverTable, readonly SourceRecord[]>>;

export interface CutOverFault {
  readonly file: string;
  readonly line: number;
  readonly field: string;
  readonly reason: string;
  /** What to do about it. */
  readonly remedy: string;
}

/** Collects what is wrong; nothing is written while there is one. */
export class CutOverFaults {
  readonly all: CutOverFault[] = [];

  add({ file, line }: SourceRecord, field: string, reason: string, remedy: string): undefined {
    this.all.push({ file, line, field, reason, remedy });
  }

  /** The value, if it is there. */
  required(record: SourceRecord, field: string): string | undefined {
    const value = record.values[field];
    if (value !== undefined) return value;
    return this.add(record, field, 'is missing', `fill in ${field}`);
  }

  /** The value, if it is there and good. */
  checked(
    record: SourceRecord,
    field: string,
    isGood: (value: string) => boolean,
    remedy: string,
  ): string | undefined {
    const value = record.values[field];
    if (value === undefined || isGood(value)) return value;
    return this.add(record, field, 'cannot be used as it is', remedy);
  }

  /** Reports a second record of the same name. */
  once(known: Map<string, SourceRecord>, name: string, record: SourceRecord, field: string): boolean {
    const first = known.get(name);
    if (!first) {
      known.set(name, record);
      return true;
    }
    this.add(record, field, `is in ${first.file} line ${first.line} already`, 'remove one of the two');
    return false;
  }
}

/** A list in one value: `PSP_AI PSP_IC`. */
export const listIn = (value: string | undefined): string[] => value?.split(/\s+/).filter(Boolean) ?? [];
