/** The services of the trusted lists as anchors, each for its uses alone, and the hosts that answer about their certificates. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Clock, MINUTE } from '../../lib/clock.js';
import type { Eventual } from '../../lib/turn.js';
import type { Queries } from '../../store/db.js';
import { type Certificate, readCertificateFile } from '../certificate.js';
import type { CertificateUse } from '../checks.js';
import { type Trust, type TrustSet, trustSet } from '../trust.js';
import { hostsColumn, stateOfLists, type TrustedAuthority, trustedAuthorities } from './stored-lists.js';

const LOOK_EVERY_MS = MINUTE;
/** An older state is not used before the store was read again: an authority may have been withdrawn meanwhile. */
const MAX_AGE_MS = 2 * MINUTE;
const SLICE = 20;

/** There may be thousands: requests are answered in between. */
const certificatesOf = async (rows: readonly TrustedAuthority[]): Promise<Certificate[]> => {
  const found: Certificate[] = [];
  for (const [index, { pem }] of rows.entries()) {
    if (index % SLICE === 0) await nextTurn();
    found.push(readCertificateFile(Buffer.from(pem)).certificate);
  }
  return found;
};

export class ListedTrust implements Trust {
  readonly #db: Queries;
  readonly #clock: Clock;
  readonly #warn: (error: unknown) => void;
  #set = trustSet([]);
  #hosts: readonly string[] = [];
  #state = '';
  #lookedAt = Number.NEGATIVE_INFINITY;
  #looking: Promise<void> | undefined;

  constructor(db: Queries, clock: Clock, warn: (error: unknown) => void) {
    this.#db = db;
    this.#clock = clock;
    this.#warn = warn;
  }

  /** A store that cannot be read leaves things as they were. */
  refresh(): Promise<void> {
    this.#looking ??= this.#read()
      .catch((error: unknown) => this.#warn(error))
      .finally(() => {
        this.#lookedAt = this.#clock.elapsed();
        this.#looking = undefined;
      });
    return this.#looking;
  }

  async #read(): Promise<void> {
    const state = await stateOfLists(this.#db);
    if (state === this.#state) return;
    const rows = await trustedAuthorities(this.#db);
    const anchors = await certificatesOf(rows);
    const uses = new Map<string, Set<CertificateUse>>();
    for (const row of rows)
      uses.set(
        row.fingerprint,
        new Set([...(uses.get(row.fingerprint) ?? []), ...(row.uses.split(' ') as CertificateUse[])]),
      );
    this.#set = trustSet(anchors, [], uses);
    this.#hosts = [...new Set(rows.flatMap(({ hosts }) => hostsColumn.read(hosts)))];
    this.#state = state;
  }

  /** What is known, at once, while a look that is due happens; a promise after a pause. */
  current(): Eventual<TrustSet> {
    const age = this.#clock.elapsed() - this.#lookedAt;
    if (age < LOOK_EVERY_MS) return this.#set;
    const looking = this.refresh();
    return age < MAX_AGE_MS ? this.#set : looking.then(() => this.#set);
  }

  hosts(): readonly string[] {
    return this.#hosts;
  }
}
