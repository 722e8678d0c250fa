import type { ByteSource } from "./byte_source.ts";

/** A source of bytes whose beginning can be looked at before it is read, and that remembers whether it failed. */
export class PeekedBytes implements AsyncIterable<Uint8Array> {
  readonly #source: AsyncIterator<Uint8Array> | Iterator<Uint8Array>;
  readonly #held: Uint8Array[] = [];
  #count = 0;
  #failed = false;

  /** @param source Where the bytes come from; it is read once. */
  constructor(source: ByteSource) {
    this.#source = Symbol.asyncIterator in source
      ? source[Symbol.asyncIterator]()
      : source[Symbol.iterator]();
  }

  /** Bytes that came so far. */
  get count(): number {
    return this.#count;
  }

  /** True when the source itself failed, whatever was made of the error since. */
  get failed(): boolean {
    return this.#failed;
  }

  /** True when the source begins with these bytes; they are still there to be read. */
  async startWith(...bytes: number[]): Promise<boolean> {
    while (this.#count < bytes.length) {
      const chunk = await this.#next();
      if (chunk === undefined) return false;
      this.#held.push(chunk);
    }
    const start = this.#held.flatMap((chunk) => [...chunk.subarray(0, bytes.length)]);
    return bytes.every((byte, index) => start[index] === byte);
  }

  /** The bytes, those that were looked at included. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      yield* this.#held.splice(0);
      for (let chunk = await this.#next(); chunk !== undefined; chunk = await this.#next()) yield chunk;
    } finally {
      await this.#source.return?.();
    }
  }

  async #next(): Promise<Uint8Array | undefined> {
    try {
      const { done, value } = await this.#source.next();
      if (done) return undefined;
      this.#count += value.length;
      return value;
    } catch (error) {
      this.#failed = true;
      throw error;
    }
  }
}
