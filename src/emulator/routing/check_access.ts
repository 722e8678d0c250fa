import { createHash } from "node:crypto";
import { jsonResponse } from "../http/http_response.ts";
import type { Account, Tokens } from "../auth/tokens.ts";
import type { ApiHost } from "../core/api_host.ts";
import type { IncomingRequest } from "../http/incoming_request.ts";
import { Refusal } from "../http/refusal.ts";
import type { EmulatorState } from "../state/emulator_state.ts";
import type { ProfileState } from "../state/profile_state.ts";
import type { WireNames } from "./wire_names.ts";

/** Refuses a request whose access token is missing, expired or unknown. */
export function checkToken(request: IncomingRequest, tokens: Tokens): void {
  const token = /^bearer +(\S+)$/i.exec(request.headers.authorization ?? "")?.[1];
  if (token === undefined || tokens.checkAccess(token) !== "valid") {
    throw unauthorized(request, "HTTP 401 Unauthorized");
  }
}

/** Refuses a request that does not name the client the token was issued to. */
export function checkClientId(
  request: IncomingRequest,
  { account, wire }: { account: Account; wire: WireNames },
): void {
  const clientId = request.headers[wire.clientId];
  if (clientId === undefined) throw unauthorized(request, "ClientId header is missing");
  if (clientId !== account.credentials.clientId) {
    throw unauthorized(request, "ClientId does not match the access token");
  }
}

/** The profile that a request is about; refuses an id that this host does not serve. */
export function profileOf(
  request: IncomingRequest,
  parts: { state: EmulatorState; host: ApiHost; wire: WireNames },
): ProfileState {
  const id = request.headers[parts.wire.scope];
  if (id === undefined || id === "") throw unauthorized(request, "Scope header is missing");
  const profile = parts.state.profile(id);
  if (profile === undefined || (parts.host !== "SANDBOX" && profile.region !== parts.host)) {
    throw unauthorized(request, `No matching advertiser found for scope: ${id}`);
  }
  return profile;
}

/** Response to a path without a service; it shows a hash of the header, never the header. */
export function unservedPath(request: IncomingRequest): Refusal {
  const hash = createHash("sha256").update(request.headers.authorization ?? "").digest("base64");
  const message = "Invalid key=value pair (missing equal-sign) in Authorization header " +
    `(hashed with SHA-256 and encoded with Base64): '${hash}'.`;
  return new Refusal(jsonResponse(403, { message }));
}

function unauthorized(request: IncomingRequest, details: string): Refusal {
  return new Refusal(jsonResponse(401, { code: "UNAUTHORIZED", details, requestId: request.id }));
}
