import { bearerAuthChallengeResponse, OAuthError, OAuthErrorCode } from "@modelcontextprotocol/server";
import { Identity, LOCAL, SCOPES } from "./identity.ts";
import { metadataUrl, refusal } from "./refusal.ts";
import type { AuthSettings } from "./auth_settings.ts";
import { KeysUnavailableError } from "./issuer_keys.ts";
import {
  bearerOf,
  type StaticToken,
  tokenScopes,
  TokenVerifier,
  type TokenVerifierOptions,
  type VerifiedToken,
} from "./token_verifier.ts";

const RETRY_SECONDS = "10";

interface AuthenticatorParts extends TokenVerifierOptions {
  readonly tokens: readonly StaticToken[];
  readonly auth?: AuthSettings | undefined;
  /** `undefined` for a token without access. */
  readonly admit?: (token: VerifiedToken) => Identity | undefined;
}

export class Authenticator {
  readonly #parts: AuthenticatorParts;
  #verifier: Promise<TokenVerifier> | undefined;

  /** Without any accepted tokens, every caller is admitted, as on a loopback address. */
  constructor(parts: AuthenticatorParts) {
    this.#parts = parts;
  }

  async open(): Promise<void> {
    const { auth } = this.#parts;
    if (auth !== undefined) await (this.#verifier ??= TokenVerifier.open(auth, this.#parts));
  }

  async identify(request: Request): Promise<Identity | Response> {
    const { tokens, auth } = this.#parts;
    if (tokens.length === 0 && auth === undefined) return LOCAL;
    const token = bearerToken(request);
    const holder = token === undefined ? undefined : bearerOf(token, tokens);
    if (holder !== undefined) return holder;
    if (auth === undefined) {
      return refusal(401, "The bearer token is missing or wrong", { "www-authenticate": "Bearer" });
    }
    try {
      if (token === undefined) {
        throw new OAuthError(
          OAuthErrorCode.InvalidToken,
          "The request has no token in its Authorization header",
        );
      }
      return await this.#identifyByIssuer(token);
    } catch (error) {
      if (error instanceof KeysUnavailableError) {
        return refusal(503, error.message, { "retry-after": RETRY_SECONDS });
      }
      return bearerAuthChallengeResponse(error, {
        resourceMetadataUrl: metadataUrl(auth),
        ...(isOfScope(error) ? { requiredScopes: [...SCOPES] } : {}),
      });
    }
  }

  async #identifyByIssuer(token: string): Promise<Identity | Response> {
    await this.open();
    const verified = await (await this.#verifier!).verify(token);
    const { admit = identityOfToken } = this.#parts;
    const identity = admit(verified);
    if (identity === undefined) {
      return refusal(403, "The token matches no account of this server, or several");
    }
    if (identity.scopes.length > 0) return identity;
    throw new OAuthError(OAuthErrorCode.InsufficientScope, "The token has none of the scopes of this server");
  }
}

function identityOfToken({ subject, claims, expiresAt }: VerifiedToken): Identity {
  return new Identity({ subject, kind: "oauth", scopes: tokenScopes(claims), expiresAt: expiresAt * 1000 });
}

/** Ignores tokens in the URL, because URLs are logged. */
function bearerToken(request: Request): string | undefined {
  return /^Bearer +(.+)$/i.exec(request.headers.get("authorization") ?? "")?.[1]?.trim();
}

function isOfScope(error: unknown): boolean {
  return error instanceof OAuthError && error.code === OAuthErrorCode.InsufficientScope;
}
