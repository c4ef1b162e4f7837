/** Sends requests with one broken rule each and compares every answer with what the oracle says. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { done } from '../../support/client.js';
import { checkContract } from '../../support/contract.js';
import type { Service } from '../../support/service.js';
import { rulesOf } from './common-rules.js';
import { Random } from './random.js';
import { goodDraft } from './requests.js';
import { type Draft, type Rule, type Target, toBytes } from './target.js';
import { Wire, type WireAnswer } from './wire.js';
import type { World } from './world.js';

export interface Case {
  readonly draft: Draft;
  readonly broken: Rule | undefined;
  readonly expected: readonly number[];
}

/** Once only: a payment is submitted, a request decided. */
const takeFromPool = (draft: Draft, { pools }: World): boolean => {
  const { pool } = draft.target;
  if (!pool) return true;
  const id = pools[pool].pop();
  if (id) draft.path = draft.path.replace(/[0-9a-f-]{36}/, id);
  return id !== undefined;
};

/** The first requests break each rule once, so that none is left to chance; the seed decides about all others. */
export const caseOf = (world: World, target: Target, index: number, seed: number): Case => {
  const random = new Random(seed);
  const draft = goodDraft(world, random, target);
  const rules = rulesOf(target);
  // One in six is good, unless that can happen only a few times.
  const at =
    index <= rules.length
      ? index - 1
      : random.chance(target.pool ? 0.02 : 1 / 6)
        ? -1
        : random.int(rules.length);
  const mayBeGood = !target.isNeverGood && at < 0 && takeFromPool(draft, world);
  const broken = mayBeGood ? undefined : (rules[at] ?? random.pick(rules));
  broken?.apply(draft, random, world);
  return { draft, broken, expected: broken ? [broken.status] : target.success };
};

const textOf = ({ headers, body }: WireAnswer): string => {
  if (body.length === 0) return '';
  if (headers['content-encoding'] === 'br') return brotliDecompressSync(body).toString();
  return (headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString();
};

/** Large bodies are read whole once; afterwards equal bytes are enough. */
const known = new Map<string, Buffer>();

/** Answers of the interface must keep to its document, too. */
export const checkAnswer = (answer: WireAnswer, method: string, path: string): void => {
  const { status, headers, body } = answer;
  const key = `${headers.etag}${headers['content-encoding']}${body.length}`;
  if (status === 200 && body.length > 0 && known.get(key)?.equals(body)) return;
  const text = textOf(answer);
  checkContract({ method, path, status, headers, text, json: text === '' ? undefined : JSON.parse(text) });
  if (headers.etag) known.set(key, Buffer.from(body));
};

/** The problem, the OAuth error, or the error that a redirect carries; undefined if the answer is none of them. */
const slugOf = ({ headers, body, status }: WireAnswer): string | undefined => {
  if (status === 303)
    return new URL(headers.location ?? '/', 'http://x').searchParams.get('error') ?? undefined;
  if (status < 400 || !/json/.test(headers['content-type'] ?? '') || body.length === 0) return undefined;
  const { type, error } = JSON.parse(body.toString()) as { type?: string; error?: string };
  return type?.split('/').at(-1) ?? error;
};

/** What is wrong with the answer to a case; undefined if it is as predicted. */
export const faultOf = (
  { draft, broken, expected }: Case,
  answer: WireAnswer | undefined,
): string | undefined => {
  const what = broken?.name ?? 'nothing broken';
  if (!answer) return `${what}: no answer\n${toBytes(draft).subarray(0, 3000)}`;
  const { status } = answer;
  const slug = draft.method === 'HEAD' ? undefined : slugOf(answer);
  const isSlugWrong = broken?.slug !== undefined && slug !== undefined && slug !== broken.slug;
  if (expected.includes(status) && !isSlugWrong) return undefined;
  const wanted = `${expected.join(' or ')} ${broken?.slug ?? ''}`;
  return `${what}: expected ${wanted}, got ${status} ${slug ?? ''}\n${toBytes(draft).subarray(0, 3000)}\n${answer.body.subarray(0, 1000)}`;
};

const MAX_FAULTS = 5;

/** Runs the work for every index, so many at a time; returns what went wrong. */
export const inParallel = async (
  width: number,
  count: number,
  url: string,
  work: (wire: Wire, index: number) => Promise<string | undefined>,
): Promise<string[]> => {
  const faults: string[] = [];
  let next = 0;
  const walk = async (): Promise<void> => {
    const wire = new Wire(url);
    while (next < count && faults.length < MAX_FAULTS) {
      const index = next++;
      const fault = await work(wire, index).catch((error: unknown) => String(error));
      if (fault) faults.push(`request ${index}: ${fault}`);
    }
    wire.close();
  };
  await Promise.all(Array.from({ length: width }, walk));
  return faults;
};

/** How often each status was answered, by target. */
export class Coverage {
  readonly #counts = new Map<string, Map<number, number>>();

  add(id: string, status: number): void {
    const counts = this.#counts.get(id) ?? new Map<number, number>();
    counts.set(status, (counts.get(status) ?? 0) + 1);
    this.#counts.set(id, counts);
  }

  has(id: string, status: number): boolean {
    return this.#counts.get(id)?.has(status) ?? false;
  }

  lines(): string[] {
    return [...this.#counts].map(([id, counts]) => {
      const shown = [...counts].toSorted(([a], [b]) => a - b).map(([status, count]) => `${status}×${count}`);
      return `${id.padEnd(44)} ${shown.join(' ')}`;
    });
  }
}

export interface Batch {
  readonly target: Target;
  /** Of the first request, among all of this target. */
  readonly from: number;
  readonly count: number;
  readonly seedOf: (index: number) => number;
}

const WIDTH = 16;

export const runBatch = (
  service: Service,
  world: World,
  coverage: Coverage,
  { target, from, count, seedOf }: Batch,
): Promise<string[]> =>
  inParallel(WIDTH, count, service.url, async (wire, at) => {
    const index = from + at;
    const seed = seedOf(index);
    const each = caseOf(world, target, index, seed);
    const { draft, broken } = each;
    const answer = await wire.exchange(toBytes(draft), draft.method === 'HEAD');
    const fault = faultOf(each, answer);
    if (fault || !answer) return `seed ${seed}: ${target.id}: ${fault}`;
    coverage.add(target.id, answer.status);
    // Which operation answers a wrong path or method, the document cannot say.
    const isInDocument = target.kind === 'operation' && broken?.status !== 404 && broken?.status !== 405;
    if (isInDocument) checkAnswer(answer, draft.method, draft.path.split('?')[0] ?? '');
    const { location } = answer.headers;
    if (target.undo && !broken && location)
      done(
        await service.call({
          method: 'DELETE',
          path: target.undo(location),
          headers: { Authorization: `Bearer ${world.tokens.eleni}` },
        }),
      );
    return undefined;
  });
