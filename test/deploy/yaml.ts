/**
 * The YAML of deploy/, read: block lists and maps, flow lists and maps, plain and quoted texts, comments, `&name` and `*name`, several
 * documents. Whatever else YAML has is refused, so nothing is read wrongly.
 */
export type Yaml = string | number | boolean | null | readonly Yaml[] | { readonly [name: string]: Yaml };

interface Line {
  readonly indent: number;
  readonly text: string;
  readonly at: number;
}

/** Ends at a comment that is not within quotes. */
const withoutComment = (line: string): string => {
  let quote = '';
  for (const [at, letter] of [...line].entries()) {
    if (quote) quote = letter === quote ? '' : quote;
    else if (letter === "'" || letter === '"') quote = letter;
    else if (letter === '#' && (at === 0 || line[at - 1] === ' ')) return line.slice(0, at);
  }
  return line;
};

const scalarOf = (text: string): Yaml => {
  if (/^'.*'$/.test(text)) return text.slice(1, -1).replaceAll("''", "'");
  if (/^"[^\\]*"$/.test(text)) return text.slice(1, -1);
  if (/^["'|>!%@`]/.test(text)) throw new Error(`cannot read ${text}`);
  if (text === '' || text === 'null' || text === '~') return null;
  if (text === 'true' || text === 'false') return text === 'true';
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
};

/** A value on one line: a flow list, a flow map or a scalar. */
class Flow {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): Yaml {
    const value = this.#value('');
    this.#skip();
    if (this.#at < this.#text.length) throw new Error(`cannot read ${this.#text.slice(this.#at)}`);
    return value;
  }

  #skip(): void {
    while (this.#text[this.#at] === ' ') this.#at += 1;
  }

  #takes(sign: string): boolean {
    this.#skip();
    if (this.#text[this.#at] !== sign) return false;
    this.#at += 1;
    return true;
  }

  #value(ends: string): Yaml {
    if (this.#takes('[')) return this.#list();
    if (this.#takes('{')) return this.#map();
    return scalarOf(this.#word(ends));
  }

  #word(ends: string): string {
    this.#skip();
    const from = this.#at;
    const quote = this.#text[from];
    if (quote === "'" || quote === '"') {
      this.#at = this.#text.indexOf(quote, from + 1) + 1;
      if (this.#at === 0) throw new Error(`no end of ${this.#text}`);
    } else while (this.#at < this.#text.length && !ends.includes(this.#text[this.#at] ?? '')) this.#at += 1;
    return this.#text.slice(from, this.#at).trim();
  }

  #list(): Yaml {
    const list: Yaml[] = [];
    while (!this.#takes(']')) {
      list.push(this.#value(',]'));
      if (!this.#takes(',') && this.#text[this.#at] !== ']') throw new Error(`no ] in ${this.#text}`);
    }
    return list;
  }

  #map(): Yaml {
    const map: Record<string, Yaml> = {};
    while (!this.#takes('}')) {
      const name = String(scalarOf(this.#word(':')));
      if (!this.#takes(':')) throw new Error(`no : in ${this.#text}`);
      map[name] = this.#value(',}');
      if (!this.#takes(',') && this.#text[this.#at] !== '}') throw new Error(`no } in ${this.#text}`);
    }
    return map;
  }
}

const NAMED = /^((?:'[^']*'|"[^"]*"|[^\s'"[{#&*][^:#]*)):(?: +(.*))?$/;

class Block {
  readonly #lines: Line[];
  readonly #anchors: Map<string, Yaml>;

  constructor(lines: readonly Line[], anchors: Map<string, Yaml>) {
    this.#lines = [...lines];
    this.#anchors = anchors;
  }

  whole(): Yaml {
    const value = this.#value(0);
    if (this.#lines[0]) throw new Error(`line ${this.#lines[0].at} stands too far left or right`);
    return value;
  }

  #value(least: number): Yaml {
    const [first] = this.#lines;
    if (!first || first.indent < least) return null;
    if (first.text.startsWith('- ')) return this.#list(first.indent);
    if (NAMED.test(first.text)) return this.#map(first.indent);
    this.#lines.shift();
    return new Flow(first.text).whole();
  }

  #list(indent: number): Yaml {
    const list: Yaml[] = [];
    for (
      let [line] = this.#lines;
      line?.indent === indent && line.text.startsWith('- ');
      [line] = this.#lines
    ) {
      const text = line.text.slice(2).trimStart();
      // What stands behind the dash is a block of its own, that far to the right.
      this.#lines[0] = { ...line, indent: indent + line.text.length - text.length, text };
      list.push(this.#value(indent + 1));
    }
    return list;
  }

  #map(indent: number): Yaml {
    const map: Record<string, Yaml> = {};
    for (let [line] = this.#lines; line?.indent === indent; [line] = this.#lines) {
      const [, name = '', rest = ''] = NAMED.exec(line.text) ?? [];
      if (name === '') throw new Error(`line ${line.at} is no member of a map`);
      this.#lines.shift();
      const key = String(scalarOf(name));
      if (key in map) throw new Error(`line ${line.at} repeats ${key}`);
      map[key] = this.#member(rest, indent);
    }
    return map;
  }

  #member(rest: string, indent: number): Yaml {
    const [, anchor, value = rest] = /^&(\w+) *(.*)$/.exec(rest) ?? [];
    const alias = /^\*(\w+)$/.exec(value)?.[1];
    if (alias !== undefined && !this.#anchors.has(alias)) throw new Error(`there is no &${alias}`);
    const isList = this.#lines[0]?.indent === indent && this.#lines[0].text.startsWith('- ');
    const read = (): Yaml =>
      value === '' ? this.#value(isList ? indent : indent + 1) : new Flow(value).whole();
    const found = alias === undefined ? read() : (this.#anchors.get(alias) ?? null);
    if (anchor !== undefined) this.#anchors.set(anchor, found);
    return found;
  }
}

const documentOf = (lines: readonly Line[]): Yaml => new Block(lines, new Map()).whole();

/** The documents in a text, each a map. */
export const readYaml = (text: string): readonly { readonly [name: string]: Yaml }[] => {
  const documents: Line[][] = [[]];
  for (const [index, raw] of text.split('\n').entries()) {
    const line = withoutComment(raw).trimEnd();
    if (line === '---') documents.push([]);
    else if (line !== '')
      documents.at(-1)?.push({ indent: line.search(/\S/), text: line.trimStart(), at: index + 1 });
  }
  return documents
    .filter((lines) => lines.length > 0)
    .map((lines) => documentOf(lines) as { readonly [name: string]: Yaml });
};
