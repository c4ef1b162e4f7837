/**
 * Fetches revocation lists and asks OCSP responders. Only hosts that the bank has named, no redirects, two seconds, one
 * mebibyte; concurrent questions share one connection, and what has failed is left alone for half a minute.
 */
import type { Dispatcher } from 'undici';
import { type Clock, SECOND } from '../../lib/clock.js';
import { LruCache } from '../../lib/lru-cache.js';
import { isPublic } from '../../lib/net/address.js';
import { checkedConnector, connectionFault, type Open, type Resolve } from '../../lib/net/checked-connect.js';

export interface FetcherOptions {
  /** `host` on its usual port and a public address, `host:port` wherever it leads, `*` for every public host. */
  readonly hosts: () => readonly string[];
  readonly clock: Clock;
  readonly resolve?: Resolve;
  readonly open?: Open;
  readonly proxy?: string | undefined;
  /** Of the whole answer; two seconds, if absent. */
  readonly timeoutMs?: number;
  /** In bytes; one mebibyte, if absent. */
  readonly sizeLimit?: number;
}

export interface Question {
  readonly body: Buffer;
  readonly contentType: string;
}

/** `timeout`, `status 302`, `host not allowed`, `forbidden address`, `failed lately`, or the code of an error. */
export class FetchFault extends Error {}

/** Something answers, but with more than any answer has. */
export class AnswerTooLarge extends Error {
  constructor() {
    super('too large');
  }
}

const TIMEOUT_MS = 2 * SECOND;
const SIZE_LIMIT = 1_048_576;
export const FAILED_PAUSE_MS = 30 * SECOND;
const REMEMBERED_FAILURES = 500;

const readBody = async (body: Dispatcher.ResponseData['body'], sizeLimit: number): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += (chunk as Buffer).length;
    if (size > sizeLimit) throw new AnswerTooLarge();
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks, size);
};

/** Listed with its port, it may be anywhere; else it must be on its usual port, at a public address. */
const placeOf = (url: URL, hosts: readonly string[]): 'anywhere' | 'public' | undefined => {
  if (!/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return undefined;
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  if (hosts.includes(`${url.hostname}:${port}`)) return 'anywhere';
  return url.port === '' && (hosts.includes('*') || hosts.includes(url.hostname)) ? 'public' : undefined;
};

export class Fetcher {
  readonly #options: FetcherOptions;
  readonly #underWay = new Map<string, Promise<Buffer>>();
  readonly #failedUntil = new LruCache<number>(REMEMBERED_FAILURES);

  constructor(options: FetcherOptions) {
    this.#options = options;
  }

  /** Equal questions at the same time are asked once. */
  fetch(address: string, question?: Question): Promise<Buffer> {
    const key = `${address} ${question?.body.toString('base64') ?? ''}`;
    const known = this.#underWay.get(key);
    if (known) return known;
    const asked = this.#ask(address, question).finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, asked);
    return asked;
  }

  async #ask(address: string, question: Question | undefined): Promise<Buffer> {
    const { clock, hosts } = this.#options;
    const url = URL.canParse(address) ? new URL(address) : undefined;
    const place = url && placeOf(url, hosts());
    if (!url || !place) throw new FetchFault('host not allowed');
    if (clock.elapsed() < (this.#failedUntil.get(address) ?? 0)) throw new FetchFault('failed lately');
    try {
      return await this.#request(url, place, question);
    } catch (error) {
      if (error instanceof AnswerTooLarge) throw error;
      this.#failedUntil.set(address, clock.elapsed() + FAILED_PAUSE_MS);
      throw error instanceof FetchFault ? error : new FetchFault(connectionFault(error));
    }
  }

  async #request(url: URL, place: 'anywhere' | 'public', question: Question | undefined): Promise<Buffer> {
    const { Client } = await import('undici');
    const { resolve, open, proxy, timeoutMs = TIMEOUT_MS, sizeLimit = SIZE_LIMIT } = this.#options;
    const isAllowed = (found: string): boolean => place === 'anywhere' || isPublic(found);
    const connect = checkedConnector({ timeoutMs, resolve, open, proxy, isAllowed });
    const client = new Client(url.origin, { connect, pipelining: 0 });
    const deadline = new AbortController();
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      deadline.abort();
    }, timeoutMs);
    try {
      const answer = await client.request({
        method: question ? 'POST' : 'GET',
        path: `${url.pathname}${url.search}`,
        headers: question ? { 'Content-Type': question.contentType } : {},
        body: question?.body ?? null,
        signal: deadline.signal,
      });
      if (answer.statusCode !== 200) throw new FetchFault(`status ${answer.statusCode}`);
      return await readBody(answer.body, sizeLimit);
    } catch (error) {
      throw isLate ? new FetchFault('timeout') : error;
    } finally {
      clearTimeout(timer);
      void client.destroy().catch(() => undefined);
    }
  }
}
