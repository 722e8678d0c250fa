import { createHash, timingSafeEqual } from "node:crypto";
import type { Identity } from "../identity/identity.ts";

/** A token that was agreed on, as its digest, and who bears it. */
export interface StaticToken {
  /** SHA-256 of the token. */
  readonly digest: Uint8Array;
  /** Bearer of the token. */
  readonly identity: Identity;
}

/** The token of a person or program. */
export function staticToken(token: string, identity: Identity): StaticToken {
  return { digest: digestOf(token), identity };
}

/**
 * Finds the bearer of a token; `undefined` for an unknown one. Digests are compared in constant time, each of them, so
 * that neither the length nor a part of a token shows in how long it takes.
 */
export function bearerOf(token: string, known: readonly StaticToken[]): Identity | undefined {
  const digest = digestOf(token);
  return known.filter((one) => timingSafeEqual(one.digest, digest))[0]?.identity;
}

function digestOf(token: string): Uint8Array {
  return createHash("sha256").update(token).digest();
}
