/** What holds for every act: its name, its texts in both languages, its role, its row in the audit log, and what it loads. */
import { dirname, join, normalize } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type AnyAct, act, type Context, thingOf, verbOf } from '../../src/acts/act.js';
import { lines } from '../../src/acts/field.js';
import type { AnyList } from '../../src/acts/list.js';
import { isList } from '../../src/acts/methods.js';
import { NotAllowed, Refusal } from '../../src/acts/refusal.js';
import { runAct } from '../../src/acts/run-act.js';
import { derived, derivedActs } from '../../src/admin/derived.js';
import { latestAudit } from '../../src/audit/read.js';
import { namesIn, parseTemplate } from '../../src/lib/format/template.js';
import { uploadReaders } from '../../src/operator/upload-readers.js';
import { commands } from '../cli/commands.js';
import { ManualClock } from '../lib/manual-clock.js';
import { exportsOf, filesUnder } from '../lib/source.js';
import { testAudit } from '../support/audit.js';
import { openStore } from '../tpp/support.js';

const sources = filesUnder('src');
const acts = derivedActs.map(([, each]) => each);
const modules = sources.filter(({ path }) => /^src\/[^/]+\/acts\.ts$/.test(path));
const capital = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;

describe('every act', () => {
  it('stands in the module of its capability, and every export of these is an act or a list', () => {
    expect(modules.flatMap(exportsOf).toSorted()).toEqual(Object.keys(derived).toSorted());
    for (const each of Object.values<AnyAct | AnyList>(derived))
      expect(isList(each) || typeof each.run === 'function').toBe(true);
  });

  /** Names that the audit log has had from the beginning: their verb is that of the method. */
  const named: Readonly<Record<string, string>> = {
    registerCertificate: 'tpp.register',
    setSignaturePolicy: 'tpp.policy',
    setUnattended: 'tpp.unattended',
    setWebhook: 'application.webhook',
    setSecurity: 'application.security',
    setRedirectUris: 'application.redirects',
    rollSecret: 'application.secret',
    createSubscription: 'key.create',
    setQuota: 'key.quota',
    closeInterface: 'maintenance.on',
    openInterface: 'maintenance.off',
    retryNotifications: 'events.retry',
    redeliverEvent: 'events.redeliver',
  };

  it('has a name of its own, of which its method is made: verb and thing', () => {
    const names = Object.values<{ readonly name: string }>(derived).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const [method, each] of derivedActs) {
      const thing = thingOf(each).split('-').map(capital).join('');
      expect([method, named[method] ?? `${verbOf(each)}${thing}`]).toEqual([
        method,
        method in named ? each.name : method,
      ]);
    }
  });

  it('keeps no free text in the audit log, and has files for pages alone', () => {
    for (const { name, input, audited = [], command, needsTwo } of acts) {
      for (const member of audited) expect([name, input[member]?.kind]).not.toEqual([name, 'lines']);
      for (const { upload } of Object.values(input))
        if (upload) {
          expect(Object.keys(uploadReaders)).toContain(upload.reader);
          expect([name, command, needsTwo]).toEqual([name, undefined, undefined]);
        }
    }
  });

  it('has the command that is documented', () => {
    const documented = acts.flatMap((each) =>
      each.command ? [`${each.command.group ?? thingOf(each)} ${verbOf(each)}`] : [],
    );
    expect(documented.filter((name) => !Object.hasOwn(commands, name))).toEqual([]);
  });

  it('about an existing thing has a command with its id, about a new one none', () => {
    for (const { name, about, command } of acts)
      if (command) expect([name, command.id !== undefined]).toEqual([name, about === 'existing']);
  });

  it('loads no page, no server and no schema library: commands start as fast as they do', () => {
    const byPath = new Map(sources.map((file) => [file.path, file]));
    const loaded = new Set<string>();
    const load = (path: string): void => {
      const file = byPath.get(path);
      if (!file || loaded.has(path)) return;
      loaded.add(path);
      for (const [, name = ''] of file.text.matchAll(
        /(?:^(?:import|export) (?!type\b)[^;]*?from) ?'([^']+)'/gm,
      ))
        if (name.startsWith('.')) load(normalize(join(dirname(path), name.replace(/\.js$/, '.ts'))));
        else loaded.add(name);
    };
    for (const { path } of [...modules, ...sources.filter((file) => file.path.startsWith('src/acts/'))])
      load(path.replace(/^\.\//, ''));
    expect(loaded.size).toBeGreaterThan(20);
    const wrong = /^src\/(web|http|console|operator|cli)\/|typebox|^preact|^fastify|^commander/;
    expect([...loaded].filter((path) => wrong.test(path))).toEqual([]);
  });
});

