import { ApiError, AuthError, NetworkError } from "../../errors.ts";
import { fieldsOf } from "../../base/json/fields_of.ts";
import { abortable } from "../../base/time/clock.ts";
import type { Credentials } from "./credentials.ts";

/** Response of the token endpoint. */
export interface TokenResponse {
  /** HTTP status. */
  readonly status: number;
  /** Parsed JSON body, or the text if it is not JSON. */
  readonly body: unknown;
}

type TokenSender = (
  form: Readonly<Record<string, string>>,
  signal?: AbortSignal,
) => Promise<TokenResponse>;

interface AccessTokensOptions {
  readonly credentials: Credentials;
  readonly send: TokenSender;
  readonly now: () => number;
}

/** Seconds before expiry at which a token is no longer used. */
const MARGIN_SECONDS = 120;

/** Renews the cached token 120 s before it expires; concurrent callers share one renewal. */
export class AccessTokens {
  readonly #options: AccessTokensOptions;
  #recent: readonly string[] = [];
  #current: { token: string; usableUntil: number } | undefined;
  #pending: Promise<string> | undefined;

  constructor(options: AccessTokensOptions) {
    this.#options = options;
  }

  /**
   * Returns a token valid for at least two more minutes.
   *
   * @throws {AuthError} when the identity provider refuses or fails.
   * @throws {NetworkError} when it does not respond; `mayHaveActed` is false, because the actual request was not sent.
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

  isUsable(token: string): boolean {
    return this.#current?.token === token && this.#options.now() < this.#current.usableUntil;
  }

  /** The newest two tokens, to keep them out of logs and errors. */
  get recent(): readonly string[] {
    return this.#recent;
  }

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
