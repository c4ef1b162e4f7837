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
const INTERMEDIATES = 'intermediates';
const FILE = /\.(pem|crt|cer|der)$/i;

/** What is wrong with a file of the folder. */
export interface TrustFault {
  readonly file: string;
  readonly reason: string;
}

/**
 * The files of a folder, also by symbolic links: Kubernetes mounts a ConfigMap as links into `..data`, itself a link to a folder with the
 * time in its name, which hidden names leave out.
 */
const filesIn = async (folder: string): Promise<string[]> => {
  const names = (await readdir(folder)).filter((name) => !name.startsWith('.') && FILE.test(name));
  const isFolder = (name: string): Promise<boolean> =>
    // What a broken link is, reading it says.
    stat(join(folder, name)).then(
      (each) => each.isDirectory(),
      () => false,
    );
  const areFolders = await Promise.all(names.map(isFolder));
  return names
    .filter((_, index) => !areFolders[index])
    .toSorted()
    .slice(0, MAX_FILES);
};

/** What changes when a file does. */
const stateOf = async (folder: string, names: readonly string[]): Promise<string> => {
  const states = await Promise.all(
    names.map((name) =>
      stat(join(folder, name)).then(
        ({ mtimeMs, size, ino }) => [name, mtimeMs, size, ino],
        () => [name],
      ),
    ),
  );
  return JSON.stringify(states);
};

interface FilesRead {
  readonly certificates: readonly Certificate[];
  readonly faults: readonly TrustFault[];
}

const reasonOf = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException;
  return code?.startsWith('E') ? code : message || 'cannot be read';
};

const readAll = async (folder: string, names: readonly string[]): Promise<FilesRead> => {
  const certificates: Certificate[] = [];
  const faults: TrustFault[] = [];
  for (const file of names) {
    try {
      const { certificate, extra } = readCertificateFile(await readFile(join(folder, file)));
      certificates.push(certificate, ...extra);
    } catch (error) {
      faults.push({ file, reason: reasonOf(error) });
    }
  }
  return { certificates, faults };
};

export interface TrustFolderRead {
  readonly state: string;
  readonly anchors: readonly Certificate[];
  readonly intermediates: readonly Certificate[];
  readonly faults: readonly TrustFault[];
}

/** The one reading of the folder: that of the service and of `trapeza doctor`. Undefined if nothing has changed since `known`. */
export const readTrustFolder = async (folder: string, known = ''): Promise<TrustFolderRead | undefined> => {
  const helpers = join(folder, INTERMEDIATES);
  const names = await filesIn(folder);
  const helperNames = await filesIn(helpers).catch(() => []);
  const state = (await stateOf(folder, names)) + (await stateOf(helpers, helperNames));
  if (state === known) return undefined;
  const anchors = await readAll(folder, names);
  const intermediates = await readAll(helpers, helperNames);
  return {
    state,
    anchors: anchors.certificates,
    intermediates: intermediates.certificates,
    faults: [
      ...anchors.faults,
      ...intermediates.faults.map((each) => ({ ...each, file: join(INTERMEDIATES, each.file) })),
    ],
  };
};

type Warn = (file: string, reason: string) => void;

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
    const read = await readTrustFolder(this.#folder, this.#state);
    if (!read) return;
    for (const { file, reason } of read.faults) this.#warn(file, reason);
    this.#set = trustSet(read.anchors, read.intermediates);
    this.#state = read.state;
  }

  /** What is known, at once; a look that is due happens meanwhile. */
  current(): TrustSet {
    if (this.#clock.elapsed() - this.#lookedAt >= LOOK_EVERY_MS) void this.refresh();
    return this.#set;
  }
}
