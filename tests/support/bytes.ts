import { gzipSync } from "node:zlib";
import type { SeededRandom } from "./seeded_random.ts";

/** UTF-8 bytes of a text. */
export function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** A text or bytes as one gzip member. */
export function gzip(content: string | Uint8Array): Uint8Array {
  return new Uint8Array(gzipSync(content));
}

/** Arrays of bytes one after the other. */
export function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** The same bytes in pieces of 1 to `largest` bytes. */
export function* pieces(bytes: Uint8Array, random: SeededRandom, largest: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length;) {
    const size = random.integer(1, largest);
    yield bytes.slice(at, at + size);
    at += size;
  }
}
