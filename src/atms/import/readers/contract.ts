/** Reads the contract's own shape: an array of ATMs, or an object with one array in it. Unknown members are refused here. */
import { ADDRESS_MEMBERS, ATM_MEMBERS } from '../../atm.js';
import type { Finding } from '../../check-atm.js';
import { ImportError } from '../result.js';
import { showName } from '../show.js';
import { isObject, type JsonObject, type LooseRecord, unreadable } from './loose.js';

/** The array of a document, if it has exactly one; beside it there may be other members that describe the list. */
export const soleArray = (document: unknown): readonly unknown[] | undefined => {
  if (Array.isArray(document)) return document;
  if (!isObject(document)) return undefined;
  const arrays = Object.values(document).filter((value) => Array.isArray(value));
  return arrays.length === 1 ? arrays[0] : undefined;
};

const unknownMembers = (source: JsonObject, known: readonly string[], prefix: string): Finding[] =>
  Object.keys(source)
    .filter((key) => !known.includes(key))
    .map((key) => ({ field: `${prefix}${showName(key)}`, reason: 'is not a member of the contract' }));

const readRecord = (record: unknown): LooseRecord => {
  if (!isObject(record)) return unreadable('is not an object');
  const { address, ...values } = record;
  const faults = unknownMembers(record, ATM_MEMBERS, '');
  if (isObject(address)) faults.push(...unknownMembers(address, ADDRESS_MEMBERS, 'address.'));
  else faults.push({ field: 'address', reason: address === undefined ? 'is missing' : 'is not an object' });
  return {
    values,
    address: isObject(address) ? address : undefined,
    point: undefined,
    brand: '',
    idIsMeant: true,
    changes: [],
    faults,
  };
};

export const readContract = (document: unknown): LooseRecord[] => {
  const records = soleArray(document);
  if (!records)
    throw new ImportError('the JSON is neither an array of ATMs nor an object with exactly one array');
  return records.map(readRecord);
};
