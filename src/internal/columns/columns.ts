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

/** Texts that are kept as one. */
const BLOCK = 1024;

/** Very many short texts in little memory: kept end to end, cut out when they are read. */
export class TextColumn {
  #length = 0;
  readonly #blocks: string[] = [];
  #open: string[] = [];
  readonly #ends = new NumberColumn();

  /** Number of texts. */
  get length(): number {
    return this.#length;
  }

  /** Adds a text at the end. */
  add(text: string): void {
    const at = this.#length;
    this.#ends.add(this.#start(at) + text.length);
    this.#open.push(text);
    this.#length += 1;
    if (this.#open.length < BLOCK) return;
    this.#blocks.push(this.#open.join(""));
    this.#open = [];
  }

  /** The text of a position. */
  at(index: number): string {
    const block = this.#blocks[Math.floor(index / BLOCK)];
    return block === undefined
      ? this.#open[index % BLOCK] ?? ""
      : block.slice(this.#start(index), this.#ends.at(index));
  }

  #start(index: number): number {
    return index % BLOCK === 0 ? 0 : this.#ends.at(index - 1);
  }
}
