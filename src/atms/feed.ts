/** The published ATM list ready to be sent: bytes, compressed copies and dates, made once per version. */
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { SECOND } from '../lib/clock.js';
import type { Eventual } from '../lib/turn.js';
import type { Db } from '../store/db.js';
import { currentAtms, currentVersion, type Publication } from './publication.js';

export interface Feed {
  readonly etag: string;
  readonly lastModifiedMs: number;
  readonly lastModified: string;
  readonly plain: Buffer;
  readonly gzip: Buffer;
  readonly brotli: Buffer;
}

const POLL_MS = SECOND;
const empty: Pick<Publication, 'etag' | 'lastModifiedMs' | 'body'> = {
  etag: '"empty"',
  lastModifiedMs: 0,
  body: '[]',
};

const feedOf = ({ etag, lastModifiedMs, body }: typeof empty): Feed => {
  const plain = Buffer.from(body);
  return {
    etag,
    lastModifiedMs,
    lastModified: new Date(lastModifiedMs).toUTCString(),
    plain,
    gzip: gzipSync(plain, { level: 9 }),
    brotli: brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  };
};

export class AtmFeed {
  readonly #db: Db;
  #feed: Feed = feedOf(empty);
  #version = -1;
  readonly #timer: NodeJS.Timeout;
  #refreshing: Promise<Feed> | undefined;

  constructor(db: Db) {
    this.#db = db;
    this.#timer = setInterval(() => void this.refresh().catch(() => undefined), POLL_MS).unref();
  }

  /** At once from memory, whatever the store does. Only the very first read waits for it. */
  current(): Eventual<Feed> {
    return this.#version < 0 ? this.refresh() : this.#feed;
  }

  /** Concurrent calls share one look. */
  refresh(): Promise<Feed> {
    this.#refreshing ??= this.#look().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #look(): Promise<Feed> {
    if ((await currentVersion(this.#db)) !== this.#version) {
      const publication = await currentAtms(this.#db);
      this.#feed = feedOf(publication ?? empty);
      this.#version = publication?.version ?? 0;
    }
    return this.#feed;
  }
}
