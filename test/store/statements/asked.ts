/** Which text is tried on which engine, and what is wrong with it. */
import type { Value } from '../../../src/store/db.js';
import type { Engine } from '../../support/engines.js';
import type { Call } from './calls.js';
import { marksIn } from './engines.js';
import { oneEngine } from './exceptions.js';
import { faultsOf } from './faults.js';
import { batchedText, sentText } from './sent.js';
import { kindOfValue } from './shapes.js';
import type { EmptyStore, Row } from './stores.js';

export interface Asked {
  readonly call: Call;
  readonly text: string;
}

const onlyOn = ({ place }: Call, text: string): Engine | undefined =>
  oneEngine.find((each) => place.startsWith(`${each.path}:`) && each.text.test(text))?.engine;

export const askedOn = (calls: readonly Call[], engine: Engine): Asked[] =>
  calls.flatMap((call) =>
    call.texts
      .filter(({ text, engine: own }) => (own ?? onlyOn(call, text) ?? engine) === engine)
      .map(({ text }) => ({ call, text })),
  );

/** What the list of exceptions leaves out on this engine. */
export const leftOut = (calls: readonly Call[], engine: Engine): string[] =>
  calls.flatMap((call) =>
    call.texts.map(({ text }) => text).filter((text) => (onlyOn(call, text) ?? engine) !== engine),
  );

const told = ({ place }: Call, faults: readonly string[]): string[] =>
  faults.map((fault) => `${place}: ${fault}`);

export const faultsOn = async (store: EmptyStore, all: readonly Asked[]): Promise<string[]> => {
  const faults: string[] = [];
  for (const { call, text } of all) {
    const sent = await sentText(call, text);
    const described = await store.describe(sent).catch((error: Error) => error.message);
    const own = typeof described === 'string' ? [described] : faultsOf(call, sent, described);
    faults.push(...told(call, own));
  }
  return [...new Set(faults)];
};

/** Those that may travel with others of their kind, as they then are. */
export const batchFaults = async (store: EmptyStore, all: readonly Asked[]): Promise<string[]> => {
  const faults: string[] = [];
  for (const { call, text } of all) {
    if (!call.mayBeBatched || call.given.length === 0 || call.given.includes('rest')) continue;
    const sent = await batchedText(text, call.given);
    await store.describe(sent).catch((error: Error) => faults.push(...told(call, [error.message])));
  }
  return faults;
};

const isRead = (text: string): boolean =>
  !/\b(insert into|update \w+ set|delete from|vacuum|(add|drop)_funds_month)\b/.test(text);

const anyValues = ({ given }: Call): Value[] =>
  given.map((kinds) => (kinds !== 'rest' && kinds.has('number') ? 1 : 'x'));

/** What reads answer on an empty store, where minima, sums and counts have a row too. */
export const answersOf = async (
  store: EmptyStore,
  all: readonly Asked[],
): Promise<Map<string, readonly Row[]>> => {
  const answers = new Map<string, readonly Row[]>();
  for (const { call, text } of all)
    if (isRead(text) && marksIn(text) === call.given.length)
      answers.set(`${call.place} ${text}`, await store.read(text, anyValues(call)));
  return answers;
};

/** Values that no row type of their call has. */
export const answerFaults = (all: readonly Asked[], answers: ReadonlyMap<string, readonly Row[]>): string[] =>
  all.flatMap(({ call, text }) =>
    (answers.get(`${call.place} ${text}`) ?? []).flatMap((row) =>
      Object.entries(row).flatMap(([name, value]) => {
        const isPromised = call.rows.some((each) => each.get(name)?.has(kindOfValue(value)));
        return isPromised || call.rows.length === 0 ? [] : told(call, [`${name} is ${String(value)}`]);
      }),
    ),
  );
