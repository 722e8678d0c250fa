const FIRST_SIZE = 1024;

/**
 * A set of up to millions of ids: those of up to 18 digits take 16 bytes each, where a set of texts takes more than
 * 100.
 */
export class IdSet {
  /** Other texts. */
  readonly #texts = new Set<string>();
  /** Two numbers for each place: the digits before the last nine, plus 1, and the last nine; 0 where it is free. */
  #table: Uint32Array<ArrayBuffer> = new Uint32Array(2 * FIRST_SIZE);
  #size = FIRST_SIZE;
  #count = 0;

  /** Forgets every id, and releases their memory at once. */
  clear(): void {
    this.#texts.clear();
    this.#table.buffer.transfer(0);
    this.#table = new Uint32Array(2 * FIRST_SIZE);
    this.#size = FIRST_SIZE;
    this.#count = 0;
  }

  /** Adds an id; false when it is there already. */
  add(id: string): boolean {
    let high = 0;
    let low = 0;
    const cut = id.length - 9;
    for (let at = 0; at < id.length; at++) {
      const digit = id.charCodeAt(at) - 0x30;
      // A zero in front would make two texts one number.
      if (digit < 0 || digit > 9 || id.length > 18 || (at === 0 && digit === 0)) return this.#addText(id);
      if (at < cut) high = high * 10 + digit;
      else low = low * 10 + digit;
    }
    return id === "" ? this.#addText(id) : this.#place(high + 1, low);
  }

  #addText(text: string): boolean {
    if (this.#texts.has(text)) return false;
    this.#texts.add(text);
    return true;
  }

  #place(high: number, low: number): boolean {
    const table = this.#table;
    const mask = this.#size - 1;
    let at = (Math.imul(high, 0x9e3779b1) ^ Math.imul(low, 0x85ebca6b)) >>> 0;
    at = (at ^ (at >>> 15)) & mask;
    while (table[2 * at] !== 0) {
      if (table[2 * at] === high && table[2 * at + 1] === low) return false;
      at = (at + 1) & mask;
    }
    table[2 * at] = high;
    table[2 * at + 1] = low;
    this.#count += 1;
    if (2 * this.#count > this.#size) this.#grow();
    return true;
  }

  #grow(): void {
    const old = this.#table;
    this.#size *= 2;
    this.#table = new Uint32Array(2 * this.#size);
    this.#count = 0;
    for (let at = 0; at < old.length; at += 2) {
      if (old[at] !== 0) this.#place(old[at] ?? 0, old[at + 1] ?? 0);
    }
    old.buffer.transfer(0);
  }
}
