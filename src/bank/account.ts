/** An account, or one currency of a multi-currency account, as its holder knows it. */
import type { AccountId } from '../model/ids.js';

export interface BankAccount {
  /** The bank's own id. */
  readonly id: AccountId;
  readonly iban: string | null;
  readonly bban: string | null;
  readonly msisdn: string | null;
  readonly currency: string;
  readonly name: string;
  readonly product: string;
  /** ISO 20022 cash account type: CACC current, SVGS savings. */
  readonly type: string;
  /** All holders, as a statement prints them. */
  readonly ownerName: string;
  readonly status: 'enabled' | 'blocked' | 'closed';
  /** Whether this person may pay from it; left out: yes. */
  readonly mayPay?: boolean | null | undefined;
  /** How many must sign a payment, this person included; left out: one. The others sign in the bank's own channels. */
  readonly signaturesNeeded?: number | null | undefined;
  /** Booked − pending debits, in minor units; null if it was not looked up. */
  readonly balanceMinor: number | null;
}
