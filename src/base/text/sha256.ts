const K = Uint32Array.from(firstPrimes(64), (prime) => fraction(Math.cbrt(prime)));
const START = Uint32Array.from(firstPrimes(8), (prime) => fraction(Math.sqrt(prime)));

const BLOCK = 4096;
/** Shared buffer, because allocating one takes longer than hashing a short text. */
const ROOM = new Uint8Array(BLOCK * 64);
const VIEW = new DataView(ROOM.buffer);
const WORDS = new Uint32Array(64);
const ENCODER = new TextEncoder();
/** All bytes as two hexadecimal digits. */
const DIGITS: readonly string[] = Array.from(
  { length: 256 },
  (_, byte) => byte.toString(16).padStart(2, "0"),
);

/**
 * Returns the hexadecimal SHA-256 of the UTF-8 bytes. Synchronous, unlike Web Crypto, because a plan's fingerprint is
 * a plain property.
 *
 * @param text The text or its parts; parts must not split a surrogate pair.
 */
export function sha256(text: string | Iterable<string>): string {
  if (typeof text === "string") {
    WHOLE.reset();
    WHOLE.update(text);
    return WHOLE.hex();
  }
  const hash = new Sha256();
  for (const part of text) hash.update(part);
  return hash.hex();
}

export class Sha256 {
  readonly #hash = START.slice();
  readonly #rest = new Uint8Array(64);
  #filled = 0;
  #length = 0;

  /** Begins anew. */
  reset(): void {
    this.#hash.set(START);
    this.#filled = 0;
    this.#length = 0;
  }

  update(part: string): void {
    ROOM.set(this.#rest);
    for (let at = 0; at < part.length;) {
      // A character of two units is not cut in half.
      const isCut = (part.charCodeAt(at + BLOCK - 1) & 0xfc00) === 0xd800;
      const piece = part.slice(at, at + BLOCK - (isCut ? 1 : 0));
      const { read, written } = ENCODER.encodeInto(piece, ROOM.subarray(this.#filled));
      at += read;
      this.#filled += written;
      this.#length += written;
      this.#digest();
    }
    this.#rest.set(ROOM.subarray(0, 64));
  }

  hex(): string {
    ROOM.set(this.#rest);
    ROOM[this.#filled++] = 0x80;
    while (this.#filled % 64 !== 56) ROOM[this.#filled++] = 0;
    VIEW.setUint32(this.#filled, Math.floor(this.#length / 2 ** 29));
    VIEW.setUint32(this.#filled + 4, this.#length << 3);
    this.#filled += 8;
    this.#digest();
    let digits = "";
    for (let at = 0; at < 8; at++) {
      const word = this.#hash[at]!;
      digits += DIGITS[word >>> 24]! + DIGITS[(word >>> 16) & 255]! + DIGITS[(word >>> 8) & 255]! +
        DIGITS[word & 255]!;
    }
    return digits;
  }

  #digest(): void {
    const whole = this.#filled - this.#filled % 64;
    for (let block = 0; block < whole; block += 64) {
      for (let i = 0; i < 16; i++) WORDS[i] = VIEW.getUint32(block + i * 4);
      for (let i = 16; i < 64; i++) {
        const a = WORDS[i - 15]!;
        const b = WORDS[i - 2]!;
        const s0 = rotate(a, 7) ^ rotate(a, 18) ^ (a >>> 3);
        const s1 = rotate(b, 17) ^ rotate(b, 19) ^ (b >>> 10);
        WORDS[i] = WORDS[i - 16]! + s0 + WORDS[i - 7]! + s1;
      }
      compress(this.#hash, WORDS);
    }
    ROOM.copyWithin(0, whole, this.#filled);
    this.#filled -= whole;
  }
}

/** Shared hasher for whole texts, because creating one takes longer than hashing a short text. */
const WHOLE = new Sha256();

// Taking a list apart is slow for lists of typed numbers.
function compress(hash: Uint32Array, w: Uint32Array): void {
  let a = hash[0]!;
  let b = hash[1]!;
  let c = hash[2]!;
  let d = hash[3]!;
  let e = hash[4]!;
  let f = hash[5]!;
  let g = hash[6]!;
  let h = hash[7]!;
  for (let i = 0; i < 64; i++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + K[i]! + w[i]!) | 0;
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  hash[0]! += a;
  hash[1]! += b;
  hash[2]! += c;
  hash[3]! += d;
  hash[4]! += e;
  hash[5]! += f;
  hash[6]! += g;
  hash[7]! += h;
}

function rotate(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

function fraction(root: number): number {
  return (root % 1) * 2 ** 32;
}

function firstPrimes(count: number): number[] {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  return primes;
}

/** Length from which the runtime's native hash is worth loading, because it is twenty times as fast. */
const LONG = 100_000;

interface NativeHash {
  update(text: string, encoding: "utf8"): unknown;
  update(bytes: Uint8Array): unknown;
  digest(form: "hex"): string;
}

/** Hashes a text in parts; parts must not split a surrogate pair. */
export class TextHash {
  #waiting: string[] = [];
  #waitingLength = 0;
  #native: NativeHash | undefined;
  #plain: Sha256 | undefined;

  update(part: string): void {
    this.#waiting.push(part);
    this.#waitingLength += part.length;
    if (this.#waitingLength >= LONG) this.#flush(true);
  }

  hex(): string {
    this.#flush(false);
    return this.#native?.digest("hex") ?? (this.#plain ?? new Sha256()).hex();
  }

  #flush(isLong: boolean): void {
    const text = this.#waiting.join("");
    this.#waiting = [];
    this.#waitingLength = 0;
    if (isLong && this.#plain === undefined) this.#native ??= nativeHash();
    if (this.#native !== undefined) this.#native.update(text, "utf8");
    else (this.#plain ??= new Sha256()).update(text);
  }
}

/** The runtime's own SHA-256; `undefined` in browsers. */
export function nativeHash(): NativeHash | undefined {
  const runtime = globalThis as {
    process?: { getBuiltinModule?: (name: string) => { createHash?: (algorithm: string) => NativeHash } };
  };
  return runtime.process?.getBuiltinModule?.("crypto")?.createHash?.("sha256");
}
