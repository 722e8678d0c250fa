/** A long list of whole numbers from 0 to 2^32 - 1, four bytes each. */
export class NumberColumn {
  #length = 0;
  #numbers: Uint32Array<ArrayBuffer> = new Uint32Array(1024);

  /** Adds a number at the end. */
  add(number: number): void {
    if (this.#length === this.#numbers.length) {
      // The memory of the shorter list is released at once, and not by the next collection of garbage.
      this.#numbers = new Uint32Array(this.#numbers.buffer.transfer(8 * this.#length));
    }
    this.#numbers[this.#length++] = number;
  }

  /** The number of a position. */
  at(index: number): number {
    return this.#numbers[index] ?? 0;
  }
}
