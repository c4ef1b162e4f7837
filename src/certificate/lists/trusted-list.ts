/** A trusted list that was read and verified: plain data, so that it can come from another thread, and why one is refused. */
import type { CertificateUse } from '../checks.js';

export interface ListedAuthority {
  readonly provider: string;
  readonly name: string;
  readonly uses: readonly CertificateUse[];
  readonly fingerprint: string;
  readonly pem: string;
  /** That answer about revocation, as far as list and certificate name them. */
  readonly hosts: readonly string[];
}

/** Who may sign the list of a territory: fingerprints. */
export type Pointers = Readonly<Record<string, readonly string[]>>;

/** What an unverified list says of itself: only good to choose whose signature it needs. */
export interface ClaimedKind {
  readonly isListOfLists: boolean;
  readonly territory: string;
}

export interface TrustedList extends ClaimedKind {
  readonly sequence: number;
  readonly issuedAt: number;
  readonly nextUpdate: number;
  /** The fingerprint of its signer. */
  readonly signer: string;
  readonly services: readonly ListedAuthority[];
  readonly pointers: Pointers;
}

/** A list that is not accepted, in words for an operator. */
export class ListRefusal extends Error {}

export const MAX_LIST_BYTES = 32 * 1024 * 1024;