describe('the texts of acts', () => {
  const all = [...new Set(acts.map(({ texts }) => texts))];
  /** Of an act, and those that only some have. */
  const keysOf = ({ name, input, page, needsTwo }: AnyAct, known: object): string[] => {
    const has = (key: string): boolean => Object.hasOwn(known, key);
    const fields = page ? Object.entries(input) : [];
    return [
      name,
      ...(page ? [`done.${page.done}`] : []),
      ...(needsTwo ? [`${name}.proposed`] : []),
      ...[`${name}.effect`].filter(has),
      ...fields.flatMap(([field, { upload }]) => {
        const endings = ['', ...(upload ? ['.pasted'] : [])];
        const texts = endings.map((ending) =>
          has(`${name}.${field}${ending}`) ? `${name}.${field}${ending}` : `field.${field}${ending}`,
        );
        const hint = [`${name}.${field}.hint`, `field.${field}.hint`].find(has);
        return [...texts, ...(hint === undefined ? [] : [hint])];
      }),
    ];
  };
  /** `new Refusal(texts, 'code', { values: { a, b } })` */
  const REFUSAL = /new Refusal\(\s*texts,\s*'([\w-]+)'(?:,\s*(\{(?:[^{}]|\{[^{}]*\})*\}))?/g;
  const refusals = modules.flatMap(({ path, text }) =>
    [...text.matchAll(REFUSAL)].map(([, code = '', details = '']) => ({
      path,
      key: `refusal.${code}`,
      values: (/values: \{ ([^}]*) \}/.exec(details)?.[1] ?? '').split(', ').filter(Boolean),
    })),
  );

  it('are the same in both languages, with the same parameters', () => {
    expect(all.length).toBeGreaterThan(2);
    const shape = (texts: object): object =>
      Object.fromEntries(
        Object.entries(texts).map(([key, text]) => [key, namesIn(parseTemplate(String(text))).toSorted()]),
      );
    for (const { el, en } of all) expect(shape(el)).toEqual(shape(en));
  });

  it('are all there, and all used', () => {
    for (const texts of all) {
      const own = acts.filter((each) => each.texts === texts);
      const room = modules.find(({ text }) => own[0] && text.includes(`'${own[0].name}'`))?.path;
      const used = [
        ...own.flatMap((each) => keysOf(each, texts.en)),
        ...refusals.flatMap(({ path, key }) => (path === room ? [key] : [])),
      ];
      expect([...new Set(used)].toSorted()).toEqual(Object.keys(texts.en).toSorted());
    }
  });

  it('get the parameters that they name', () => {
    expect(refusals.length).toBeGreaterThan(8);
    const known: Readonly<Record<string, string>> = Object.assign({}, ...all.map(({ en }) => en));
    for (const { key, values } of refusals)
      expect([key, values.toSorted()]).toEqual([key, namesIn(parseTemplate(known[key] ?? '')).toSorted()]);
    const zone = Object.entries(known).filter(([key]) => !key.startsWith('refusal.'));
    for (const [key, text] of zone)
      expect([key, namesIn(parseTemplate(text)).filter((name) => name !== 'timeZone')]).toEqual([key, []]);
  });
});

describe('an act that is done', () => {
  let context: Context;
  const clock = new ManualClock();
  const words = { el: { 'refusal.no': 'Όχι {why}' }, en: { 'refusal.no': 'No {why}' } };
  const say = act({
    name: 'word.say',
    about: 'existing',
    roles: ['customers'],
    texts: words,
    input: { word: lines('--word <text>', 'any') },
    audited: ['word'],
    prepare: async () => 3,
    async run(_tx, { id, input, prepared, reason }) {
      if (input.word === 'no') throw new Refusal(words, 'no', { values: { why: 'because' } });
      return `${id} ${input.word} ${prepared} ${reason}`;
    },
    facts: (result) => ({ length: result.length }),
  });
  const rows = async () => (await latestAudit(context.db, { act: 'word' }, 9)).length;

  beforeAll(async () => {
    const { db } = await openStore('sqlite');
    const config = { timeZone: 'UTC' };
    context = { db, clock, audit: testAudit, bankTime: async () => clock.now(), config };
  });

  it('leaves a row with what it audits and the facts of its result', async () => {
    const by = { actor: 'cli:maria', reason: 'why' };
    expect(await runAct({ ...context, by }, say, 'x', { word: 'yes' })).toBe('x yes 3 why');
    const [row] = await latestAudit(context.db, { act: 'word' }, 1);
    expect(row).toMatchObject({ actor: 'cli:maria', act: 'word.say', subject: 'word:x', reason: 'why' });
    expect(JSON.parse(row?.details ?? '')).toEqual({ word: 'yes', length: 11 });
  });

  it('leaves none if it is refused, and says why in the language that is asked for', async () => {
    const before = await rows();
    const refusal = await runAct(context, say, 'x', { word: 'no' }).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ message: 'No because' });
    expect((refusal as Refusal).textIn('el')).toBe('Όχι because');
    expect(await rows()).toBe(before);
  });

  it.each([
    [undefined, false],
    ['service', false],
    ['customers', true],
    ['admin', true],
  ] as const)('asks for the role of a login itself: %s', async (role, isAllowed) => {
    const before = await rows();
    const done = runAct({ ...context, by: { actor: 'operator:anna', role } }, say, 'x', { word: 'a' });
    if (isAllowed) await done;
    else await expect(done).rejects.toThrow(NotAllowed);
    expect(await rows()).toBe(isAllowed ? before + 1 : before);
  });
});

describe('the audit log', () => {
  it('is written by runAct, and by these', () => {
    const writers = sources.filter(
      ({ path, text }) => /\baudit\w*(?:\([^)]*\))?\.append\(/.test(text) && !path.startsWith('src/audit/'),
    );
    expect(writers.map(({ path }) => path).toSorted()).toEqual([
      // What waits for a second person is a row, too.
      'src/acts/proposals.ts',
      'src/acts/run-act.ts',
      // Acts that are no values yet.
      'src/admin/act-methods.ts',
      'src/admin/core-news.ts',
      'src/admin/trust-lists.ts',
      // Beside the store, or of every row before them.
      'src/cli/keeping/record.ts',
      'src/cli/records/audit.ts',
      // By the service itself.
      'src/jobs/withdraw-registrations.ts',
    ]);
  });
});
