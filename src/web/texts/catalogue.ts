/** Every text of the pages for account holders under a flat key, so that a bank can set its own and add a language. */

import {
  format,
  namesIn,
  parseTemplate,
  type Template,
  type Value,
  type Values,
} from '../../lib/format/template.js';
import { distance } from '../../lib/setting.js';
import { type Language, languages } from '../language.js';

/** Text by key, as in a file of a bank. */
export type TextFile = Readonly<Record<string, string>>;

/** The texts of one part of the pages: strings, lists, and functions of parameters that make them. */
type Section = Readonly<Record<Language, object>>;

type Text = (...args: never[]) => unknown;

/** The parameters of each text that has some; `choicesOf` says how they are written. */
export type Parameters = Readonly<Record<string, string>>;

interface Entry {
  readonly key: string;
  /** In our own words; parameters stand in braces. */
  readonly text: string;
  /** Of a text without parameters: undefined. */
  readonly parameters: readonly string[] | undefined;
}

/** `a b=x|y {c d}` as its parts. */
const partsOf = (spec: string): readonly string[] => spec.match(/\{[^}]*\}|\S+/g) ?? [];
const nameOf = (part: string): string => part.replace(/[?#~=].*/, '');
const membersOf = (part: string): readonly string[] => part.slice(1, -1).trim().split(/\s+/);

/** A text that says its name: it is no number, so plurals take their general form. */
const named = (name: string): string => new String(`{${name}}`) as string;

/** The cases that a parameter makes: `name#` a number, `name?` a yes-or-no, `name~` may be absent, `name=a|b` one of these. */
const choicesOf = (
  part: string,
): { readonly by: string; readonly cases: readonly (readonly [string, unknown])[] } => {
  const name = nameOf(part);
  const sign = part.slice(name.length, name.length + 1);
  const choice = (by: string, ...cases: (readonly [string, unknown])[]) => ({ by, cases });
  if (sign === '#') return choice('plural', ['one', 1], ['other', named(name)]);
  if (sign === '?') return choice('select', ['yes', true], ['other', false]);
  if (sign === '~') return choice('select', ['none', undefined], ['other', named(name)]);
  if (sign !== '=') return choice('select', ['other', named(name)]);
  const options = part.slice(name.length + 1).split('|');
  return choice(
    'select',
    ...options.map((each, at) => [at === options.length - 1 ? 'other' : each, each] as const),
  );
};

const isText = (value: unknown): value is Text => typeof value === 'function';

const below = (key: string, name: string): string => (key === '' ? name : `${key}.${name}`);

const valuesOf = (spec: string, args: readonly unknown[]): Values => {
  const values: Record<string, Value> = {};
  partsOf(spec).forEach((part, at) => {
    if (part.startsWith('{')) Object.assign(values, args[at]);
    else values[nameOf(part)] = args[at] as Value;
  });
  return values;
};

export class Catalogue {
  readonly #sections: Readonly<Record<string, Section>>;
  readonly #parameters: Parameters;

  constructor(sections: Readonly<Record<string, Section>>, parameters: Parameters) {
    this.#sections = sections;
    this.#parameters = parameters;
  }

  entries(lang: Language = 'en'): readonly Entry[] {
    return Object.entries(this.#sections).flatMap(([name, section]) => this.#flat(section[lang], name));
  }

  /** What is wrong with a bank's texts in a language; one that we do not have must be complete. */
  faults(lang: string, file: TextFile): readonly string[] {
    const entries = new Map(this.entries(lang === 'el' ? 'el' : 'en').map((entry) => [entry.key, entry]));
    const faults = Object.entries(file).flatMap(([key, text]) => {
      const entry = entries.get(key);
      if (!entry) return [unknownKey(key, [...entries.keys()])];
      const fault = faultOf(entry, text);
      return fault ? [`${key} ${fault}.`] : [];
    });
    const missing = [...entries.keys()].filter((key) => !Object.hasOwn(file, key));
    const isNew = !languages.some((each) => each === lang);
    return isNew && missing.length > 0 ? [...faults, missingKeys(missing)] : faults;
  }

  texts(files: Readonly<Record<string, TextFile>>): PageTexts {
    return new PageTexts(files, this.#parameters);
  }

  #flat(value: unknown, key: string, parameters?: readonly string[]): readonly Entry[] {
    if (isText(value)) return this.#made(value, key, partsOf(this.#parameters[key] ?? ''), []);
    if (typeof value === 'object' && value !== null && !(value instanceof String))
      return Object.entries(value).flatMap(([name, each]) => this.#flat(each, below(key, name), parameters));
    return [{ key, text: String(value), parameters }];
  }

  /** What a function makes of its parameters, each case of them once. */
  #made(make: Text, key: string, parts: readonly string[], args: readonly unknown[]): readonly Entry[] {
    const part = parts[args.length];
    const all = parts.flatMap((each) => (each.startsWith('{') ? membersOf(each) : [nameOf(each)]));
    if (part === undefined) return this.#flat(make(...(args as never[])), key, all);
    if (part.startsWith('{')) {
      const members = Object.fromEntries(membersOf(part).map((name) => [name, named(name)]));
      return this.#made(make, key, parts, [...args, members]);
    }
    const { by, cases } = choicesOf(part);
    const made = cases.map(([label, arg]) => ({
      label,
      entries: this.#made(make, key, parts, [...args, arg]),
    }));
    return (made.at(-1)?.entries ?? []).map((entry, at) => {
      const texts = made.map(({ label, entries }) => ({ label, text: entries[at]?.text ?? '' }));
      if (texts.every(({ text }) => text === entry.text)) return entry;
      const listed = texts.map(({ label, text }) => `${label} {${text}}`).join(' ');
      return { ...entry, text: `{${nameOf(part)}, ${by}, ${listed}}` };
    });
  }
}

const unknownKey = (key: string, known: readonly string[]): string => {
  const short = key.slice(0, 80);
  const [nearest] = known.toSorted((a, b) => distance(short, a) - distance(short, b));
  return `${short} is no text of these pages; did you mean ${nearest}? docs/brand.md says how to list all.`;
};

const MOST_NAMED = 30;

const missingKeys = (missing: readonly string[]): string => {
  const rest = missing.length - MOST_NAMED;
  return `${missing.length} texts are missing: ${missing.slice(0, MOST_NAMED).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}. A language is offered only if it is complete.`;
};

const faultOf = ({ key, text: ours, parameters }: Entry, text: unknown): string | undefined => {
  if (typeof text !== 'string' || text.trim() === '' || text.length > 2000)
    return 'must be a text of 1 to 2000 characters';
  if (key.endsWith('.locale') && !isLocale(text)) return 'must be a locale such as de-AT';
  if (!parameters) return undefined;
  try {
    const names = namesIn(parseTemplate(text));
    const unknown = names.find((name) => !parameters.includes(name));
    if (unknown)
      return `has {${unknown}}; its parameters are ${parameters.map((name) => `{${name}}`).join(', ')}`;
    const lost = parameters.find(
      (name) => namesIn(parseTemplate(ours)).includes(name) && !names.includes(name),
    );
    return lost && `lacks {${lost}}, as in: ${ours}`;
  } catch (error) {
    return (error as Error).message;
  }
};

export const isLocale = (text: string): boolean => {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(text).length > 0;
  } catch {
    return false;
  }
};

/** Our texts with those of the bank in their place, by language. */
export class PageTexts {
  readonly languages: readonly string[];
  readonly #files: Readonly<Record<string, TextFile>>;
  readonly #parameters: Parameters;
  readonly #made = new Map<string, object>();

  constructor(files: Readonly<Record<string, TextFile>>, parameters: Parameters) {
    this.#files = files;
    this.#parameters = parameters;
    this.languages = [...new Set([...languages, ...Object.keys(files)])];
  }

  in<T extends object>(section: string, ours: Readonly<Record<Language, T>>, lang: string): T {
    const place = `${lang} ${section}`;
    const made = this.#made.get(place) ?? this.#dress(ours[lang === 'el' ? 'el' : 'en'], section, lang);
    this.#made.set(place, made as object);
    return made as T;
  }

  #dress(value: unknown, key: string, lang: string): unknown {
    const file = this.#files[lang];
    if (!file) return value;
    if (typeof value === 'string') return file[key] ?? value;
    if (isText(value)) return this.#function(value, key, lang, file);
    return mapped(value, (each, name) => this.#dress(each, below(key, name), lang));
  }

  #function(ours: Text, key: string, lang: string, file: TextFile): unknown {
    const own = Object.entries(file).filter(([each]) => each === key || each.startsWith(`${key}.`));
    if (own.length === 0) return ours;
    const templates = new Map(own.map(([each, text]) => [each, parseTemplate(text)]));
    const spec = this.#parameters[key] ?? '';
    return (...args: never[]) => filled(ours(...args), key, templates, valuesOf(spec, args), lang);
  }
}

/** The same list or object, each member made anew. */
const mapped = (value: unknown, make: (each: unknown, name: string) => unknown): unknown => {
  if (Array.isArray(value)) return value.map((each, at) => make(each, String(at)));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, make(each, name)]));
};

const filled = (
  value: unknown,
  key: string,
  templates: ReadonlyMap<string, Template>,
  values: Values,
  lang: string,
): unknown => {
  const template = templates.get(key);
  if (template) return format(template, values, lang);
  return mapped(value, (each, name) => filled(each, below(key, name), templates, values, lang));
};
