/** One folding: what one search finds, every other one finds, on both engines. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { searchIn, searchTest } from '../../src/account-pages/dashboard/filters.js';
import { search } from '../../src/admin/search.js';
import { folded, foldedLetters } from '../../src/lib/format/folded.js';
import type { ClientId } from '../../src/model/ids.js';
import type { Book } from '../../src/portal/atms/book.js';
import { readWish } from '../../src/portal/atms/wish.js';
import { SearchIndex } from '../../src/portal/search/search-index.js';
import { isSameName } from '../../src/tpp/eba/register.js';
import { createTpp } from '../../src/tpp/registry.js';
import { filesUnder } from '../lib/source.js';
import { bothEngines } from '../support/engines.js';
import { openStore, type Store } from '../tpp/support.js';

/** As it is stored, and as people type it. */
const names: readonly (readonly [string, readonly string[]])[] = [
  ['Ελληνική', ['ελληνική', 'ΕΛΛΗΝΙΚΗ', 'ελληνικη', 'ΕΛΛΗΝΙΚΉ']],
  ['Αθηνάς', ['αθηνασ', 'ΑΘΗΝΑΣ', 'Αθηνάσ', 'AΘHNAΣ']],
  ['ΤΡΑΠΕΖΑ', ['Τράπεζα', 'TPAΠEZA']],
  ['ATM', ['ΑΤΜ', 'atm', 'ατμ']],
  ['Kappa', ['ΚΑΡΡΑ', 'καρρα']],
  ['Εϋρώπη', ['ΕΥΡΩΠΗ', 'Ευρώπη']],
  ['Zürich', ['ZURICH', 'zürich', 'Zu\u0308rich']],
  ['Straße', ['STRASSE', 'strasse']],
  ['Łódź', ['lodz', 'ŁÓDŹ']],
  ['Søren', ['SOREN', 'søren']],
];
const others = ['Θάλασσα', 'Olympia', 'Νερά'];

const inDashboard = (stored: string, typed: string): boolean => {
  const clientId = 'app' as ClientId;
  const party = { clientId, applicationName: stored, tppName: 'Other' };
  return searchTest(searchIn({ q: typed }), [party]).apps?.includes(clientId) ?? false;
};

const inGuides = (stored: string, typed: string): boolean => {
  const index = new SearchIndex();
  index.add({ path: '/docs', lang: 'el', title: 'Docs', text: stored });
  return index.find(typed, 1, 'el').pages.length === 1;
};

const inTowns = (stored: string, typed: string): boolean => {
  const place = { name: stored, count: 1, latitude: 38, longitude: 24 };
  const values = { service: [], access: [], currency: [], language: [] };
  const towns = new Map([[foldedLetters(stored), place]]);
  const book: Book = { entries: [], byId: new Map(), values, towns, postcodes: new Map() };
  return readWish({ near: typed }, book).faults.near === undefined;
};

const users = {
  'the dashboard': inDashboard,
  'guides and reference': inGuides,
  'towns of ATMs': inTowns,
  'names of the register': (stored: string, typed: string) => isSameName(typed, [stored]),
};

const missed = (finds: (stored: string, typed: string) => boolean): string[] =>
  names.flatMap(([stored, ways]) => [
    ...ways.filter((typed) => !finds(stored, typed)).map((typed) => `${typed} does not find ${stored}`),
    ...others.filter((typed) => finds(stored, typed)).map((typed) => `${typed} finds ${stored}`),
  ]);

describe('a name is found however it is typed', () => {
  it.each(Object.entries(users))('by %s', (_user, finds) => {
    expect(missed(finds)).toEqual([]);
  });

  it('and folded twice it is the same', () => {
    for (const text of names.flatMap(([stored, ways]) => [stored, ...ways]))
      expect(folded(folded(text))).toBe(folded(text));
  });
});

describe.each(bothEngines('engines fold letters in two ways of their own'))('the console on %s', (engine) => {
  let store: Store | undefined;
  beforeAll(async () => {
    store = await openStore(engine);
    const { db } = store;
    await db.transaction(async (tx) => {
      for (const [index, name] of [...names.map(([stored]) => stored), ...others].entries())
        await createTpp(tx, { name, registration: `PSDGR-BOG-9${index}`, roles: ['PSP_AI'] }, 1);
    });
  });
  afterAll(() => store?.close());

  it('finds third parties as the others find names', async () => {
    const found = new Map<string, string>();
    for (const typed of [...names.flatMap(([, ways]) => ways), ...others])
      found.set(
        typed,
        (await search(store?.db ?? expect.unreachable(), typed)).map(({ text }) => text).join(),
      );
    expect(missed((stored, typed) => found.get(typed)?.startsWith(`${stored} (`) ?? false)).toEqual([]);
  });
});

it('nothing else folds names', () => {
  const own = /normalize\('NFK?D'\)|\b(?:lower|upper)\((?:\w+\.)?name\)|collate nocase/i;
  const files = filesUnder('src').filter(({ text }) => own.test(text));
  expect(files.map(({ path }) => path)).toEqual(['src/lib/format/folded.ts']);
});
