/**
 * A bounded cache in two halves: when the young half is full, the old one is forgotten. What is asked for often stays in the young half, so
 * that looking it up writes nothing.
 */
export class LruCache<V> {
  readonly #half: number;
  readonly #weightOf: (value: V) => number;
  #weight = 0;
  #young = new Map<string, V>();
  #old = new Map<string, V>();

  /** `limit` is how many entries, or how much weight. */
  constructor(limit: number, weightOf: (value: V) => number = () => 1) {
    this.#half = Math.max(1, Math.floor(limit / 2));
    this.#weightOf = weightOf;
  }

  get(key: string): V | undefined {
    const value = this.#young.get(key);
    if (value !== undefined) return value;
    const older = this.#old.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  set(key: string, value: V): void {
    const replaced = this.#young.get(key);
    if (replaced === undefined && this.#weight >= this.#half) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#weight = 0;
    }
    this.#weight += this.#weightOf(value) - (replaced === undefined ? 0 : this.#weightOf(replaced));
    this.#young.set(key, value);
  }

  delete(key: string): void {
    const known = this.#young.get(key);
    if (known !== undefined) this.#weight -= this.#weightOf(known);
    this.#young.delete(key);
    this.#old.delete(key);
  }
}
