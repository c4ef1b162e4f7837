/** The account of one record: what was changed to make it valid, and what makes it impossible to accept. */
import type { Finding } from '../../check-atm.js';

export interface Ledger {
  readonly changes: Finding[];
  readonly faults: Finding[];
  change(field: string, reason: string): void;
  /** Returns undefined, so that a check can refuse and give up its value in one statement. */
  refuse(field: string, reason: string): undefined;
}

export const openLedger = (changes: readonly Finding[], faults: readonly Finding[]): Ledger => {
  const ledger = { changes: [...changes], faults: [...faults] };
  return {
    ...ledger,
    change: (field, reason) => {
      ledger.changes.push({ field, reason });
    },
    refuse: (field, reason) => {
      ledger.faults.push({ field, reason });
      return undefined;
    },
  };
};
