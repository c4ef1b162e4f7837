/** The texts of the pages for account holders: a bank's own in their place, and a language more. */
import { describe, expect, it } from 'vitest';
import { parameters } from '../../src/app/page-text-parameters.js';
import { createCatalogue, sections } from '../../src/app/page-texts.js';
import { format, parseTemplate } from '../../src/lib/format/template.js';

const pageTexts = createCatalogue();

type Texts = Readonly<Record<'el' | 'en', object>>;

/** Every function below a value, by key. */
const functionsIn = (value: unknown, key: string): [string, (...args: never[]) => unknown][] => {
  if (typeof value === 'function') return [[key, value as (...args: never[]) => unknown]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => functionsIn(each, `${key}.${name}`));
};

const fileOf = (lang: 'el' | 'en'): Record<string, string> =>
  Object.fromEntries(pageTexts.entries(lang).map(({ key, text }) => [key, text]));

/** Arguments for a text: the first, then the second of what each parameter may be. */
const argumentsOf = (spec: string, second: boolean): never[] =>
  (spec.match(/\{[^}]*\}|\S+/g) ?? []).map((part) => {
    if (part.startsWith('{')) return { app: 'Agora', amount: '5 €' };
    if (part.endsWith('#')) return second ? 1 : 7;
    if (part.endsWith('?')) return second;
    if (part.endsWith('~')) return second ? undefined : `a ${part.slice(0, -1)}`;
    const [, options] = part.split('=');
    return options ? options.split('|')[second ? 1 : 0] : `any ${part}`;
  }) as never[];

describe('the texts of the pages', () => {
  it('have named parameters, as many as their functions have', () => {
    const functions = Object.entries(sections).flatMap(([name, { en }]) =>
      functionsIn(en, name).filter(([, make]) => make.length > 0),
    );
    const counted = functions.map(([key, make]) => [key, make.length]);
    const named = functions.map(([key]) => [key, parameters[key]?.match(/\{[^}]*\}|\S+/g)?.length ?? 0]);
    expect(named, 'name the parameters in src/app/page-text-parameters.ts').toEqual(counted);
    expect(Object.keys(parameters).toSorted()).toEqual(functions.map(([key]) => key).toSorted());
  });

  it('are the same in both languages, none is missing', () => {
    expect(pageTexts.entries('el').map(({ key }) => key)).toEqual(
      pageTexts.entries('en').map(({ key }) => key),
    );
    expect(pageTexts.entries('el').filter(({ text }) => /undefined|\[object/.test(text))).toEqual([]);
  });

  it.each(['el', 'en'] as const)('of %s, written to a file and read again, say the same', (lang) => {
    const texts = pageTexts.texts({ [lang]: fileOf(lang) });
    const different: unknown[] = [];
    for (const [name, section] of Object.entries(sections) as [string, Texts][]) {
      const read = functionsIn(texts.in(name, section, lang), name);
      for (const [at, [key, make]] of functionsIn(section[lang], name).entries())
        for (const second of [false, true]) {
          const args = argumentsOf(parameters[key] ?? '', second);
          const [ours, theirs] = [make(...args), read[at]?.[1](...args)];
          if (JSON.stringify(ours) !== JSON.stringify(theirs)) different.push([key, ours, theirs]);
        }
    }
    expect(different).toEqual([]);
    expect(pageTexts.faults(lang, fileOf(lang))).toEqual([]);
  });

  it('can be set by a bank, one by one, with their parameters', () => {
    const texts = pageTexts.texts({
      en: { 'approval.approve': 'Agree', 'approval.loggedInAs': 'You are {name}.' },
    });
    const { approve, refuse, loggedInAs } = texts.in('approval', sections.approval, 'en');
    expect([approve, refuse, loggedInAs('Eleni')]).toEqual(['Agree', 'Refuse', 'You are Eleni.']);
    expect(texts.in('approval', sections.approval, 'el').approve).toBe('Έγκριση');
  });

  it.each<[string, unknown, RegExp]>([
    [
      'approval.aprove',
      'Agree',
      /approval\.aprove is no text of these pages; did you mean approval\.approve\?/,
    ],
    ['approval.approve', 7, /must be a text/],
    ['approval.approve', ' ', /must be a text/],
    ['approval.loggedInAs', 'Hello', /lacks \{name\}, as in: Logged in as \{name\}/],
    ['approval.loggedInAs', 'Hello {who}', /has \{who\}; its parameters are \{name\}/],
    ['approval.loggedInAs', 'Hello {name', /has a \{ without its \}|lacks/],
    ['approval.loggedInAs', 'Hello {name}}', /has a \} without its \{/],
    ['approval.codeWrong', '{left, plural, one {once}}', /without the case "other"/],
    ['approval.codeWrong', '{left, number, x {}}', /write plural or select/],
    ['approval.locale', 'nonsense!', /must be a locale/],
  ])('refuse %s as %j', (key, text, reason) => {
    expect(pageTexts.faults('en', { [key]: text } as Record<string, string>).join()).toMatch(reason);
  });

  it('in a third language are offered if they are complete, refused with what is missing if not', () => {
    const german: Record<string, string> = {
      ...fileOf('en'),
      'approval.approve': 'Genehmigen',
      'approval.locale': 'de-DE',
      'language.name': 'Deutsch',
    };
    expect(pageTexts.faults('de', german)).toEqual([]);
    const texts = pageTexts.texts({ de: german });
    expect(texts.languages).toEqual(['el', 'en', 'de']);
    expect(texts.in('approval', sections.approval, 'de').approve).toBe('Genehmigen');
    const { 'approval.approve': _one, 'bank.help': _two, ...partial } = german;
    expect(pageTexts.faults('de', partial)).toEqual([
      '2 texts are missing: bank.help, approval.approve. A language is offered only if it is complete.',
    ]);
  });

  it('choose plurals by the rules of their language', () => {
    const template = parseTemplate('{n, plural, one {{n} den} few {{n} dny} other {{n} dní}}');
    expect([1, 3, 5].map((n) => format(template, { n }, 'cs'))).toEqual(['1 den', '3 dny', '5 dní']);
  });
});
