/**
 * Every statement of the product and its packages on both engines: each takes it, and its columns and parameters are what its call says.
 * A row type is only a promise to the compiler; this is what keeps it. A new statement needs nothing here.
 */
import {
  isNoSubstitutionTemplateLiteral,
  isStringLiteral,
  isTemplateExpression,
  type Node,
  type SourceFile,
} from 'typescript/unstable/ast';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tableGrants } from '../../../src/store/grants.js';
import { type Engine, hasPostgres } from '../../support/engines.js';
import { answerFaults, answersOf, askedOn, batchFaults, faultsOn, leftOut } from './asked.js';
import { type Call, Calls } from './calls.js';
import { drafts } from './drafts.js';
import { notFollowed, passesOn } from './exceptions.js';
import { Program, pathOf, placeOf, within } from './program.js';
import { isOfService, refusedToRole, rightsOf } from './rights.js';
import { type EmptyStore, engines, openStore } from './stores.js';

const stores = new Map<Engine, EmptyStore>();
const storeOf = (engine: Engine): EmptyStore => {
  const store = stores.get(engine);
  if (!store) throw new Error(`there is no store of ${engine}`);
  return store;
};

const TABLES = `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = current_schema() and c.relkind in ('r', 'p', 'v')`;

let program: Program;
let found: Calls;
let sources: readonly SourceFile[] = [];
let calls: readonly Call[] = [];
let draftCalls: readonly Call[] = [];

beforeAll(async () => {
  program = new Program(drafts.file);
  found = new Calls(program);
  sources = program.files().filter((file) => !passesOn(pathOf(file)) && pathOf(file) !== drafts.file.path);
  calls = found.of(sources);
  draftCalls = new Calls(program).of(program.files().filter((file) => pathOf(file) === drafts.file.path));
  for (const engine of engines) stores.set(engine, await openStore(engine));
});
afterAll(async () => {
  program.close();
  for (const store of stores.values()) await store.close();
});

describe('the statements of the product and its packages', () => {
  it('are all found from the calls that send them', () => {
    expect(calls.length).toBeGreaterThan(500);
    const lost = calls.filter(({ texts }) => texts.length === 0).map(({ place }) => place);
    const isAllowed = (place: string): boolean => place.replace(/:\d+$/, '') in notFollowed;
    expect(lost.filter((place) => !isAllowed(place))).toEqual([]);
    for (const [path, count] of Object.entries(notFollowed))
      expect(lost.filter((place) => place.startsWith(`${path}:`))).toHaveLength(count);
  });

  it('are each sent by some call', () => {
    const isText = (node: Node): boolean =>
      isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node) || isTemplateExpression(node);
    /** No script: that has several statements. */
    const statement =
      /^.\s*(select\s|insert\s+into\s|update\s+\w+\s+set\s|delete\s+from\s|with\s+\w+( \([^)]*\))?\s+as\s+\()[^;]*$/;
    const unsent: string[] = [];
    for (const file of sources)
      within(file, (node) => {
        if (isText(node) && statement.test(node.getText()) && !found.constants.reached.has(node))
          unsent.push(placeOf(node));
      });
    expect(unsent).toEqual([]);
  });

  it.each(engines)('are understood by %s, with the columns and parameters of their calls', async (engine) => {
    const asked = askedOn(calls, engine);
    expect(asked.length).toBeGreaterThan(500);
    expect(await faultsOn(storeOf(engine), asked)).toEqual([]);
  });

  it.each(engines)('that the other engine alone has are refused by %s', async (engine) => {
    const texts = leftOut(calls, engine);
    expect(texts.length).toBeGreaterThan(0);
    for (const text of texts) await expect(storeOf(engine).describe(text), text).rejects.toThrow();
  });

  it.runIf(hasPostgres)('are understood by PostgreSQL when several reads are one', async () => {
    expect(await batchFaults(storeOf('postgres'), askedOn(calls, 'postgres'))).toEqual([]);
  });

  it.runIf(hasPostgres)('need the rights that the role of a service is granted, and no others', async () => {
    const tables = await storeOf('postgres').read(TABLES, []);
    const granted = tableGrants.flatMap((grant) =>
      grant.tables.map((table): [string, readonly string[]] => [table, grant.rights.toSorted()]),
    );
    const isWritten = ([table]: [string, unknown]): boolean => !table.startsWith('migration');
    const known = new Set(tables.map(({ name }) => String(name)));
    expect(Object.fromEntries(granted.filter(isWritten))).toEqual(
      rightsOf(askedOn(calls, 'postgres'), known),
    );
  });

  it.runIf(hasPostgres)('may be executed by a role with these rights alone', async () => {
    const asked = askedOn(calls, 'postgres').filter(isOfService);
    expect(asked.length).toBeGreaterThan(400);
    expect(await refusedToRole(asked)).toEqual([]);
  });

  it('answer alike on both engines from an empty store, as their row types say', async () => {
    const answers = new Map<Engine, Awaited<ReturnType<typeof answersOf>>>();
    for (const engine of engines) {
      const asked = askedOn(calls, engine);
      const own = await answersOf(storeOf(engine), asked);
      expect(answerFaults(asked, own), engine).toEqual([]);
      answers.set(engine, own);
    }
    const [first = new Map(), second = first] = [...answers.values()];
    const shared = [...first.keys()].filter((key) => second.has(key));
    expect(shared.length).toBeGreaterThan(200);
    for (const key of shared) expect(second.get(key), key).toEqual(first.get(key));
  });
});

describe('a draft', () => {
  const callAt = (line: number): readonly Call[] =>
    draftCalls.filter(({ place }) => place === `${drafts.file.path}:${line}`);

  describe.each(engines)('on %s', (engine) => {
    it.each(drafts.cases)('$title', async ({ line, fault, seenBy = engine }) => {
      const own = callAt(line);
      expect(own).toHaveLength(1);
      const faults = await faultsOn(storeOf(engine), askedOn(own, engine));
      if (fault && seenBy === engine) expect(faults.join('\n')).toMatch(fault);
      else expect(faults).toEqual([]);
    });
  });

  it('whose text may be given from outside has no text', () => {
    for (const line of drafts.lost) expect(callAt(line).map(({ texts }) => texts)).toEqual([[]]);
  });
});
