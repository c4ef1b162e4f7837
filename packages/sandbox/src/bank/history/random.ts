/** Chance that is the same on every machine: numbers that depend on a text alone, and ids that depend on a number. */

const OFFSET = 0x811c9dc5;
const PRIME = 0x01000193;

/** FNV-1a. */
const hashOf = (text: string): number => {
  let hash = OFFSET;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), PRIME) >>> 0;
  return hash;
};

/** The finaliser of MurmurHash3: no two numbers have the same result. */
const mix = (value: number): number => {
  let mixed = value >>> 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
};

export class Random {
  #state: number;

  constructor(seed: string) {
    this.#state = mix(hashOf(seed));
  }

  /** At least 0 and below 1. */
  next(): number {
    this.#state = (this.#state + 0x9e3779b9) >>> 0;
    return mix(this.#state) / 2 ** 32;
  }

  /** Both ends included. */
  whole(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  pick<T>(list: readonly [T, ...T[]]): T {
    return list[this.whole(0, list.length - 1)] ?? list[0];
  }
}

const hex = (value: number): string => value.toString(16).padStart(8, '0');

/** A UUID for each whole number below 2^32; the first part alone keeps those of one salt apart. */
export const idMaker = (salt: string): ((number: number) => string) => {
  const [first, second, third, fourth] = [
    hashOf(`${salt}1`),
    hashOf(`${salt}2`),
    hashOf(`${salt}3`),
    hashOf(`${salt}4`),
  ];
  return (number) => {
    const middle = hex(mix(number + second));
    const end = hex(mix(number + third));
    return `${hex(mix(number ^ first))}-${middle.slice(0, 4)}-4${middle.slice(5)}-a${end.slice(1, 4)}-${end.slice(4)}${hex(mix(number + fourth))}`;
  };
};
