/** The published ATM list ready to be sent: bytes, compressed copies and dates, made once per version. */

import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { type Clock, SECOND } from '../lib/clock.js';
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

const MAX_AGE_MS = SECOND;
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
  readonly #clock: Clock;
  #feed: Feed = feedOf(empty);
  #version = -1;
  #checkedAt = Number.NEGATIVE_INFINITY;

  constructor(db: Db, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  /** At once while the last look at the store is fresh. */
  current(): Eventual<Feed> {
    return this.#clock.elapsed() - this.#checkedAt < MAX_AGE_MS ? this.#feed : this.refresh();
  }

  async refresh(): Promise<Feed> {
    const now = this.#clock.elapsed();
    if ((await currentVersion(this.#db)) !== this.#version) {
      const publication = await currentAtms(this.#db);
      this.#feed = feedOf(publication ?? empty);
      this.#version = publication?.version ?? 0;
    }
    this.#checkedAt = now;
    return this.#feed;
  }
}
