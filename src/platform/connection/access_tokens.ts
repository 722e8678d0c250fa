import { ApiError, AuthError, NetworkError } from "../../errors.ts";
import { fieldsOf } from "../../base/json/fields_of.ts";
import { abortable } from "../../base/runtime/abortable.ts";
import type { Credentials } from "./credentials.ts";

/** Response of the token endpoint. */
export interface TokenResponse {
  /** HTTP status. */
  readonly status: number;
  /** Parsed JSON body, or the text when it is none. */
  readonly body: unknown;
}

/** Posts a form to the token endpoint, repeating what may be repeated. */
type TokenSender = (
  form: Readonly<Record<string, string>>,
  signal?: AbortSignal,
) => Promise<TokenResponse>;

/** Source of tokens, and the clock for their expiry. */
interface AccessTokensOptions {
  /** Identity of the caller. */
  readonly credentials: Credentials;
  /** Posts the form. */
  readonly send: TokenSender;
  readonly now: () => number;
}

/** Seconds before its expiry at which an access token is no longer used. */
const MARGIN_SECONDS = 120;

/**
 * Access tokens of one client: cached, renewed 120 s before they expire, and renewed once however many callers wait.
 */
export class AccessTokens {
  readonly #options: AccessTokensOptions;
  #recent: readonly string[] = [];
  #current: { token: string; usableUntil: number } | undefined;
  #pending: Promise<string> | undefined;

  /**
   * Starts without a token.
   *
   * @param options Credentials, the way to the token endpoint, and the clock.
   */
  constructor(options: AccessTokensOptions) {
    this.#options = options;
  }

  /**
   * A token that is good for at least two more minutes.
   *
   * @throws {AuthError} when the identity provider refuses or fails.
   * @throws {NetworkError} when it does not respond; `mayHaveActed` is false, for the token was for a request that was
   * not sent yet.
   */
  get(signal?: AbortSignal): Promise<string> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (this.#current !== undefined && this.#options.now() < this.#current.usableUntil) {
      return Promise.resolve(this.#current.token);
    }
    // The shared renewal follows no single caller's signal: one caller's abort must not fail the others.
    this.#pending ??= this.#renew().finally(() => this.#pending = undefined);
    return abortable(this.#pending, signal);
  }

  /** True for the present token while it is good for at least two more minutes. */
  isUsable(token: string): boolean {
    return this.#current?.token === token && this.#options.now() < this.#current.usableUntil;
  }

  /** The newest token and the one before: what must not show up in anything that leaves the process. */
  get recent(): readonly string[] {
    return this.#recent;
  }

  /** Drops a token that the platform refused; a newer one that is already in place stays. */
  forget(token: string): void {
    if (this.#current?.token === token) this.#current = undefined;
  }

  async #renew(): Promise<string> {
    const { credentials, send, now } = this.#options;
    const response = await send({
      grant_type: "refresh_token",
      refresh_token: credentials.refreshToken,
      client_id: credentials.clientId,
      client_secret: credentials.clientSecret,
    }).catch(aboutTheToken);
    const { token, expiresIn } = readTokenResponse(response);
    const lifetime = Math.max(expiresIn - MARGIN_SECONDS, expiresIn / 2);
    this.#current = { token, usableUntil: now() + lifetime * 1000 };
    this.#recent = [token, ...this.#recent.slice(0, 1)];
    return token;
  }
}

/**
 * Takes the access token and its lifetime (seconds) out of a response of the token endpoint.
 *
 * @throws {AuthError} when the response is a refusal or holds no token.
 */
export function readTokenResponse(
  response: TokenResponse,
): { token: string; expiresIn: number; refreshToken?: string } {
  const body = fieldsOf(response.body);
  const token = body["access_token"];
  if (response.status === 200 && typeof token === "string" && token !== "") {
    const expiresIn = Number(body["expires_in"] ?? 3600);
    const refreshToken = body["refresh_token"];
    return {
      token,
      expiresIn: expiresIn > 0 ? expiresIn : 3600,
      ...(typeof refreshToken === "string" ? { refreshToken } : {}),
    };
  }
  const error = typeof body["error"] === "string" ? body["error"] : `http_${response.status}`;
  const description = typeof body["error_description"] === "string" ? `: ${body["error_description"]}` : "";
  throw new AuthError(
    `Cannot get an access token: the identity provider responded with "${error}"${description}${
      adviceFor(error)
    }`,
    error,
  );
}

function adviceFor(error: string): string {
  switch (error) {
    case "invalid_grant":
      return '. The refresh token expired or the client secret was reset: consent again with "adsctl auth url"';
    case "invalid_client":
    case "unauthorized_client":
      return ". Check PLATFORM_ADS_CLIENT_ID and PLATFORM_ADS_CLIENT_SECRET";
    default:
      return error.startsWith("http_") ? ". Check PLATFORM_ADS_TOKEN_URL" : "";
  }
}

/** A failure on the way to a token says nothing about the request that waits for the token: that one never left. */
function aboutTheToken(cause: unknown): never {
  if (cause instanceof NetworkError) {
    const { method, url, timedOut } = cause;
    throw new NetworkError(`Cannot get an access token. ${cause.message}`, {
      method,
      url,
      timedOut,
      mayHaveActed: false,
    }, { cause });
  }
  if (cause instanceof ApiError) {
    const error = `http_${cause.statusCode}`;
    throw new AuthError(`Cannot get an access token. ${cause.message}`, error, { cause });
  }
  throw cause;
}
