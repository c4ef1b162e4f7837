/**
 * Texts with parameters, in the part of ICU MessageFormat that translators need: `{name}`,
 * `{count, plural, one {once} other {{count} times}}` and `{kind, select, a {…} other {…}}`.
 */

export type Value = string | number | boolean | undefined;
export type Values = Readonly<Record<string, Value>>;

interface Choice {
  readonly name: string;
  readonly by: 'plural' | 'select';
  readonly cases: Readonly<Record<string, Template>>;
}

/** Texts, names of parameters and choices, in their order. */
export type Template = readonly (string | { readonly name: string } | Choice)[];

const NAME = /^[A-Za-z0-9_-]+/;
const MOST_DEPTH = 4;

class Parser {
  #at = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): Template {
    const template = this.#parts(0);
    if (this.#at < this.#text.length) throw new Error('has a } without its {');
    return template;
  }

  #parts(depth: number): Template {
    if (depth > MOST_DEPTH) throw new Error('has choices within choices within choices');
    const parts: Template[number][] = [];
    while (this.#at < this.#text.length && this.#text[this.#at] !== '}') {
      if (this.#text[this.#at] === '{') parts.push(this.#parameter(depth));
      else {
        const [plain = ''] = /^[^{}]+/.exec(this.#text.slice(this.#at)) ?? [];
        this.#at += plain.length;
        parts.push(plain);
      }
    }
    return parts;
  }

  #parameter(depth: number): Template[number] {
    this.#take('{');
    const name = this.#name();
    if (this.#isNext('}')) {
      this.#take('}');
      return { name };
    }
    this.#take(',');
    const by = this.#name();
    if (by !== 'plural' && by !== 'select') throw new Error(`has {${name}, ${by}}; write plural or select`);
    this.#take(',');
    const cases: Record<string, Template> = Object.create(null) as Record<string, Template>;
    while (!this.#isNext('}')) {
      const key = this.#name();
      this.#take('{');
      cases[key] = this.#parts(depth + 1);
      this.#take('}');
    }
    this.#take('}');
    if (!cases.other) throw new Error(`has {${name}, ${by}} without the case "other"`);
    return { name, by, cases };
  }

  #skip(): void {
    while (/\s/.test(this.#text[this.#at] ?? '')) this.#at += 1;
  }

  #isNext(sign: string): boolean {
    this.#skip();
    return this.#text[this.#at] === sign;
  }

  #take(sign: string): void {
    if (sign === '}') {
      if (this.#text[this.#at] !== '}') throw new Error('has a { without its }');
    } else if (!this.#isNext(sign))
      throw new Error(`lacks ${sign} after "${this.#text.slice(0, this.#at).slice(-20)}"`);
    this.#at += 1;
  }

  #name(): string {
    this.#skip();
    const [name] = NAME.exec(this.#text.slice(this.#at)) ?? [];
    if (!name) throw new Error('has a { without the name of a parameter; write {name}');
    this.#at += name.length;
    return name;
  }
}

export const parseTemplate = (text: string): Template => new Parser(text).whole();

export const namesIn = (template: Template): readonly string[] => [
  ...new Set(
    template.flatMap((part) => {
      if (typeof part === 'string') return [];
      return [part.name, ...('cases' in part ? Object.values(part.cases).flatMap(namesIn) : [])];
    }),
  ),
];

/** An absent value is the case `none`; a yes-or-no is `yes` or `no`. */
const caseOf = (value: Value): string => {
  if (value === undefined) return 'none';
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value);
};

export const format = (template: Template, values: Values, lang: string): string =>
  template
    .map((part) => {
      if (typeof part === 'string') return part;
      const value = values[part.name];
      if (!('cases' in part)) return value === undefined ? '' : String(value);
      const chosen = part.by === 'plural' ? new Intl.PluralRules(lang).select(Number(value)) : caseOf(value);
      return format(part.cases[chosen] ?? part.cases.other ?? [], values, lang);
    })
    .join('');
