import { randomUUID } from "node:crypto";
import type { Clock } from "../core/clock.ts";
import type { FaultEngine } from "../faults/fault_engine.ts";
import { respondUnderFaults } from "../faults/respond_under_faults.ts";
import {
  emptyResponse,
  type HttpResponse,
  jsonResponse,
  rawResponse,
  type Reply,
} from "../http/http_response.ts";
import type { IncomingRequest } from "../http/incoming_request.ts";
import type { Journal } from "../http/journal.ts";
import type { EmulatorState } from "../state/emulator_state.ts";
import { ACCESS_TOKEN_LIFE, type Account, type Tokens } from "../state/tokens.ts";

interface IdentityParts extends TokenEndpointParts {
  readonly journal: Journal;
  readonly faults: FaultEngine;
  readonly sleep: (milliseconds: number) => Promise<void>;
}

type Handler = (request: IncomingRequest, parts: IdentityParts) => HttpResponse;

const SERVED: Readonly<Record<string, { readonly operation: string; readonly handle: Handler }>> = {
  "/auth/token": { operation: "identity:token", handle: handleTokenRequest },
  "/auth/consent": { operation: "identity:consent", handle: handleConsentRequest },
};

export async function handleIdentityRequest(request: IncomingRequest, parts: IdentityParts): Promise<Reply> {
  parts.state.refresh();
  const { method, path } = request;
  const served = Object.hasOwn(SERVED, path) ? SERVED[path] : undefined;
  const about = { method, path, operation: served?.operation };
  const entry = parts.journal.add(parts.clock.iso(), {
    ...about,
    query: request.queryText,
    headers: request.headers,
    body: request.body,
    secret: true,
  });
  const faults = parts.faults.choose({ ...about, host: undefined, profileId: undefined });
  const reply = await respondUnderFaults(faults, entry, {
    wait: (seconds) => parts.sleep(seconds * 1000),
    act: () => Promise.resolve(served?.handle(request, parts) ?? nothingThere(path)),
  });
  parts.state.save();
  return reply;
}

function nothingThere(path: string): HttpResponse {
  const message = `Nothing is served at "${path.slice(0, 200)}". Try /_emulator/settings`;
  return jsonResponse(404, { message });
}

const SCOPE = "advertising::campaign_management";
const CODE_LIFE = 300;

interface ConsentPageParts {
  readonly account: Account;
  readonly state: EmulatorState;
  readonly clock: Clock;
}

/** GET shows the page; POST redirects to the application with a code or `access_denied`. `approve=1` skips the form. */
function handleConsentRequest(request: IncomingRequest, parts: ConsentPageParts): HttpResponse {
  const values = request.method === "POST" ? new URLSearchParams(request.text()) : request.query;
  const problem = problemOf(values, parts.account);
  if (problem !== undefined) {
    return page(400, "Something is wrong with this request", `<p>${escape(problem)}</p>`);
  }
  if (request.method === "POST") return decide(values, values.get("decision") === "allow", parts);
  if (values.get("approve") === "1") return decide(values, true, parts);
  return page(200, "Allow access to your advertising accounts?", formFor(values));
}

function problemOf(values: URLSearchParams, account: Account): string | undefined {
  if (values.get("client_id") !== account.credentials.clientId) return "The client_id is unknown";
  if (values.get("response_type") !== "code") return "The response_type must be code";
  if (!(values.get("scope") ?? "").split(/\s+/).includes(SCOPE)) return `The scope must include ${SCOPE}`;
  const target = values.get("redirect_uri") ?? "";
  if (!URL.canParse(target) || !/^https?:$/.test(new URL(target).protocol)) {
    return "The redirect_uri must be an http or https address";
  }
  return undefined;
}

function decide(values: URLSearchParams, allowed: boolean, { state, clock }: ConsentPageParts): HttpResponse {
  const redirectUri = values.get("redirect_uri")!;
  const target = new URL(redirectUri);
  if (allowed) {
    const code = randomUUID().replaceAll("-", "").slice(0, 20);
    state.codes.set(code, { code, redirectUri, expiresAt: clock.now() + CODE_LIFE * 1000, used: false });
    state.touch();
    target.searchParams.set("code", code);
    target.searchParams.set("scope", SCOPE);
  } else {
    target.searchParams.set("error", "access_denied");
    target.searchParams.set("error_description", "Access not permitted");
  }
  const echoed = values.get("state");
  if (echoed !== null) target.searchParams.set("state", echoed);
  return emptyResponse(302, { location: target.href });
}

function formFor(values: URLSearchParams): string {
  const names = ["client_id", "scope", "response_type", "redirect_uri", "state"];
  const inputs = names.filter((name) => values.has(name)).map((name) =>
    `<input type="hidden" name="${name}" value="${escape(values.get(name)!)}">`
  );
  return `<p>The application asks to read and change campaigns of this emulated account. Nothing here is real.</p>
<form method="post">${inputs.join("")}
<button name="decision" value="allow">Allow</button>
<button name="decision" value="deny">Cancel</button>
</form>`;
}

function page(status: number, title: string, content: string): HttpResponse {
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title></head>
<body><h1>${title}</h1>
${content}
</body></html>
`;
  return rawResponse(status, html, { type: "text/html; charset=utf-8" });
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (found) => `&#${found.charCodeAt(0)};`);
}

interface TokenEndpointParts {
  readonly account: Account;
  readonly tokens: Tokens;
  readonly state: EmulatorState;
  readonly clock: Clock;
}

function handleTokenRequest(request: IncomingRequest, parts: TokenEndpointParts): HttpResponse {
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
