/** What happened in a run, in order. The hash of two runs of one seed must be equal. */
export class EventLog {
  readonly lines: string[] = [];
  #hash = 0xcbf29ce484222325n;

  /** Adds a line that counts for the hash. */
  add(line: string): void {
    this.lines.push(line);
    for (let at = 0; at < line.length; at++) {
      this.#hash = BigInt.asUintN(64, (this.#hash ^ BigInt(line.charCodeAt(at))) * 0x100000001b3n);
    }
  }

  /** FNV-1a of all lines, 16 hexadecimal digits. */
  get hash(): string {
    return this.#hash.toString(16).padStart(16, "0");
  }
}
