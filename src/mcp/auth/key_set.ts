import type { CryptoKey, JSONWebKeySet, JWSHeaderParameters, LocalJWKSet } from "jose";

/** Milliseconds after which the keys are read again. */
const MAX_AGE = 10 * 60 * 1000;
/** Milliseconds between two attempts at it, and between two looks for keys that are not known. */
const COOLDOWN = 10 * 1000;
/** Milliseconds for which keys count while the issuer cannot be read: after that one of them may have been revoked. */
const MAX_STALE = 24 * 3600 * 1000;

/** The issuer cannot be read, and no keys of it are known: tokens can be neither accepted nor refused. */
export class KeysUnavailableError extends Error {
  override readonly name = "KeysUnavailableError";
}

export interface KeySetParts {
  /** Reads the issuer's keys. */
  readonly read: () => Promise<JSONWebKeySet>;
  /** Makes what chooses among them by a token's header. */
  readonly choose: (keys: JSONWebKeySet) => LocalJWKSet;
  /** True for the error that says that no key fits. */
  readonly isUnknownKey: (error: unknown) => boolean;
  readonly now: () => number;
  /** Takes a line for the log. */
  readonly log: (line: string) => void;
}

/**
 * The issuer's keys, kept in memory: read every ten minutes, and for a key that is not among them, at most once in
 * ten seconds. While the issuer cannot be read the known keys stay, for a day.
 */
export class KeySet {
  readonly #parts: KeySetParts;
  #keys: LocalJWKSet | undefined;
  #readAt = -Infinity;
  #triedAt = -Infinity;
  #soughtAt = -Infinity;
  #reading: Promise<void> | undefined;

  /** @param parts How keys are read and chosen. */
  constructor(parts: KeySetParts) {
    this.#parts = parts;
  }

  /**
   * The key that a token says it was signed with.
   *
   * @throws {KeysUnavailableError} when no keys could be read.
   */
  async find(header: JWSHeaderParameters): Promise<CryptoKey> {
    if (this.#age > MAX_AGE) await this.refresh();
    try {
      return await this.#known(header);
    } catch (error) {
      if (!this.#parts.isUnknownKey(error) || this.#parts.now() - this.#soughtAt < COOLDOWN) throw error;
      this.#soughtAt = this.#parts.now();
      await this.#readOnce();
      return await this.#known(header);
    }
  }

  /** Reads the keys again, unless that was tried a moment ago. Never fails. */
  async refresh(): Promise<void> {
    if (this.#reading !== undefined || this.#parts.now() - this.#triedAt >= COOLDOWN) await this.#readOnce();
  }

  /** Reads the keys; further callers wait for the same reading. */
  #readOnce(): Promise<void> {
    this.#triedAt = this.#parts.now();
    return this.#reading ??= this.#read().finally(() => this.#reading = undefined);
  }

  get #age(): number {
    return this.#parts.now() - this.#readAt;
  }

  async #known(header: JWSHeaderParameters): Promise<CryptoKey> {
    if (this.#keys === undefined || this.#age > MAX_STALE) {
      throw new KeysUnavailableError("The keys of the token's issuer cannot be read at the moment");
    }
    return await this.#keys(header);
  }

  async #read(): Promise<void> {
    const { read, choose, log, now } = this.#parts;
    try {
      this.#keys = choose(await read());
      this.#readAt = now();
    } catch (error) {
      const known = this.#keys === undefined
        ? "tokens cannot be checked"
        : "those that are known still count";
      log(`Cannot renew the keys of the token issuer, ${known}: ${(error as Error).message}`);
    }
  }
}
