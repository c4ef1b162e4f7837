/**
 * Whether a certificate has been revoked: OCSP first, then the issuer's list. Answers are kept until their successor is due
 * and, while the source is away, for a grace period after; then nobody knows.
 */
import { randomBytes } from 'node:crypto';
import type { Clock } from '../../lib/clock.js';
import { Recent } from '../../lib/recent.js';
import type { Certificate } from '../x509/parse.js';
import { type RevocationList, readCrl } from './crl.js';
import { FAILED_PAUSE_MS, type Fetcher, FetchFault } from './fetch.js';
import { type OcspAnswer, ocspQuestion, readOcspAnswer } from './ocsp.js';

export interface Standing {
  readonly status: 'good' | 'revoked' | 'unknown';
  /** When to look again. */
  readonly until: number;
  readonly detail: string;
}

export interface RevocationOptions {
  readonly fetcher: Fetcher;
  readonly clock: Clock;
  readonly graceMs: number;
  /** Told of a source that did not help: its address, and why. */
  readonly onFault?: (url: string, fault: string) => void;
}

const REMEMBERED_ANSWERS = 5000;
const REMEMBERED_LISTS = 50;
const NONCE_BYTES = 16;

const keyOf = ({ serial }: Certificate, issuer: Certificate): string => `${issuer.fingerprint} ${serial}`;

export class Revocation {
  readonly #options: RevocationOptions;
  readonly #answers = new Recent<OcspAnswer>(REMEMBERED_ANSWERS);
  readonly #lists = new Recent<RevocationList>(REMEMBERED_LISTS);
  /** Certificates that no source could say anything new about: left alone until then. */
  readonly #silentUntil = new Recent<number>(REMEMBERED_ANSWERS);
  readonly #underWay = new Map<string, Promise<Standing>>();

  constructor(options: RevocationOptions) {
    this.#options = options;
  }

  /** At once where an answer is at hand; `stapled` is one that came along with the connection. */
  check(certificate: Certificate, issuer: Certificate, stapled?: Buffer): Standing | Promise<Standing> {
    if (stapled) this.#takeStapled(certificate, issuer, stapled);
    const fresh = this.#recall(certificate, issuer, 0);
    if (fresh) return fresh;
    const key = keyOf(certificate, issuer);
    if (this.#options.clock.now() < (this.#silentUntil.get(key) ?? 0)) return this.#last(certificate, issuer);
    const known = this.#underWay.get(key);
    if (known) return known;
    const asked = this.#ask(certificate, issuer).finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, asked);
    return asked;
  }

  #takeStapled(certificate: Certificate, issuer: Certificate, stapled: Buffer): void {
    const now = this.#options.clock.now();
    try {
      const answer = readOcspAnswer(stapled, { certificate, issuer }, now);
      if (answer.status !== 'unknown' && answer.nextUpdate > now)
        this.#keepAnswer(certificate, issuer, answer);
    } catch {
      // A bad one is as good as none: the responder is asked.
    }
  }

  #keepAnswer(certificate: Certificate, issuer: Certificate, answer: OcspAnswer): void {
    const key = keyOf(certificate, issuer);
    const known = this.#answers.get(key);
    // An older answer than the one at hand, perhaps from before the revocation.
    if (known && known.thisUpdate > answer.thisUpdate) return;
    this.#answers.set(key, answer);
  }

  /** What is remembered and not older than the grace allows. */
  #recall(certificate: Certificate, issuer: Certificate, graceMs: number): Standing | undefined {
    const now = this.#options.clock.now();
    const answer = this.#answers.get(keyOf(certificate, issuer));
    const lists = this.#listsOf(certificate, issuer);
    const last = Math.max(answer?.nextUpdate ?? 0, ...lists.map(({ nextUpdate }) => nextUpdate));
    const isRevoked =
      answer?.status === 'revoked' || lists.some(({ revoked }) => revoked.has(certificate.serial));
    // Asked again when its time is over, because a suspension can end; but no grace makes it good.
    if (isRevoked && (last > now || graceMs > 0)) return { status: 'revoked', until: now, detail: 'revoked' };
    if (last > now) return { status: 'good', until: last, detail: answer ? 'OCSP' : 'revocation list' };
    if (isRevoked || last + graceMs <= now) return undefined;
    return {
      status: 'good',
      until: now + FAILED_PAUSE_MS,
      detail: 'the last answer, within the grace period',
    };
  }

  /** When nobody has anything new to say. */
  #last(certificate: Certificate, issuer: Certificate): Standing {
    const { clock, graceMs } = this.#options;
    return (
      this.#recall(certificate, issuer, Math.max(graceMs, 1)) ?? {
        status: 'unknown',
        until: clock.now() + FAILED_PAUSE_MS,
        detail: 'no source has an answer',
      }
    );
  }

  #listsOf(certificate: Certificate, issuer: Certificate): RevocationList[] {
    const wanted = certificate.basicConstraints.isCa ? 'issuers' : 'users';
    return certificate.crlUrls
      .map((url) => this.#lists.get(`${issuer.fingerprint} ${url}`))
      .filter((list) => list !== undefined)
      .filter(({ covers }) => covers === 'all' || covers === wanted);
  }

  async #ask(certificate: Certificate, issuer: Certificate): Promise<Standing> {
    for (const url of certificate.ocspUrls) {
      if (!(await this.#attempt(url, () => this.#askResponder(url, certificate, issuer)))) continue;
      const standing = this.#recall(certificate, issuer, 0);
      if (standing) return standing;
    }
    for (const url of certificate.crlUrls) {
      if (!(await this.#attempt(url, () => this.#fetchList(url, issuer)))) continue;
      const standing = this.#recall(certificate, issuer, 0);
      if (standing) return standing;
    }
    this.#silentUntil.set(keyOf(certificate, issuer), this.#options.clock.now() + FAILED_PAUSE_MS);
    return this.#last(certificate, issuer);
  }

  async #attempt(url: string, work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      const isNews = !(error instanceof FetchFault && error.message === 'failed lately');
      if (isNews) this.#options.onFault?.(url, error instanceof Error ? error.message : 'failed');
      return false;
    }
  }

  async #askResponder(url: string, certificate: Certificate, issuer: Certificate): Promise<void> {
    const { fetcher, clock } = this.#options;
    const nonce = randomBytes(NONCE_BYTES);
    const body = ocspQuestion({ certificate, issuer }, nonce);
    const bytes = await fetcher.fetch(url, { body, contentType: 'application/ocsp-request' });
    const answer = readOcspAnswer(bytes, { certificate, issuer }, clock.now(), nonce);
    if (answer.status === 'unknown') throw new Error('the responder does not know the certificate');
    if (answer.nextUpdate <= clock.now()) throw new Error('an old answer');
    this.#keepAnswer(certificate, issuer, answer);
  }

  async #fetchList(url: string, issuer: Certificate): Promise<void> {
    const { fetcher, clock } = this.#options;
    const list = readCrl(await fetcher.fetch(url), issuer, clock.now());
    if (list.nextUpdate <= clock.now()) throw new Error('an old list');
    this.#lists.set(`${issuer.fingerprint} ${url}`, list);
  }
}
