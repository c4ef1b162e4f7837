/** Chance that can be repeated: the same seed makes the same requests. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** mulberry32: small, fast, and good enough to pick by. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** From 0 up to, but not including, `end`. */
  int(end: number): number {
    return Math.floor(this.next() * end);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.int(items.length)];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  }

  /** As many different ones as wished, in any order. */
  some<T>(items: readonly T[], count: number): T[] {
    const left = [...items];
    const end = Math.min(count, left.length);
    for (let at = 0; at < end; at += 1) {
      const other = at + this.int(left.length - at);
      [left[at], left[other]] = [left[other] as T, left[at] as T];
    }
    return left.slice(0, end);
  }

  hex(length: number): string {
    let text = '';
    while (text.length < length) text += (this.next() * 2 ** 32).toString(16).padStart(8, '0');
    return text.slice(0, length);
  }

  uuid(): string {
    const hex = this.hex(32);
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  }

  /** At most so many characters of any script, none of them a lone surrogate or NUL. */
  text(most: number): string {
    const alphabets = ['abcXYZ 09', 'αβγΩΪ', '🏦💶', '\u200f\u0301', `"'\\/<>&;`, '\t'];
    return Array.from({ length: this.int(most + 1) }, () => this.pick([...this.pick(alphabets)])).join('');
  }

  bytes(length: number): Buffer {
    return Buffer.from(Array.from({ length }, () => this.int(256)));
  }
}
