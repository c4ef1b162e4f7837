/**
 * The certificates that requests are signed with, as the gate needs them: what was verified lately at once; what was refused
 * lately at once too, so that a flood of one bad certificate costs a look into a map; of what is new, each one once at a time
 * and only so many together.
 */
import { type CertificateChain, readCertificateChain } from '../certificate/certificate.js';
import { CertificateRefusal } from '../certificate/reasons.js';
import type { CertificateReport } from '../certificate/report.js';
import type { CertificateVerifier } from '../certificate/verifier.js';
import { type Clock, SECOND } from '../lib/clock.js';
import { LruCache } from '../lib/lru-cache.js';
import type { Eventual } from '../lib/turn.js';
import type { Role } from '../model/caller.js';
import { Problem } from '../problem/problem.js';

export interface SealOwner {
  /** The role that the area demands, if any. */
  readonly role: Role | undefined;
  /** The registration of the caller; undefined if it has none. */
  readonly registration: string | undefined;
}

const REFUSED = 1000;
/** Short: a new anchor or an answer about revocation must count soon. */
const REFUSED_MS = 5 * SECOND;
const AT_ONCE = 8;
const WAITING = 200;

export class Seals {
  readonly #verifier: Pick<CertificateVerifier, 'verify' | 'recall'>;
  readonly #clock: Clock;
  readonly #unreadable = new LruCache<CertificateRefusal>(REFUSED);
  readonly #refused = new LruCache<{ readonly report: CertificateReport; readonly until: number }>(REFUSED);
  readonly #running = new Map<string, Promise<CertificateReport>>();
  readonly #turns: (() => void)[] = [];
  #busy = 0;

  constructor(verifier: Pick<CertificateVerifier, 'verify' | 'recall'>, clock: Clock) {
    this.#verifier = verifier;
    this.#clock = clock;
  }

  /** Throws `CertificateRefusal`. */
  read(text: string): CertificateChain {
    const known = this.#unreadable.get(text);
    if (known) throw known;
    try {
      return readCertificateChain(text);
    } catch (error) {
      if (error instanceof CertificateRefusal) this.#unreadable.set(text, error);
      throw error;
    }
  }

  verify(chain: CertificateChain, owner: SealOwner): Eventual<CertificateReport> {
    const { certificate, extra } = chain;
    const { role, registration } = owner;
    const wanted = { role, registration, use: 'seal', extra } as const;
    const known = this.#verifier.recall(certificate, wanted);
    if (known) return known;
    const prints = [certificate, ...extra].map(({ fingerprint }) => fingerprint);
    const key = [registration, role, ...prints].join(' ');
    const refused = this.#refused.get(key);
    if (refused && this.#clock.elapsed() < refused.until) return refused.report;
    const running = this.#running.get(key);
    if (running) return running;
    const work = this.#inTurn(async () => this.#verifier.verify(certificate, wanted))
      .then((report) => {
        if (report.reason) this.#refused.set(key, { report, until: this.#clock.elapsed() + REFUSED_MS });
        return report;
      })
      .finally(() => this.#running.delete(key));
    this.#running.set(key, work);
    return work;
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#busy >= AT_ONCE) {
      if (this.#turns.length >= WAITING) throw new Problem('overloaded', { headers: { 'Retry-After': '1' } });
      await new Promise<void>((resolve) => this.#turns.push(resolve));
    } else this.#busy += 1;
    try {
      return await work();
    } finally {
      const next = this.#turns.shift();
      if (next) next();
      else this.#busy -= 1;
    }
  }
}
