/**
 * The trust anchors of the bank: a folder of certificates of providers. Each file in it is an anchor; those in its subfolder
 * `intermediates` only help to build a path. It is read again at most every minute; a broken file is reported and left out.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, MINUTE } from '../lib/clock.js';
import type { Eventual } from '../lib/turn.js';
import { type Certificate, readCertificateFile } from './certificate.js';
import type { CertificateUse } from './checks.js';

export interface TrustSet {
  /** Another set has another version. */
  readonly version: string;
  readonly anchors: readonly Certificate[];
  /** Of the anchors. */
  readonly fingerprints: ReadonlySet<string>;
  readonly intermediates: readonly Certificate[];
  /** Anchors that count for these uses alone, by fingerprint; the others count for all. */
  readonly uses: ReadonlyMap<string, ReadonlySet<CertificateUse>>;
}

/** The current anchors; a promise only if they must be read first. */
export interface Trust {
  current(): Eventual<TrustSet>;
}

export const trustSet = (
  anchors: readonly Certificate[],
  intermediates: readonly Certificate[] = [],
  uses: TrustSet['uses'] = new Map(),
): TrustSet => {
  const prints = [anchors, intermediates].map((each) =>
    each.map(({ fingerprint }) => fingerprint).toSorted(),
  );
  return {
    version: createHash('sha256')
      .update(JSON.stringify([prints, [...uses].map(([print, held]) => [print, ...held])]))
      .digest('base64url'),
    anchors,
    fingerprints: new Set(prints[0]),
    intermediates,
    uses,
  };
};

/** Several sources as one. */
export const joinedTrust = (...sources: readonly Trust[]): Trust => {
  let parts: readonly TrustSet[] = [];
  let joined = trustSet([]);
  const join = (now: readonly TrustSet[]): TrustSet => {
    if (now.length === parts.length && now.every((each, index) => each === parts[index])) return joined;
    parts = now;
    // An anchor that one source trusts for everything is trusted for everything.
    const isFree = (print: string): boolean =>
      now.some(({ fingerprints, uses }) => fingerprints.has(print) && !uses.has(print));
    joined = trustSet(
      now.flatMap(({ anchors }) => anchors),
      now.flatMap(({ intermediates }) => intermediates),
      new Map(now.flatMap(({ uses }) => [...uses]).filter(([print]) => !isFree(print))),
    );
    return joined;
  };
  return {
    current() {
      const now = sources.map((each) => each.current());
      const ready = now.filter((each): each is TrustSet => !(each instanceof Promise));
      return ready.length === now.length ? join(ready) : Promise.all(now).then(join);
    },
  };
};

const LOOK_EVERY_MS = MINUTE;
const MAX_FILES = 2000;
const FILE = /\.(pem|crt|cer|der)$/i;

type Warn = (file: string, reason: string) => void;

const filesIn = async (folder: string): Promise<string[]> => {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((each) => !each.isDirectory() && FILE.test(each.name)).map(({ name }) => name);
  return names.toSorted().slice(0, MAX_FILES);
};

/** What changes when a file does. */
const stateOf = async (folder: string, names: readonly string[]): Promise<string> => {
  const states = await Promise.all(
    names.map(async (name) => {
      const { mtimeMs, size } = await stat(join(folder, name));
      return [name, mtimeMs, size];
    }),
  );
  return JSON.stringify(states);
};

const readAll = async (folder: string, names: readonly string[], warn: Warn): Promise<Certificate[]> => {
  const found: Certificate[] = [];
  for (const name of names) {
    try {
      const { certificate, extra } = readCertificateFile(await readFile(join(folder, name)));
      found.push(certificate, ...extra);
    } catch (error) {
      warn(name, error instanceof Error ? error.message : 'cannot be read');
    }
  }
  return found;
};

export class TrustFolder implements Trust {
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #warn: Warn;
  #set = trustSet([]);
  #state = '';
  #lookedAt = Number.NEGATIVE_INFINITY;
  #looking: Promise<void> | undefined;

  constructor(folder: string, clock: Clock, warn: Warn) {
    this.#folder = folder;
    this.#clock = clock;
    this.#warn = warn;
  }

  /** Reads what has changed; a folder that cannot be read leaves things as they were. */
  refresh(): Promise<void> {
    this.#looking ??= this.#readFolder()
      .catch((error: NodeJS.ErrnoException) => this.#warn('', error.code ?? 'cannot be read'))
      .finally(() => {
        this.#looking = undefined;
      });
    return this.#looking;
  }

  async #readFolder(): Promise<void> {
    this.#lookedAt = this.#clock.elapsed();
    const helpers = join(this.#folder, 'intermediates');
    const names = await filesIn(this.#folder);
    const helperNames = await filesIn(helpers).catch(() => []);
    const state = (await stateOf(this.#folder, names)) + (await stateOf(helpers, helperNames));
    if (state === this.#state) return;
    const anchors = await readAll(this.#folder, names, this.#warn);
    const intermediates = await readAll(helpers, helperNames, this.#warn);
    this.#set = trustSet(anchors, intermediates);
    this.#state = state;
  }

  /** What is known, at once; a look that is due happens meanwhile. */
  current(): TrustSet {
    if (this.#clock.elapsed() - this.#lookedAt >= LOOK_EVERY_MS) void this.refresh();
    return this.#set;
  }
}
