/**
 * Takes trusted lists from files and addresses into the store. The list of the lists must be signed by one that the bank has named; a
 * national list by one that the list of the lists names for its territory, or by one that the bank has named.
 */
import type { Actor, AuditLog } from '../audit/audit-log.js';
import { ListReader } from '../certificate/lists/list-reader.js';
import {
  type AuthorityRow,
  findUnchanged,
  type KeptList,
  type ListChange,
  markFault,
  putList,
  signersOf,
} from '../certificate/lists/stored-lists.js';
import { ListRefusal, MAX_LIST_BYTES, type TrustedList } from '../certificate/lists/trusted-list.js';
import { AnswerTooLarge, Fetcher, FetchFault } from '../certificate/revocation/fetch.js';
import { readBounded } from '../lib/bounded-file.js';
import { type Clock, SECOND } from '../lib/clock.js';
import { sha256 } from '../lib/hash.js';
import type { Db } from '../store/db.js';

export interface ImportParts {
  readonly db: Db;
  readonly audit: AuditLog;
  readonly clock: Clock;
  /** Fingerprints of certificates that may sign the list of the lists. */
  readonly signers: readonly string[];
  readonly proxy: string | undefined;
  readonly by: Actor;
}

export type ImportOutcome = { readonly source: string } & (
  | ({ readonly territory: string; readonly sequence: number } & ListChange)
  | {
      readonly fault: string;
      /** It was there, and was not accepted. */
      readonly isRefusal: boolean;
    }
);

const TIMEOUT_MS = 30 * SECOND;

const isAddress = (source: string): boolean => /^https?:\/\//i.test(source);

const bytesOfFile = async (path: string): Promise<Buffer> => {
  const bytes = await readBounded(path, MAX_LIST_BYTES);
  if (!bytes) throw new AnswerTooLarge();
  return bytes;
};

const bytesOf = async ({ clock, proxy }: ImportParts, source: string): Promise<Buffer> => {
  if (!isAddress(source)) return bytesOfFile(source);
  const { hostname, port } = new URL(source);
  // Named with its port by the operator, it may be anywhere; else it must be public.
  const hosts = () => [port === '' ? hostname : `${hostname}:${port}`];
  return new Fetcher({ clock, proxy, hosts, timeoutMs: TIMEOUT_MS, sizeLimit: MAX_LIST_BYTES }).fetch(source);
};

const faultOf = (error: unknown): string => {
  if (error instanceof AnswerTooLarge) return 'it is larger than 32 MiB';
  if (error instanceof ListRefusal || error instanceof FetchFault) return error.message;
  const { code } = error as NodeJS.ErrnoException;
  if (code !== undefined) return `it cannot be read (${code})`;
  throw error;
};

interface Read {
  readonly source: string;
  readonly bytes: Buffer;
  readonly digest: string;
  readonly isListOfLists: boolean;
  readonly territory: string;
  /** What was verified before needs no second look: a large list takes seconds. */
  readonly kept: KeptList | undefined;
}

const LIST_OF_LISTS = 'EU';

const readSource = async (parts: ImportParts, source: string, reader: ListReader): Promise<Read> => {
  const bytes = await bytesOf(parts, source);
  const digest = sha256(bytes);
  const kept = await findUnchanged(parts.db, source, digest);
  const kind = kept
    ? { territory: kept.territory, isListOfLists: kept.territory === LIST_OF_LISTS }
    : await reader.claimedKind(bytes, parts.clock.now());
  return { source, bytes, digest, kept, ...kind };
};

const store = (parts: ImportParts, list: TrustedList, { source, digest }: Read): Promise<ListChange> => {
  const { db, clock, audit, by } = parts;
  return db.transaction(async (tx) => {
    const now = clock.now();
    const made = await putList(tx, list, { source, digest }, now);
    const printsOf = (rows: readonly AuthorityRow[]) => rows.map(({ fingerprint }) => fingerprint);
    const { territory, sequence, signer } = list;
    const details = {
      ...{ source, sequence, signer },
      ...{ added: printsOf(made.added), removed: printsOf(made.removed) },
    };
    await audit.append(tx, { ...by, act: 'trust.import', subject: `trust-list:${territory}`, details }, now);
    return made;
  });
};

const accept = async (parts: ImportParts, read: Read, reader: ListReader): Promise<ImportOutcome> => {
  const { db, clock, signers } = parts;
  const { source, bytes, isListOfLists, territory, kept } = read;
  const named = isListOfLists ? [] : await signersOf(db, territory);
  const allowed = new Set([...signers, ...named]);
  if (kept && allowed.has(kept.signer) && kept.nextUpdate >= clock.now()) {
    await markFault(db, source, null);
    return { source, territory, sequence: kept.sequence, added: [], removed: [] };
  }
  const list = await reader.read(bytes, [...allowed], clock.now());
  // Only what is signed counts, and its signer may sign for the territory that the file named outside of that.
  if (list.territory !== territory || list.isListOfLists !== isListOfLists)
    throw new ListRefusal(`it says that it is of ${territory}, but what is signed is of ${list.territory}`);
  return { source, territory: list.territory, sequence: list.sequence, ...(await store(parts, list, read)) };
};

/** The list of the lists first, whatever the order: the others need it. Each list is taken or refused for itself. */
export const importLists = async (
  parts: ImportParts,
  sources: readonly string[],
): Promise<readonly ImportOutcome[]> => {
  const outcomes: ImportOutcome[] = [];
  const read: Read[] = [];
  const reader = new ListReader();
  const orRefuse = async (source: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      const fault = faultOf(error);
      await markFault(parts.db, source, fault);
      outcomes.push({
        source,
        fault,
        isRefusal: error instanceof ListRefusal || error instanceof AnswerTooLarge,
      });
    }
  };
  try {
    for (const source of sources)
      await orRefuse(source, async () => void read.push(await readSource(parts, source, reader)));
    for (const each of read.toSorted((a, b) => Number(b.isListOfLists) - Number(a.isListOfLists)))
      await orRefuse(each.source, async () => void outcomes.push(await accept(parts, each, reader)));
  } finally {
    await reader.close();
  }
  return outcomes;
};
