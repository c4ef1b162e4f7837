/**
 * Whether a certificate has been revoked: OCSP first, then the issuer's list. An answer is good until its successor is due, at
 * most for the maximum age; then the source is queried again. While no source answers, the last good answer counts for the grace
 * period. An unusable answer is not silence: nothing bridges it.
 */
import { randomBytes } from 'node:crypto';
import type { Clock } from '../../lib/clock.js';
import { LruCache } from '../../lib/lru-cache.js';
import type { Eventual } from '../../lib/turn.js';
import type { Certificate } from '../x509/parse.js';
import { type RevocationList, readCrl } from './crl.js';
import { FAILED_PAUSE_MS, type Fetcher, FetchFault } from './fetch.js';
import { NoAnswer, type OcspAnswer, ocspQuestion, readOcspAnswer } from './ocsp.js';

export interface Standing {
  /** `silent`: no source answered. `unclear`: a source did, but its answer does not count. */
  readonly status: 'good' | 'revoked' | 'silent' | 'unclear';
  /** When to look again. */
  readonly until: number;
  readonly detail: string;
}

export interface RevocationOptions {
  readonly fetcher: Fetcher;
  readonly clock: Clock;
  readonly graceMs: number;
  /** An older answer is not used without asking anew, whatever it says about its successor. */
  readonly maxAgeMs: number;
  /** Called for a source that did not help, with its address and the reason. */
  readonly onFault?: (url: string, fault: string) => void;
}

const REMEMBERED_ANSWERS = 5000;
const REMEMBERED_LISTS = 50;
const NONCE_BYTES = 16;

const keyOf = ({ serial }: Certificate, issuer: Certificate): string => `${issuer.fingerprint} ${serial}`;

/** An answer of a source, and when it was received. */
type Received<T> = T & { readonly receivedAt: number };

