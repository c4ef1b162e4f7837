/** What the ATM tests share: a record of the contract, and short ways to import one. */
import { readFileSync } from 'node:fs';
import type { Finding } from '../../src/atms/check-atm.js';
import { importAtms } from '../../src/atms/import/import-atms.js';
import type { ImportFormat, ImportResult } from '../../src/atms/import/result.js';

/** Valid as it is: an import neither repairs nor refuses it. */
export const plainRecord = {
  id: '0e0f6c5e-1d67-4f5e-8e0c-5c2a3b1d0001',
  name: 'Κατάστημα Αθηνών',
  atmid: 'TEST0001',
  address: { street: 'Ερμού', city: 'Αθήνα', country: 'GR' },
  supportedLanguages: ['el', 'en'],
  atmServices: ['Balance', 'CashWithdrawal'],
  currency: ['EUR'],
  telephoneNumber: '+30-2100000001',
} as const;

/** The record with some members changed; a member that is undefined is taken out. */
export const recordWith = (changes: Readonly<Record<string, unknown>>): object =>
  JSON.parse(JSON.stringify({ ...plainRecord, ...changes })) as object;

export const bytesOf = (content: unknown): Uint8Array =>
  new TextEncoder().encode(typeof content === 'string' ? content : JSON.stringify(content));

export const importJson = (content: unknown, format?: ImportFormat, country?: string): ImportResult =>
  importAtms(bytesOf(content), { format, country });

export const importOne = (changes: Readonly<Record<string, unknown>>): ImportResult =>
  importJson([recordWith(changes)]);

export const importFixture = (name: string): ImportResult =>
  importAtms(readFileSync(new URL(`./fixtures/${name}`, import.meta.url)));

/** `field: reason` lines of one record, for readable expectations. */
export const lines = (findings: readonly Finding[] | undefined): string[] =>
  (findings ?? []).map(({ field, reason }) => `${field}: ${reason}`);

export const changesOf = (result: ImportResult, record = 1): string[] =>
  lines(result.repaired.find((entry) => entry.record === record)?.changes);

export const faultsOf = (result: ImportResult, record = 1): string[] =>
  lines(result.refused.find((entry) => entry.record === record)?.faults);
