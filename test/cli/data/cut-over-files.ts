/** The files of a cut-over of any size, and ten faults to plant in them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { composeIBAN } from 'ibantools';
import { derivedId } from '../../../src/lib/id.js';
import { account, psuId } from '../../support/operations.js';

export interface CutOverFiles {
  readonly parties: string[];
  readonly applications: string[];
  readonly keys: string[];
  readonly consents: string[];
  readonly accounts: string[];
}

const names: Readonly<Record<keyof CutOverFiles, string>> = {
  parties: 'third-parties.csv',
  applications: 'applications.csv',
  keys: 'keys.csv',
  consents: 'consents.csv',
  accounts: 'consent-accounts.csv',
};

export const keyOf = (party: number): string => `imported-key-of-party-${party}`;
export const consentId = (number: number): string => derivedId(`cut-over ${number}`);
const ibanOf = (number: number): string =>
  composeIBAN({ countryCode: 'GR', bban: `0110125${String(number).padStart(16, '0')}` }) ?? '';

const TIMES = '2026-06-01T08:00:00Z,2026-06-01T08:05:00Z';

const consentLine = (id: string, number: number, party: number): string =>
  number % 2 === 0
    ? `${id},ConfirmationOfFunds,app-${party},person-${number},${TIMES},,,,`
    : `${id},AccountAccess,app-${party},person-${number},${TIMES},2099-12-31,AccountsBasic Balances,true,4`;

/** The first consent is of the demo bank's first account holder. */
export const makeFiles = (parties: number, consents: number): CutOverFiles => {
  const each = <T>(count: number, make: (index: number) => T): T[] =>
    Array.from({ length: count }, (_, i) => make(i));
  const { id, iban } = account('eleni', 101);
  return {
    parties: [
      'registration,name,roles',
      ...each(parties, (i) => `PSDGR-BOG-9${i},"Τρίτος, ${i}",${i === 1 ? 'PSP_IC' : 'PSP_AI PSP_IC'}`),
    ],
    applications: [
      'clientId,registration,name,redirectUris,clientSecretSha256',
      ...each(
        parties,
        (i) => `app-${i},PSDGR-BOG-9${i},App ${i},https://app${i}.example/back,${'ab'.repeat(32)}`,
      ),
    ],
    keys: ['clientId,slot,key,keySha256', ...each(parties, (i) => `app-${i},primary,${keyOf(i)},`)],
    consents: [
      'id,kind,clientId,psuId,createdAt,approvedAt,expirationDate,permissions,recurring,frequencyPerDay',
      `${consentId(0)},ConfirmationOfFunds,app-0,${psuId('eleni')},${TIMES},,,,`,
      // The second third party has one role alone.
      ...each(consents - 1, (i) => consentLine(consentId(i + 1), i + 1, i % 2 === 1 ? i % parties : 0)),
    ],
    accounts: [
      'consentId,accountId,iban,currency,resourceId',
      `${consentId(0)},${id},${iban},EUR,`,
      ...each(consents - 1, (i) => `${consentId(i + 1)},core-${i},${ibanOf(i)},EUR,resource-${i}`),
    ],
  };
};

/** Adds a faulty line and returns where it is. */
const plant = (files: CutOverFiles, table: keyof CutOverFiles, line: string, field: string): string => {
  files[table].push(line);
  return `${names[table]}:${files[table].length} ${field}`;
};

export const plantFaults = (files: CutOverFiles): string[] => {
  const [expired, roleless] = [derivedId('expired'), derivedId('roleless')];
  const places = [
    plant(files, 'parties', 'PSDGR-BOG-ODD,Odd,PSP_XX', 'roles'),
    plant(files, 'parties', 'PSDGR-BOG-90,Again,PSP_AI', 'registration'),
    plant(
      files,
      'applications',
      `odd-1,PSDGR-BOG-90,Odd,http://odd.example,${'ab'.repeat(32)}`,
      'redirectUris',
    ),
    plant(
      files,
      'applications',
      `odd-2,PSDGR-NONE,Odd,https://odd.example,${'ab'.repeat(32)}`,
      'registration',
    ),
    plant(files, 'keys', 'app-0,secondary,,', 'key'),
    plant(files, 'keys', `app-1,secondary,${keyOf(0)},`, 'key'),
    plant(files, 'consents', consentLine('not-a-uuid', 2, 0), 'id'),
    plant(files, 'consents', consentLine(expired, 1, 0).replace('2099', '2020'), 'expirationDate'),
    plant(files, 'consents', consentLine(roleless, 1, 1), 'kind'),
    plant(files, 'accounts', `${consentId(0)},x,GR0000000000000000000000000,EUR,`, 'iban'),
  ];
  for (const id of ['not-a-uuid', expired, roleless]) files.accounts.push(`${id},x,${ibanOf(1)},EUR,`);
  return places;
};

export const writeFiles = (folder: string, files: CutOverFiles): void => {
  for (const [table, name] of Object.entries(names))
    writeFileSync(join(folder, name), `${files[table as keyof CutOverFiles].join('\n')}\n`);
};
