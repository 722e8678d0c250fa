import { quickHash } from "../../base/text/quick_hash.ts";
import { Spill } from "./spill.ts";

/** Initial number of buckets; must be a power of two. */
const FIRST_SIZE = 1024;

/** List of any length with lookup by key; needs 12 to 24 bytes of memory per value. */
export class KeyedSpill<Value> {
  readonly #values = new Spill<Value>();
  readonly #keyOf: (value: Value) => string;
  /** Position of the newest value in each bucket, counted from 1; 0 if empty. */
  #newest = new Uint32Array(FIRST_SIZE);
  #before = new Uint32Array(FIRST_SIZE);
  #hashes = new Uint32Array(FIRST_SIZE);

  constructor(keyOf: (value: Value) => string) {
    this.#keyOf = keyOf;
  }

  get length(): number {
    return this.#values.length;
  }

  push(value: Value): void {
    const at = this.#values.length;
    if (at === this.#hashes.length) this.#grow();
    this.#hashes[at] = hashOf(this.#keyOf(value));
    this.#link(at);
    this.#values.push(value);
  }

  all(key: string): Value[] {
    const found: Value[] = [];
    const hash = hashOf(key);
    for (let next = this.#newest[hash & (this.#newest.length - 1)] ?? 0; next > 0;) {
      const at = next - 1;
      next = this.#before[at] ?? 0;
      if (this.#hashes[at] !== hash) continue;
      const value = this.#values.at(at);
      // Different keys may have one hash.
      if (value !== undefined && this.#keyOf(value) === key) found.push(value);
    }
    return found.reverse();
  }

  [Symbol.iterator](): Generator<Value> {
    return this.#values[Symbol.iterator]();
  }

  close(): void {
    this.#values.close();
  }

  #link(at: number): void {
    const bucket = (this.#hashes[at] ?? 0) & (this.#newest.length - 1);
    this.#before[at] = this.#newest[bucket] ?? 0;
    this.#newest[bucket] = at + 1;
  }

  #grow(): void {
    const size = this.#hashes.length * 2;
    const hashes = new Uint32Array(size);
    hashes.set(this.#hashes);
    const count = this.#hashes.length;
    this.#hashes = hashes;
    this.#newest = new Uint32Array(size);
    this.#before = new Uint32Array(size);
    for (let at = 0; at < count; at++) this.#link(at);
  }
}

function hashOf(key: string): number {
  const hash = quickHash(key);
  return (hash ^ (hash / 2 ** 32)) >>> 0;
}
