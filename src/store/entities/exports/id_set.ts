/** A set of ids of up to 64 bits in eight bytes each, for sets that grow with the account. */
export class IdSet {
  #ids = new BigUint64Array(1024);
  #size = 0;
  /** The ids in order, until another one is added. */
  #sorted: BigUint64Array | undefined;
  /** Ids that are not digits; the platform has none so far. */
  readonly #odd = new Set<string>();

  /** Adds an id. */
  add(id: string): void {
    if (!isPlain(id)) {
      this.#odd.add(id);
      return;
    }
    if (this.#size === this.#ids.length) {
      const larger = new BigUint64Array(this.#size * 2);
      larger.set(this.#ids);
      this.#ids = larger;
    }
    this.#ids[this.#size++] = BigInt(id);
    this.#sorted = undefined;
  }

  /** True if the id was added. Ids are sorted at the first look after an addition, so add all of them before. */
  has(id: string): boolean {
    if (!isPlain(id)) return this.#odd.has(id);
    const sorted = this.#sorted ??= this.#ids.subarray(0, this.#size).sort();
    const wanted = BigInt(id);
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (sorted[middle]! < wanted) low = middle + 1;
      else high = middle;
    }
    return sorted[low] === wanted;
  }
}

/** True for digits that are the same text when they are read as a number and written again. */
function isPlain(id: string): boolean {
  return /^(?:0|[1-9]\d{0,18})$/.test(id);
}
