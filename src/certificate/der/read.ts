/**
 * DER, strictly: definite and shortest lengths, low tag numbers, nothing behind the end, a bound on depth and size. Whatever
 * else a certificate parser would forgive is refused here, so that two readers can never see two different certificates.
 */

/** Not DER, or not what was expected there. Its text never quotes the bytes. */
export class DerFault extends Error {}

/** One value. Its bytes are cut out when they are asked for: lists of revoked certificates have a hundred thousand of them. */
export class Der {
  readonly tag: number;
  /** Empty if it is primitive. */
  readonly children: readonly Der[];
  readonly #source: Buffer;
  readonly #at: number;
  readonly #start: number;
  readonly #end: number;

  constructor(
    tag: number,
    children: readonly Der[],
    source: Buffer,
    [at, start, end]: readonly [number, number, number],
  ) {
    this.tag = tag;
    this.children = children;
    this.#source = source;
    this.#at = at;
    this.#start = start;
    this.#end = end;
  }

  /** With tag and length. */
  get raw(): Buffer {
    return this.#source.subarray(this.#at, this.#end);
  }

  get content(): Buffer {
    return this.#source.subarray(this.#start, this.#end);
  }
}

export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bits: 0x03,
  octets: 0x04,
  null: 0x05,
  oid: 0x06,
  enumerated: 0x0a,
  utf8: 0x0c,
  printable: 0x13,
  teletex: 0x14,
  ia5: 0x16,
  utcTime: 0x17,
  generalizedTime: 0x18,
  bmp: 0x1e,
  sequence: 0x30,
  set: 0x31,
} as const;

const CONSTRUCTED = 0x20;
const MAX_DEPTH = 32;
const MAX_NODES = 4096;

/** The tag of `[number]`, as a wrapper of others or as a value. */
export const wrapped = (number: number): number => 0xa0 | number;
export const plain = (number: number): number => 0x80 | number;

interface Budget {
  nodes: number;
}

const lengthAt = (bytes: Buffer, at: number): { length: number; start: number } => {
  const first = bytes[at];
  if (first === undefined) throw new DerFault('truncated');
  if (first < 0x80) return { length: first, start: at + 1 };
  const count = first & 0x7f;
  if (count === 0 || count > 4 || at + 1 + count > bytes.length) throw new DerFault('bad length');
  const length = bytes.readUIntBE(at + 1, count);
  if (length < 0x80 || length < 2 ** (8 * (count - 1))) throw new DerFault('length not minimal');
  return { length, start: at + 1 + count };
};

/** The values between two places, one after the other. */
const readAll = (bytes: Buffer, from: number, to: number, depth: number, budget: Budget): readonly Der[] => {
  if (depth > MAX_DEPTH) throw new DerFault('too deep');
  const found: Der[] = [];
  for (let at = from; at < to; ) {
    budget.nodes -= 1;
    if (budget.nodes < 0) throw new DerFault('too large');
    const tag = bytes[at] ?? 0;
    if (tag === 0 || (tag & 0x1f) === 0x1f) throw new DerFault('unusual tag');
    const { length, start } = lengthAt(bytes, at + 1);
    const end = start + length;
    if (end > to) throw new DerFault('truncated');
    const children = tag & CONSTRUCTED ? readAll(bytes, start, end, depth + 1, budget) : [];
    found.push(new Der(tag, children, bytes, [at, start, end]));
    at = end;
  }
  return found;
};

/** The one value that the bytes are; lists of revoked certificates need a larger budget than a certificate. */
export const readDer = (bytes: Buffer, maxNodes = MAX_NODES): Der => {
  const [der, ...more] = readAll(bytes, 0, bytes.length, 0, { nodes: maxNodes });
  if (!der || more.length > 0) throw new DerFault('one value was expected');
  return der;
};

/** The members of a sequence in their order; `end` makes sure that there are no others. */
export class Members {
  readonly #children: readonly Der[];
  #at = 0;

  constructor(der: Der | undefined, tag: number = TAG.sequence) {
    if (der?.tag !== tag) throw new DerFault('another type was expected');
    this.#children = der.children;
  }

  peek(): Der | undefined {
    return this.#children[this.#at];
  }

  next(tag?: number): Der {
    const found = this.peek();
    if (!found || (tag !== undefined && found.tag !== tag)) throw new DerFault('a member is missing');
    this.#at += 1;
    return found;
  }

  optional(...tags: readonly number[]): Der | undefined {
    const found = this.peek();
    if (!found || !tags.includes(found.tag)) return undefined;
    this.#at += 1;
    return found;
  }

  end(): void {
    if (this.peek()) throw new DerFault('a member too many');
  }
}

export const expectTag = (der: Der | undefined, tag: number): Der => {
  if (der?.tag !== tag) throw new DerFault('another type was expected');
  return der;
};

/** The one child of a wrapper. */
export const only = (der: Der): Der => {
  const [first] = der.children;
  if (!first || der.children.length !== 1) throw new DerFault('one member was expected');
  return first;
};
