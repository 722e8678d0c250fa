import { randomUUID } from "node:crypto";
import { emptyResponse, type HttpResponse, rawResponse } from "../http/http_response.ts";
import type { Clock } from "../core/clock.ts";
import type { IncomingRequest } from "../http/incoming_request.ts";
import type { EmulatorState } from "../state/emulator_state.ts";
import type { Account } from "../state/tokens.ts";

const SCOPE = "advertising::campaign_management";
const CODE_LIFE = 300;

interface ConsentPageParts {
  readonly account: Account;
  readonly state: EmulatorState;
  readonly clock: Clock;
}

/** GET shows the page; POST redirects to the application with a code or `access_denied`. `approve=1` skips the form. */
export function handleConsentRequest(request: IncomingRequest, parts: ConsentPageParts): HttpResponse {
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
