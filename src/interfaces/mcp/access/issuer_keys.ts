import { isObject } from "../../../base/json/fields_of.ts";
import type { CryptoKey, JSONWebKeySet, JWSHeaderParameters, LocalJWKSet } from "jose";
import { ConfigurationError } from "../../../errors.ts";
import { type AuthSettings, isSecureAddress } from "./auth_settings.ts";

const TIMEOUT = 5;
const MAX_TEXT = 1_000_000;

/**
 * Uses the issuer's metadata if the settings name no address.
 *
 * @throws {ConfigurationError} when the keys cannot be read.
 */
export async function readIssuerKeys(
  settings: AuthSettings,
  fetch: typeof globalThis.fetch,
): Promise<JSONWebKeySet> {
  const address = settings.jwks ?? await findKeys(settings.issuer, fetch);
  const found = await readJson(address, fetch);
  if (isObject(found) && Array.isArray(found["keys"]) && found["keys"].every(isObject)) {
    return { keys: found["keys"] };
  }
  throw new ConfigurationError(`Cannot read the issuer's keys at ${address}: it holds no list of keys`);
}

/** Tries the authorization server's metadata (RFC 8414), then the OpenID provider's. */
async function findKeys(issuer: string, fetch: typeof globalThis.fetch): Promise<string> {
  const failures: string[] = [];
  for (const address of metadataAddresses(issuer)) {
    try {
      return keysIn(await readJson(address, fetch), issuer);
    } catch (error) {
      failures.push(`${address}: ${(error as Error).message}`);
    }
  }
  throw new ConfigurationError(
    `Cannot read the metadata of the issuer "${issuer}". Add its keys with --auth-jwks. Tried\n${
      failures.map((failure) => `  ${failure}`).join("\n")
    }`,
  );
}

function keysIn(metadata: unknown, issuer: string): string {
  const { issuer: name, jwks_uri: address } = isObject(metadata) ? metadata : {};
  if (name !== issuer) {
    throw new ConfigurationError(`it calls itself ${JSON.stringify(name)?.slice(0, 200) ?? "nothing"}`);
  }
  if (typeof address === "string" && isSecureAddress(address)) return address;
  throw new ConfigurationError("it has no https address of keys (jwks_uri)");
}

function metadataAddresses(issuer: string): string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, "");
  return [
    ...new Set([
      `${origin}/.well-known/oauth-authorization-server${path}`,
      `${origin}/.well-known/openid-configuration${path}`,
      `${origin}${path}/.well-known/openid-configuration`,
    ]),
  ];
}

async function readJson(address: string, fetch: typeof globalThis.fetch): Promise<unknown> {
  let response;
  try {
    response = await fetch(address, {
      headers: { accept: "application/json" },
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT * 1000),
    });
  } catch (error) {
    const why = (error as Error).name === "TimeoutError"
      ? `no response in ${TIMEOUT} s`
      : "it cannot be reached";
    throw new ConfigurationError(why, { cause: error });
  }
  if (!response.ok) {
    await response.body?.cancel();
    throw new ConfigurationError(`status ${response.status}`);
  }
  const text = await shortText(response);
  try {
    return JSON.parse(text);
  } catch {
    throw new ConfigurationError("it is not JSON");
  }
}

async function shortText({ body }: Response): Promise<string> {
  let text = "";
  for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    if (text.length > MAX_TEXT) throw new ConfigurationError(`it has more than ${MAX_TEXT} characters`);
  }
  return text;
}

const MAX_AGE = 10 * 60 * 1000;
const COOLDOWN = 10 * 1000;
/**
 * Milliseconds that known keys remain valid while the issuer is unreachable. After that, a key may have been revoked.
 */
const MAX_STALE = 24 * 3600 * 1000;

/** The issuer is unreachable and no keys are known, so tokens can be neither accepted nor rejected. */
export class KeysUnavailableError extends Error {
  override readonly name = "KeysUnavailableError";
}

interface KeySetParts {
  readonly read: () => Promise<JSONWebKeySet>;
  readonly choose: (keys: JSONWebKeySet) => LocalJWKSet;
  readonly isUnknownKey: (error: unknown) => boolean;
  readonly now: () => number;
  readonly log: (line: string) => void;
}

/**
 * Reads keys every ten minutes, and for an unknown key at most once in ten seconds. While the issuer is unreachable,
 * known keys stay valid for a day.
 */
export class KeySet {
  readonly #parts: KeySetParts;
  #keys: LocalJWKSet | undefined;
  #readAt = -Infinity;
  #triedAt = -Infinity;
  #soughtAt = -Infinity;
  #reading: Promise<void> | undefined;

  constructor(parts: KeySetParts) {
    this.#parts = parts;
  }

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

  /** Reads the keys again, except shortly after the last attempt. Never throws. */
  async refresh(): Promise<void> {
    if (this.#reading !== undefined || this.#parts.now() - this.#triedAt >= COOLDOWN) await this.#readOnce();
  }

  /** Concurrent callers share one request. */
  #readOnce(): Promise<void> {
    this.#triedAt = this.#parts.now();
    return this.#reading ??= this.#read().finally(() => this.#reading = undefined);
  }

  get #age(): number {
    return this.#parts.now() - this.#readAt;
  }

  async #known(header: JWSHeaderParameters): Promise<CryptoKey> {
    if (this.#keys === undefined || this.#age > MAX_STALE) {
      throw new KeysUnavailableError("The issuer's keys cannot be read at the moment");
    }
    return await this.#keys(header);
  }

  async #read(): Promise<void> {
    const { read, choose, log, now } = this.#parts;
    try {
      this.#keys = choose(await read());
      this.#readAt = now();
    } catch (error) {
      const known = this.#keys === undefined ? "tokens cannot be checked" : "known keys stay valid";
      log(`Cannot renew the keys of the token issuer, ${known}: ${(error as Error).message}`);
    }
  }
}
