/** What an import found out, and the decision whether its list may be published: all or nothing unless the user says so. */
import type { Atm } from '../atm.js';
import type { Finding } from '../check-atm.js';

export const IMPORT_FORMATS = ['json', 'uk', 'csv', 'geojson'] as const;
export type ImportFormat = (typeof IMPORT_FORMATS)[number];

export interface RefusedRecord {
  /** The position in the file, counted from 1. */
  readonly record: number;
  /** The ATM's id, if it is known. */
  readonly id: string | null;
  readonly faults: readonly Finding[];
}

export interface RepairedRecord {
  /** The position in the file, counted from 1. */
  readonly record: number;
  readonly id: string;
  readonly changes: readonly Finding[];
}

/** `accepted.length + refused.length` is always `read`; a repaired record is an accepted one. */
export interface ImportResult {
  readonly format: ImportFormat;
  readonly read: number;
  readonly accepted: readonly Atm[];
  readonly refused: readonly RefusedRecord[];
  readonly repaired: readonly RepairedRecord[];
}

/** The file as a whole cannot be read; the message is meant for the person who imports it. */
export class ImportError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'ImportError';
  }
}

export type ImportPlan = { readonly publish: true } | { readonly publish: false; readonly reason: string };

export type ImportCounts = Readonly<Record<'read' | 'accepted' | 'repaired' | 'refused', number>>;

export const countsOf = ({ read, accepted, repaired, refused }: ImportResult): ImportCounts => ({
  read,
  accepted: accepted.length,
  repaired: repaired.length,
  refused: refused.length,
});

export const planImport = (
  { read, accepted, refused }: ImportCounts,
  options: { readonly allowRefused: boolean },
): ImportPlan => {
  if (read === 0)
    return { publish: false, reason: 'the file holds no ATM; an empty list is never published' };
  if (accepted === 0) {
    return { publish: false, reason: `all ${read} records were refused; an empty list is never published` };
  }
  if (refused > 0 && !options.allowRefused) {
    const reason = `${refused} of ${read} records were refused; correct them, or publish the others with --allow-refused`;
    return { publish: false, reason };
  }
  return { publish: true };
};
