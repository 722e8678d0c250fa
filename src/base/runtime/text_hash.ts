import { Sha256 } from "../text/sha256.ts";

/** Length from which the runtime's native hash is worth loading, because it is twenty times as fast. */
const LONG = 100_000;

interface NativeHash {
  update(text: string, encoding: "utf8"): unknown;
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

function nativeHash(): NativeHash | undefined {
  const runtime = globalThis as {
    process?: { getBuiltinModule?: (name: string) => { createHash?: (algorithm: string) => NativeHash } };
  };
  return runtime.process?.getBuiltinModule?.("crypto")?.createHash?.("sha256");
}
