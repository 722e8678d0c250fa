import { type HttpResponse, jsonResponse } from "../http/http_response.ts";
import type { Clock } from "../core/clock.ts";
import type { IncomingRequest } from "../http/incoming_request.ts";
import type { EmulatorState } from "../state/emulator_state.ts";
import { ACCESS_TOKEN_LIFE, type Account, type Tokens } from "../state/tokens.ts";

export interface TokenEndpointParts {
  readonly account: Account;
  readonly tokens: Tokens;
  readonly state: EmulatorState;
  readonly clock: Clock;
}

export function handleTokenRequest(request: IncomingRequest, parts: TokenEndpointParts): HttpResponse {
  if (request.method !== "POST") return failure(405, "invalid_request", "The request method must be POST");
  if (request.mediaType !== "application/x-www-form-urlencoded") {
    return failure(400, "invalid_request", "The Content-Type must be application/x-www-form-urlencoded");
  }
  const form = new URLSearchParams(request.text());
  const missing = ["grant_type", "client_id", "client_secret"].find((name) => !form.get(name));
  if (missing !== undefined) {
    return failure(400, "invalid_request", `The request is missing a required parameter : ${missing}`);
  }
  const { credentials } = parts.account;
  if (
    form.get("client_id") !== credentials.clientId || form.get("client_secret") !== credentials.clientSecret
  ) {
    return failure(401, "invalid_client", "Client authentication failed");
  }
  switch (form.get("grant_type")) {
    case "refresh_token":
      return refresh(form, parts);
    case "authorization_code":
      return exchange(form, parts);
    default:
      return failure(400, "unsupported_grant_type", "The grant type is not supported");
  }
}

function refresh(form: URLSearchParams, { tokens }: TokenEndpointParts): HttpResponse {
  const token = form.get("refresh_token");
  if (!token) {
    return failure(400, "invalid_request", "The request is missing a required parameter : refresh_token");
  }
  const worth = tokens.checkRefresh(token);
  if (worth !== "valid") {
    return failure(
      400,
      "invalid_grant",
      `The refresh token is ${worth === "expired" ? "expired" : "invalid"}`,
    );
  }
  return grant(tokens, token);
}

function exchange(form: URLSearchParams, { tokens, state, clock }: TokenEndpointParts): HttpResponse {
  const missing = ["code", "redirect_uri"].find((name) => !form.get(name));
  if (missing !== undefined) {
    return failure(400, "invalid_request", `The request is missing a required parameter : ${missing}`);
  }
  const code = state.codes.get(form.get("code")!);
  if (code === undefined) return failure(400, "invalid_grant", "The authorization code is invalid");
  if (code.used) return failure(400, "invalid_grant", "The authorization code was used before");
  if (clock.now() >= code.expiresAt) {
    return failure(400, "invalid_grant", "The authorization code is expired");
  }
  if (code.redirectUri !== form.get("redirect_uri")) {
    return failure(
      400,
      "invalid_grant",
      "The redirect_uri does not match the one of the authorization request",
    );
  }
  state.codes.set(code.code, { ...code, used: true });
  state.touch();
  return grant(tokens, tokens.issueRefresh());
}

function grant(tokens: Tokens, refreshToken: string): HttpResponse {
  return jsonResponse(200, {
    access_token: tokens.issueAccess(),
    refresh_token: refreshToken,
    token_type: "bearer",
    expires_in: ACCESS_TOKEN_LIFE,
  }, { headers: { "cache-control": "no-store" } });
}

function failure(status: number, error: string, description: string): HttpResponse {
  return jsonResponse(status, { error, error_description: description });
}
