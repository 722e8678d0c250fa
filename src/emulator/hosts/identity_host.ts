import { type HttpResponse, jsonResponse, type Reply } from "../http/http_response.ts";
import { respondUnderFaults } from "../faults/respond_under_faults.ts";
import type { FaultEngine } from "../faults/fault_engine.ts";
import type { IncomingRequest } from "../http/incoming_request.ts";
import type { Journal } from "../http/journal.ts";
import { handleConsentRequest } from "./consent_page.ts";
import { handleTokenRequest, type TokenEndpointParts } from "./token_endpoint.ts";

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
