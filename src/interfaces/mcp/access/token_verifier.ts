import { OAuthError, OAuthErrorCode } from "@modelcontextprotocol/server";
import type { JWTPayload, JWTVerifyResult } from "jose";
import { withPackages } from "../../../store/model/optional_packages.ts";
import type { AuthSettings } from "./auth_settings.ts";
import { KeySet, KeysUnavailableError, readIssuerKeys } from "./issuer_keys.ts";
import { createHash, timingSafeEqual } from "node:crypto";
import { type Identity, type Scope, SCOPES } from "./identity.ts";

/** Asymmetric algorithms only: no shared secrets, and not "none". */
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
/** `typ` values of access tokens; other tokens of the issuer, such as logout tokens, are rejected. */
const TYPES = [undefined, "jwt", "at+jwt", "application/at+jwt"];
const CLOCK_SKEW = 30;
const MAX_TOKEN_LENGTH = 8192;
const MAX_SUBJECT_LENGTH = 255;

export interface VerifiedToken {
  readonly subject: string;
  readonly claims: JWTPayload;
  /** Seconds since the epoch. */
  readonly expiresAt: number;
}

export interface TokenVerifierOptions {
  readonly fetch?: typeof globalThis.fetch | undefined;
  readonly now?: (() => number) | undefined;
  readonly log: (line: string) => void;
}

type Jose = Pick<typeof import("jose"), "createLocalJWKSet" | "errors" | "jwtVerify">;

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
   * An unreachable issuer is logged and tried again later.
   *
   * @throws {ConfigurationError} when the token package is not installed.
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
   * @throws {OAuthError} with the reason, but no part of the token.
   * @throws {KeysUnavailableError} when the keys cannot be read at the moment.
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

/** Identifies a client that acts for itself; never equal to a person's subject. */
function clientOf({ client_id: id, azp }: Record<string, unknown>): string | undefined {
  if (typeof id === "string" && id !== "") return `client_id:${id}`;
  return typeof azp === "string" && azp !== "" ? `azp:${azp}` : undefined;
}

function refusal(reason: string): OAuthError {
  return new OAuthError(OAuthErrorCode.InvalidToken, `The token is not accepted. ${reason}`);
}

export interface StaticToken {
  readonly digest: Uint8Array;
  readonly identity: Identity;
}

export function staticToken(token: string, identity: Identity): StaticToken {
  return { digest: digestOf(token), identity };
}

/** Compares with every digest in constant time, so that timing reveals nothing about a token. */
export function bearerOf(token: string, known: readonly StaticToken[]): Identity | undefined {
  const digest = digestOf(token);
  return known.filter((one) => timingSafeEqual(one.digest, digest))[0]?.identity;
}

function digestOf(token: string): Uint8Array {
  return createHash("sha256").update(token).digest();
}

/** Reads `scope` or `scp`, as space-separated text or a list. */
export function tokenScopes({ scope, scp }: Readonly<Record<string, unknown>>): Scope[] {
  const granted = [scope, scp].flatMap((claim) => typeof claim === "string" ? claim.split(" ") : claim);
  return SCOPES.filter((one) => granted.includes(one));
}
