/** How a setting is described and read: its variable, its default, and the parsers of the common kinds of value. */
import { isIP } from 'node:net';

/** Reads a value; may describe those that it accepts, as JSON schema. */
export type Parser<T> = ((text: string) => T) & { readonly schema?: object };

export interface Setting<T> {
  readonly variable: string;
  readonly parse: Parser<T>;
  readonly fallback: T;
  /** The default as the documentation shows it, if that is not the value itself. */
  readonly shown?: string;
  readonly doc: string;
  /** It may also come from a file or a credential, and is never shown. */
  readonly isSecret?: boolean;
}

export const setting = <T>(
  variable: string,
  parse: Parser<T>,
  fallback: T,
  doc: string,
  shown?: string,
): Setting<T> => ({
  variable,
  parse,
  fallback,
  doc,
  ...(shown === undefined ? {} : { shown }),
});

/** A value that is never shown; without a default. */
export const secretSetting = (
  variable: string,
  parse: Parser<string>,
  doc: string,
  shown?: string,
): Setting<string | undefined> => ({
  ...setting<string | undefined>(variable, parse, undefined, doc, shown),
  isSecret: true,
});

export const text = (value: string): string => value;

/** A name for people and machines. */
export const word = (value: string): string => {
  if (!/^[\w.-]{1,64}$/.test(value))
    throw new Error('up to 64 letters, digits, dots, hyphens and underscores');
  return value;
};

/** What can stand in a header as it is. */
export const headerText = (value: string): string => {
  if (!/^[!-~]{1,4096}$/.test(value)) throw new Error('visible ASCII characters without blanks');
  return value;
};

export const whole = (least: number, most: number): Parser<number> => {
  const parse = (value: string): number => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < least || number > most)
      throw new Error(`a whole number from ${least} to ${most}`);
    return number;
  };
  const schema = { type: ['integer', 'string'], pattern: '^[0-9]+$', minimum: least, maximum: most };
  return Object.assign(parse, { schema });
};

export const oneOf = <T extends string>(...names: readonly T[]): Parser<T> => {
  const parse = (value: string): T => {
    const found = names.find((name) => name === value);
    if (!found) throw new Error(`one of ${names.join(', ')}`);
    return found;
  };
  return Object.assign(parse, { schema: { enum: names } });
};

export const webAddress = (value: string): string => {
  if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol))
    throw new Error('an http or https address');
  const url = new URL(value);
  if (url.search || url.hash || url.username || url.password)
    throw new Error('an address without query, fragment or user name');
  return value.replace(/\/+$/, '');
};

/** `http://host:port`, with a name and a password if it wants them. */
export const proxyAddress = (value: string): string => {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url?.protocol !== 'http:' || url.pathname !== '/' || url.search || url.hash)
    throw new Error('the http address of a proxy, such as http://proxy.bank.example:3128');
  return value;
};

export const databaseUrl = (value: string): string => {
  if (!/^(sqlite:.+|postgres(ql)?:\/\/.+)$/.test(value)) throw new Error('sqlite:PATH or postgres://…');
  return value;
};

const isNetwork = (text: string): boolean => {
  const [address = '', prefix = '0', ...more] = text.split('/');
  const longest = isIP(address) === 6 ? 128 : 32;
  return isIP(address) !== 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= longest && more.length === 0;
};

export const networks = (value: string): readonly string[] => {
  const parts = value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  if (!parts.every(isNetwork)) throw new Error('IP addresses or CIDR ranges, separated by commas');
  return parts;
};

/** Separated by spaces. */
export const spacedList = (value: string): readonly string[] => {
  const parts = value.split(' ').filter((part) => part !== '');
  if (parts.length === 0 || !parts.every((part) => /^[\x21-\x7e]+$/.test(part)))
    throw new Error('words without spaces in them, separated by spaces');
  return parts;
};

const HOST = /^(\*|(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(:\d{1,5})?)$/i;

/** `host`, `host:port` or `*`. */
export const hosts = (value: string): readonly string[] => {
  const parts = value
    .split(',')
    .map((part) => part.trim().toLowerCase())
    .filter((part) => part !== '');
  if (!parts.every((part) => HOST.test(part)))
    throw new Error('names of hosts, with or without a port, separated by commas');
  return parts;
};

export const timeZone = (value: string): string => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone;
  } catch {
    throw new Error('an IANA time zone such as Europe/Athens');
  }
};

/** How many letters must change to get from one name to the other. */
export const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
};
