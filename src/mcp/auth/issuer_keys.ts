import type { JSONWebKeySet } from "jose";
import { ConfigurationError } from "../../errors.ts";
import { type AuthSettings, isSecureAddress } from "./auth_settings.ts";

/** Seconds for one request to the issuer, and characters of what it sends. */
const TIMEOUT = 5;
const MAX_TEXT = 1_000_000;

/**
 * Reads the keys with which an issuer signs. Where its settings do not name their address, its metadata do.
 *
 * @throws {ConfigurationError} that says what could not be read, and why.
 */
export async function readIssuerKeys(
  settings: AuthSettings,
  fetch: typeof globalThis.fetch,
): Promise<JSONWebKeySet> {
  const address = settings.jwks ?? await findKeys(settings.issuer, fetch);
  const found = await readJson(address, fetch);
  if (isRecord(found) && Array.isArray(found["keys"]) && found["keys"].every(isRecord)) {
    return { keys: found["keys"] };
  }
  throw new ConfigurationError(`Cannot read the issuer's keys at ${address}: it holds no list of keys`);
}

/** Address of the keys, by the metadata of the authorization server (RFC 8414), or else of the identity provider. */
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
    `Cannot read the metadata of the issuer "${issuer}". Name its keys with --auth-jwks. Tried\n${
      failures.map((failure) => `  ${failure}`).join("\n")
    }`,
  );
}

function keysIn(metadata: unknown, issuer: string): string {
  const { issuer: name, jwks_uri: address } = isRecord(metadata) ? metadata : {};
  if (name !== issuer) {
    throw new ConfigurationError(`it calls itself ${JSON.stringify(name)?.slice(0, 200) ?? "nothing"}`);
  }
  if (typeof address === "string" && isSecureAddress(address)) return address;
  throw new ConfigurationError("it names no https address of keys (jwks_uri)");
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

/** The text of a response, unless it is larger than metadata and keys ever are. */
async function shortText({ body }: Response): Promise<string> {
  let text = "";
  for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    if (text.length > MAX_TEXT) throw new ConfigurationError(`it has more than ${MAX_TEXT} characters`);
  }
  return text;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