export class Revocation {
  readonly #options: RevocationOptions;
  readonly #answers = new LruCache<Received<OcspAnswer>>(REMEMBERED_ANSWERS);
  readonly #lists = new LruCache<Received<RevocationList>>(REMEMBERED_LISTS);
  /** Certificates that no source could say anything new about: left alone for a while. */
  readonly #fruitless = new LruCache<{ readonly standing: Standing; readonly endsAt: number }>(
    REMEMBERED_ANSWERS,
  );
  readonly #underWay = new Map<string, Promise<Standing>>();

  constructor(options: RevocationOptions) {
    this.#options = options;
  }

  /** At once if an answer is at hand; `stapled` is one that came along with the connection. */
  check(certificate: Certificate, issuer: Certificate, stapled?: Buffer): Eventual<Standing> {
    if (stapled) this.#takeStapled(certificate, issuer, stapled);
    const fresh = this.#fresh(certificate, issuer, certificate.ocspUrls.length === 0);
    if (fresh) return fresh;
    const key = keyOf(certificate, issuer);
    const fruitless = this.#fruitless.get(key);
    if (fruitless && this.#options.clock.elapsed() < fruitless.endsAt) return fruitless.standing;
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
      // Its holder chooses which one to send, perhaps one from before the revocation: its age counts from when it was made.
      if (answer.status !== 'unknown')
        this.#keepAnswer(certificate, issuer, { ...answer, receivedAt: Math.min(now, answer.thisUpdate) });
    } catch {
      // A bad one is as good as none: the responder is asked.
    }
  }

  #keepAnswer(certificate: Certificate, issuer: Certificate, answer: Received<OcspAnswer>): void {
    const key = keyOf(certificate, issuer);
    const known = this.#answers.get(key);
    // An answer that is older than the one at hand is perhaps from before the revocation.
    const newest = known && known.thisUpdate > answer.thisUpdate ? known : answer;
    // A clock that was set back would make the earlier one count for too long.
    const before = Math.min(known?.receivedAt ?? 0, this.#options.clock.now());
    this.#answers.set(key, { ...newest, receivedAt: Math.max(before, answer.receivedAt) });
  }

  #dueAt({ nextUpdate, receivedAt }: Received<OcspAnswer | RevocationList>): number {
    return Math.min(nextUpdate, receivedAt + this.#options.maxAgeMs);
  }

  /** What is known for certain now. A list says that a certificate is good only if OCSP is not there to be asked. */
  #fresh(certificate: Certificate, issuer: Certificate, byList: boolean): Standing | undefined {
    const now = this.#options.clock.now();
    const isFresh = (each: Received<OcspAnswer | RevocationList>): boolean =>
      each.receivedAt <= now && this.#dueAt(each) > now;
    const answer = this.#answers.get(keyOf(certificate, issuer));
    const lists = this.#listsOf(certificate, issuer).filter(isFresh);
    const isAnswered = answer !== undefined && isFresh(answer);
    if (
      (isAnswered && answer.status === 'revoked') ||
      lists.some(({ revoked }) => revoked.has(certificate.serial))
    )
      return { status: 'revoked', until: now, detail: 'revoked' };
    if (isAnswered) return { status: 'good', until: this.#dueAt(answer), detail: 'OCSP' };
    if (!byList || lists.length === 0) return undefined;
    const until = Math.max(...lists.map((list) => this.#dueAt(list)));
    return { status: 'good', until, detail: 'revocation list' };
  }

  /** Used if no source has anything new. A revocation stays, however old the answer. */
  #last(certificate: Certificate, issuer: Certificate, isSilent: boolean): Standing {
    const { clock, graceMs } = this.#options;
    const until = clock.now() + FAILED_PAUSE_MS;
    const answer = this.#answers.get(keyOf(certificate, issuer));
    const lists = this.#listsOf(certificate, issuer);
    if (answer?.status === 'revoked' || lists.some(({ revoked }) => revoked.has(certificate.serial)))
      return { status: 'revoked', until, detail: 'revoked' };
    if (!isSilent) return { status: 'unclear', until, detail: 'the answer does not count' };
    const due = Math.max(0, ...[...(answer ? [answer] : []), ...lists].map((each) => this.#dueAt(each)));
    if (due + graceMs > clock.now())
      return { status: 'good', until, detail: 'the last answer, within the grace period' };
    return { status: 'silent', until, detail: 'nobody answers' };
  }

  #listsOf(certificate: Certificate, issuer: Certificate): Received<RevocationList>[] {
    const wanted = certificate.basicConstraints.isCa ? 'issuers' : 'users';
    return certificate.crlUrls
      .map((url) => this.#lists.get(`${issuer.fingerprint} ${url}`))
      .filter((list) => list !== undefined)
      .filter(({ covers }) => covers === 'all' || covers === wanted);
  }

  async #ask(certificate: Certificate, issuer: Certificate): Promise<Standing> {
    let isSilent = true;
    for (const url of certificate.ocspUrls) {
      const outcome = await this.#attempt(url, () => this.#askResponder(url, certificate, issuer));
      isSilent &&= outcome === 'silent';
      const standing = this.#fresh(certificate, issuer, false);
      if (standing) return standing;
    }
    const listed = this.#fresh(certificate, issuer, true);
    if (listed) return listed;
    for (const url of certificate.crlUrls) {
      const outcome = await this.#attempt(url, () => this.#fetchList(url, certificate, issuer));
      isSilent &&= outcome === 'silent';
      const standing = this.#fresh(certificate, issuer, true);
      if (standing) return standing;
    }
    const last = this.#last(certificate, issuer, isSilent);
    const endsAt = this.#options.clock.elapsed() + FAILED_PAUSE_MS;
    this.#fruitless.set(keyOf(certificate, issuer), { standing: last, endsAt });
    return last;
  }

  /** What keeps the connection from an answer is silence; an answer that cannot be used is not. */
  async #attempt(url: string, work: () => Promise<void>): Promise<'silent' | 'answered'> {
    try {
      await work();
      return 'answered';
    } catch (error) {
      const isNews = !(error instanceof FetchFault && error.message === 'failed lately');
      if (isNews) this.#options.onFault?.(url, error instanceof Error ? error.message : 'failed');
      return error instanceof FetchFault || error instanceof NoAnswer ? 'silent' : 'answered';
    }
  }

  async #askResponder(url: string, certificate: Certificate, issuer: Certificate): Promise<void> {
    const { fetcher, clock } = this.#options;
    const nonce = randomBytes(NONCE_BYTES);
    const body = ocspQuestion({ certificate, issuer }, nonce);
    const bytes = await fetcher.fetch(url, { body, contentType: 'application/ocsp-request' });
    const now = clock.now();
    const answer = readOcspAnswer(bytes, { certificate, issuer }, now, nonce);
    if (answer.status === 'unknown') throw new Error('the responder does not know the certificate');
    if (answer.nextUpdate <= now) throw new Error('an old answer');
    this.#keepAnswer(certificate, issuer, { ...answer, receivedAt: now });
  }

  async #fetchList(url: string, certificate: Certificate, issuer: Certificate): Promise<void> {
    const { fetcher, clock } = this.#options;
    const bytes = await fetcher.fetch(url);
    const now = clock.now();
    const list = readCrl(bytes, issuer, certificate.crlUrls, now);
    if (list.nextUpdate <= now) throw new Error('an old list');
    this.#lists.set(`${issuer.fingerprint} ${url}`, { ...list, receivedAt: now });
  }
}
