/** A long list of whole numbers from 0 to 2^32 - 1, four bytes each. */
export class NumberColumn {
  #length = 0;
  #numbers: Uint32Array<ArrayBuffer> = new Uint32Array(1024);

  /** Adds a number at the end. */
  add(number: number): void {
    if (this.#length === this.#numbers.length) {
      const larger = new Uint32Array(2 * this.#length);
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    this.#numbers[this.#length++] = number;
  }

  /** The number of a position. */
  at(index: number): number {
    return this.#numbers[index] ?? 0;
  }
}
