/** The consent record, one shape for the three kinds (interface: "Payment consent record", "Consent status response"). */
export const consentKinds = ['AccountAccess', 'PaymentInitiation', 'ConfirmationOfFunds'] as const;
export type ConsentKind = (typeof consentKinds)[number];

export const consentStatuses = [
  'Received',
  'Rejected',
  'Valid',
  'RevokedByPsu',
  'Expired',
  'TerminatedByTpp',
] as const;
export type ConsentStatus = (typeof consentStatuses)[number];

/** An account that a consent names; `accountId` is the bank's own id once the bank has recognised it. */
export interface ConsentAccount {
  readonly accountId: string | null;
  readonly iban: string | null;
  readonly bban: string | null;
  readonly msisdn: string | null;
  /** Null until the bank has recognised the account: afterwards there is one entry for each sub-account. */
  readonly currency: string | null;
}

export interface Consent {
  readonly id: string;
  readonly kind: ConsentKind;
  readonly clientId: string;
  readonly psuId: string;
  /** As stored. What a reader sees is `statusAt`, because time changes it without a write. */
  readonly status: ConsentStatus;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  /** The kind's own members, as they go to the wire. */
  readonly details: object;
}
