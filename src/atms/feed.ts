/** The published ATM list ready to be sent: bytes, compressed copies and dates, made once per version. */
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { type Clock, SECOND } from '../lib/clock.js';
import type { Eventual } from '../lib/turn.js';
import type { Db } from '../store/db.js';
import { Snapshot } from '../store/snapshot.js';
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

interface Version {
  readonly number: number;
  readonly feed: Feed;
}

const unread: Version = { number: -1, feed: feedOf(empty) };

export class AtmFeed {
  readonly #db: Db;
  readonly #version: Snapshot<Version>;

  constructor(db: Db, clock: Clock) {
    this.#db = db;
    this.#version = new Snapshot(unread, (last) => this.#read(last), clock, POLL_MS);
  }

  /** At once from memory, whatever the store does. Only the very first read waits for it. */
  current(): Eventual<Feed> {
    const { value } = this.#version;
    return value === unread ? this.refresh() : value.feed;
  }

  async refresh(): Promise<Feed> {
    return (await this.#version.refresh()).feed;
  }

  close(): void {
    this.#version.close();
  }

  async #read(last: Version): Promise<Version> {
    if ((await currentVersion(this.#db)) === last.number) return last;
    const publication = await currentAtms(this.#db);
    return { number: publication?.version ?? 0, feed: feedOf(publication ?? empty) };
  }
}
