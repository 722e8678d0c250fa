import { OAuthError, OAuthErrorCode } from "@modelcontextprotocol/server";
import type { JWTPayload, JWTVerifyResult } from "jose";
import { withPackages } from "../../../store/model/optional_packages.ts";
import type { AuthSettings } from "./auth_settings.ts";
import { KeySet, KeysUnavailableError, readIssuerKeys } from "./issuer_keys.ts";
import { createHash, timingSafeEqual } from "node:crypto";
import { type Identity, type Scope, SCOPES } from "./identity.ts";

/** Signatures that only the issuer can make: none with a secret that this server would know, and not "none". */
const ALGORITHMS = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];
/** Types of an access token; others of the same issuer, as for a logout, have another type. */
const TYPES = [undefined, "jwt", "at+jwt", "application/at+jwt"];
/** Seconds by which the clocks of issuer and server may differ. */
const CLOCK_SKEW = 30;
const MAX_TOKEN_LENGTH = 8192;
const MAX_SUBJECT_LENGTH = 255;

/** Claims of a verified token. */
export interface VerifiedToken {
  /** Person of the token, or the program that acts for itself. */
  readonly subject: string;
  /** Everything that it says, as the issuer signed it. */
  readonly claims: JWTPayload;
  /** Seconds since the epoch at which it expires. */
  readonly expiresAt: number;
}

/** The world of a {@linkcode TokenVerifier}. */
export interface TokenVerifierOptions {
  /** Reaches the issuer. @default globalThis.fetch */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Clock for the expiry of tokens, in epoch milliseconds. @default Date.now */
  readonly now?: (() => number) | undefined;
  readonly log: (line: string) => void;
}

type Jose = Pick<typeof import("jose"), "createLocalJWKSet" | "errors" | "jwtVerify">;

/** Checks tokens: who signed them, for whom, and until when. */
export class TokenVerifier {
  readonly #settings: AuthSettings;
  readonly #jose: Jose;
  readonly #keys: KeySet;
  readonly #now: () => number;

  private constructor(settings: AuthSettings, parts: { jose: Jose; keys: KeySet; now: () => number }) {
    this.#settings = settings;
    this.#jose = parts.jose;
    this.#keys = parts.keys;
    this.#now = parts.now;
  }

  /**
   * Makes a verifier and reads the issuer's keys. An issuer that cannot be read is logged and tried again later.
   *
   * @throws {ConfigurationError} when the package that checks tokens is not installed.
   */
  static async open(settings: AuthSettings, options: TokenVerifierOptions): Promise<TokenVerifier> {
    const { fetch = globalThis.fetch, now = Date.now, log } = options;
    const jose: Jose = await withPackages("tokens of an issuer", "jose", () => import("jose"));
    const keys = new KeySet({
      read: () => readIssuerKeys(settings, fetch),
      choose: jose.createLocalJWKSet,
      isUnknownKey: (error) => error instanceof jose.errors.JWKSNoMatchingKey,
      now,
      log,
    });
    await keys.refresh();
    return new TokenVerifier(settings, { jose, keys, now });
  }

  /**
   * Checks a token.
   *
   * @throws {OAuthError} that says why it is not accepted, without a part of it.
   * @throws {KeysUnavailableError} when that cannot be found out at the moment.
   */
  async verify(token: string): Promise<VerifiedToken> {
    if (token.length > MAX_TOKEN_LENGTH) throw refusal(`It is longer than ${MAX_TOKEN_LENGTH} characters`);
    const { payload, protectedHeader } = await this.#verified(token);
    if (!TYPES.includes(protectedHeader.typ?.toLowerCase())) throw refusal("It is not an access token");
    if (payload["cnf"] !== undefined) throw refusal("It is bound to a key, which this server cannot check");
    const subject = payload.sub ?? clientOf(payload);
    // A subject of that form is no client: each has names of its own.
    if (payload.sub !== undefined && CLIENT.test(String(payload.sub))) {
      throw refusal("Its subject has the form of a client's name");
    }
    if (typeof subject !== "string" || subject === "" || subject.length > MAX_SUBJECT_LENGTH) {
      throw refusal("It has no subject");
    }
    return { subject, claims: payload, expiresAt: payload.exp! };
  }

  async #verified(token: string): Promise<JWTVerifyResult> {
    try {
      return await this.#jose.jwtVerify(token, (header) => this.#keys.find(header), {
        issuer: this.#settings.issuer,
        audience: this.#settings.audience,
        algorithms: ALGORITHMS,
        requiredClaims: ["exp"],
        clockTolerance: CLOCK_SKEW,
        currentDate: new Date(this.#now()),
      });
    } catch (error) {
      if (error instanceof KeysUnavailableError) throw error;
      throw refusal(this.#reason(error));
    }
  }

  #reason(error: unknown): string {
    const { JWTExpired, JWTClaimValidationFailed } = this.#jose.errors;
    if (error instanceof JWTExpired) return "It has expired";
    if (!(error instanceof JWTClaimValidationFailed)) return "It was not signed by the issuer, or is damaged";
    const reasons: Record<string, string> = {
      iss: "It is from another issuer",
      aud: "It was issued for another server",
      nbf: "It is not valid yet",
      exp: "It has no expiry time",
    };
    return reasons[error.claim] ?? "One of its claims is invalid";
  }
}

const CLIENT = /^(?:client_id|azp):/;

/** Name of a client that acts for itself, distinct from every subject of a person. */
function clientOf({ client_id: id, azp }: Record<string, unknown>): string | undefined {
  if (typeof id === "string" && id !== "") return `client_id:${id}`;
  return typeof azp === "string" && azp !== "" ? `azp:${azp}` : undefined;
}

function refusal(reason: string): OAuthError {
  return new OAuthError(OAuthErrorCode.InvalidToken, `The token is not accepted. ${reason}`);
}

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

/** The scopes that a token grants here: in `scope` or `scp`, as a text parted by spaces or as a list. */
export function tokenScopes({ scope, scp }: Readonly<Record<string, unknown>>): Scope[] {
  const granted = [scope, scp].flatMap((claim) => typeof claim === "string" ? claim.split(" ") : claim);
  return SCOPES.filter((one) => granted.includes(one));
}
