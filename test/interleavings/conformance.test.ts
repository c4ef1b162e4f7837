/**
 * The product against the model: real handlers on a real store, two at once in every order of their statements and transactions,
 * and one of them dying before any of them. Each run ends as the model allows, and each end that the model knows is met.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConsentStatus } from '../../src/consent/record.js';
import type { Db } from '../../src/store/db.js';
import { explore } from './explore.js';
import { modelOf } from './model.js';
import { addConsent, endIn, endOf, hashOf, openStore, perform, type Store } from './real.js';
import { allRuns, type Choose, Process, withOtherSql } from './schedule.js';
import { type Act, type Answer, type Setting, tables, worldWith } from './world.js';

interface Case {
  readonly kind: 'payment' | 'access';
  readonly from: ConsentStatus;
  readonly acts: readonly [Act, Act];
  readonly isSameId?: boolean;
  /** The second one comes a day later, when time has ended what the first one began in time. */
  readonly isLate?: boolean;
  /** Thousands of orders: `npm run prove -- interleavings`. */
  readonly isLong?: boolean;
}

const cases: readonly Case[] = [
  { kind: 'payment', from: 'Valid', acts: ['submit', 'withdraw'] },
  { kind: 'payment', from: 'Valid', acts: ['submit', 'delete'], isLong: true },
  { kind: 'payment', from: 'Valid', acts: ['submit', 'submit'], isLong: true },
  { kind: 'payment', from: 'Valid', acts: ['submit', 'submit'], isSameId: true, isLong: true },
  { kind: 'payment', from: 'Valid', acts: ['delete', 'withdraw'] },
  { kind: 'payment', from: 'Received', acts: ['approve', 'delete'] },
  { kind: 'payment', from: 'Received', acts: ['approve', 'refuse'] },
  { kind: 'access', from: 'Valid', acts: ['use', 'withdraw'] },
  { kind: 'access', from: 'Valid', acts: ['use', 'delete'], isLong: true },
  { kind: 'access', from: 'Valid', acts: ['use', 'use'] },
  { kind: 'payment', from: 'Valid', acts: ['submit', 'delete'], isLate: true },
  { kind: 'access', from: 'Received', acts: ['approve', 'delete'], isLate: true },
];
const tried = process.env.TEST_INTERLEAVINGS ? cases : cases.filter(({ isLong }) => !isLong);
const nameOf = ({ kind, from, acts, isSameId, isLate }: Case): string =>
  `${from} ${kind}: ${acts[0]} and ${acts[1]}${isSameId ? ', the same request' : ''}${isLate ? ' a day later' : ''}`;

const settingOf = ({ kind, from, acts, isSameId = false, isLate = false }: Case): Setting => {
  const expiresAt = from === 'Valid' || kind === 'access' ? 1 : null;
  const world = worldWith({ status: from, expiresAt }, null, 0);
  const [first, second] = world.actors;
  return {
    kind,
    initial: {
      ...world,
      actors: [
        { ...first, shown: 0 },
        { ...second, shown: 0 },
      ],
    },
    acts: [[acts[0]], [acts[1]]],
    isBounded: true,
    isSameId,
    maxCrashes: isLate ? 0 : 1,
    maxDays: isLate ? 1 : 0,
    isRemote: true,
    rules: tables,
  };
};

/** One that does nothing any more. */
const gone = (): Process => {
  const process = new Process();
  process.start(async () => undefined);
  return process;
};

const isRepeated = (act: Act | undefined): boolean => act === 'submit' || act === 'delete';

/** One run, by the schedule. Returns how it has ended. */
const runOnce = async (
  db: Db,
  { kind, from, acts, isSameId, isLate }: Case,
  choose: Choose,
): Promise<string> => {
  const id = await addConsent(db, kind, from);
  const hash = await hashOf(db, id);
  const first = randomUUID();
  const requestIds = [first, isSameId ? first : randomUUID()];
  const told: (Answer | null)[] = [null, null];
  const begin = (who: number): Process => {
    const process = new Process();
    const day = isLate && who === 1 ? 1 : 0;
    const act = acts[who] as Act;
    const requestId = requestIds[who] ?? '';
    process.start(async () => {
      const answer = await perform(process.db(db), { kind, act, id, requestId, day, hash });
      await process.gate('reply');
      told[who] = answer;
    });
    return process;
  };
  const processes = [begin(0), begin(1)];
  const all = [...processes];
  let crashes = isLate ? 1 : 0;
  for (;;) {
    const rests = await Promise.all(processes.map((process) => process.rest()));
    const waiting = [0, 1].filter((who) => rests[who] !== undefined);
    if (waiting.length === 0) break;
    // To repeat what has not begun is the same as to begin it.
    const mortal = waiting.filter(
      (who) => crashes === 0 && (!isRepeated(acts[who]) || processes[who]?.steps),
    );
    const way = choose(waiting.length + mortal.length);
    const dead = mortal[way - waiting.length];
    if (dead === undefined) {
      processes[waiting[way] ?? 0]?.goOn();
      continue;
    }
    crashes += 1;
    processes[dead] = isRepeated(acts[dead]) ? begin(dead) : gone();
    all.push(...processes);
  }
  for (const process of all) process.stop();
  for (const { fault } of all) if (fault) throw fault;
  return endOf(db, id, told);
};

describe('real code, in every order, ends as the model does', () => {
  let store: Store;
  let total = 0;
  beforeAll(async () => {
    store = await openStore();
  });
  afterAll(async () => {
    await store?.close();
    console.log(`${total} interleavings of real code`);
  });

  const allowedEnds = (each: Case): Set<string> =>
    new Set(explore(modelOf(settingOf(each))).quiet.map(endIn));

  it.each(tried.map((each) => [nameOf(each), each] as const))('%s', async (_name, each) => {
    const allowed = allowedEnds(each);
    const met = new Set<string>();
    total += await allRuns(async (choose) => {
      met.add(await runOnce(store.db, each, choose));
    });
    expect([...met].filter((end) => !allowed.has(end))).toEqual([]);
    // What a second clock could have read is more than these runs have.
    if (!each.isLate) expect([...allowed].filter((end) => !met.has(end))).toEqual([]);
  });

  it.each([
    ['a submission that ignores the status', "and status = 'Valid' and submitted_at is null", '', 0],
    ['an end that ignores the submission', '(submitted_at is null or cast(? as bigint) = 1)', '? >= 0', 1],
    ['an id that is taken twice', 'where request_ids.used_at <= ?', 'where ? is not null', 3],
    [
      'reads that are not counted',
      'and page = 1 and accessed_at > ?',
      'and page = 1 and accessed_at > ? + 1e15',
      9,
    ],
  ])('finds %s', async (_name, from, to, index) => {
    const each = cases[index] as Case;
    const allowed = allowedEnds(each);
    const db = withOtherSql(store.db, from, to);
    const search = allRuns(async (choose) => {
      if (!allowed.has(await runOnce(db, each, choose))) throw new Error('found');
    });
    await expect(search).rejects.toThrow('found');
  });
});
