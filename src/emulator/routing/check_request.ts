import { emptyResponse, jsonResponse } from "../http/http_response.ts";
import type { IncomingRequest } from "../http/incoming_request.ts";
import { type Json, parseJson } from "../core/json.ts";
import { Refusal, refusal } from "../http/refusal.ts";
import type { Route } from "./route.ts";
import { createHash } from "node:crypto";
import type { Account, Tokens } from "../state/tokens.ts";
import type { ApiHost } from "../core/api_host.ts";
import type { EmulatorState } from "../state/emulator_state.ts";
import type { ProfileState } from "../state/profile_state.ts";
import type { WireNames } from "./wire_names.ts";

export function checkToken(request: IncomingRequest, tokens: Tokens): void {
  const token = /^bearer +(\S+)$/i.exec(request.headers.authorization ?? "")?.[1];
  if (token === undefined || tokens.checkAccess(token) !== "valid") {
    throw unauthorized(request, "HTTP 401 Unauthorized");
  }
}

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

/** Shows a hash of the authorization header, never the header itself. */
export function unservedPath(request: IncomingRequest): Refusal {
  const hash = createHash("sha256").update(request.headers.authorization ?? "").digest("base64");
  const message = "Invalid key=value pair (missing equal-sign) in Authorization header " +
    `(hashed with SHA-256 and encoded with Base64): '${hash}'.`;
  return new Refusal(jsonResponse(403, { message }));
}

function unauthorized(request: IncomingRequest, details: string): Refusal {
  return new Refusal(jsonResponse(401, { code: "UNAUTHORIZED", details, requestId: request.id }));
}

/** The live service accepts these in place of the published types. */
const LOOSE_TYPES = ["application/json", "text/plain", ""];

const VENDOR_JSON = /^application\/vnd\.[\w.+-]+\+json$/;

export function checkContentType(
  request: IncomingRequest,
  route: Route,
  { strict }: { strict: boolean },
): string | undefined {
  if (route.requestTypes === undefined) return undefined;
  const known = route.requestTypes.some((type) => type.toLowerCase() === request.mediaType) ||
    (!strict && route.strictTypes !== true && LOOSE_TYPES.includes(request.mediaType ?? ""));
  if (request.headers["content-encoding"] === undefined) {
    if (known) return request.mediaType;
    // Spellings of other clients: the service has been seen to take them as what is published.
    if (!strict && VENDOR_JSON.test(request.mediaType ?? "")) return "application/json";
  }
  const given = request.headers["content-type"] ?? "";
  throw refusal(415, `Cannot consume content type${given === "" ? "" : `: ${given}`}`, route.errors);
}

/** Chooses the media type of the response; refuses with 406 and an empty body if none is acceptable. */
export function chooseResponseType(
  request: IncomingRequest,
  route: Route,
  { strict }: { strict: boolean },
): string {
  // Its response has no body.
  if (route.responseTypes.length === 0) return "";
  const accepted = (request.headers.accept ?? "*/*").split(",")
    .map((part) => part.split(";")[0]!.trim().toLowerCase())
    .filter((part) => part !== "");
  const chosen = route.responseTypes.find((type) =>
    accepted.some((pattern) => accepts(pattern, type.toLowerCase()))
  );
  const [published] = route.responseTypes;
  if (chosen === undefined && !strict && published !== undefined && VENDOR_JSON.test(published)) {
    if (accepted.some((type) => VENDOR_JSON.test(type))) return published;
  }
  if (chosen === undefined) throw new Refusal(emptyResponse(406));
  return chosen;
}

export function readBody(request: IncomingRequest, route: Route): Json | undefined {
  if (request.tooLarge) throw refusal(413, "Request body is too large", route.errors);
  if (route.requestTypes === undefined) return undefined;
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(request.body);
    return text.trim() === "" ? undefined : parseJson(text);
  } catch {
    throw refusal(400, "Request body is not valid JSON", route.errors);
  }
}

function accepts(pattern: string, type: string): boolean {
  if (pattern === "*/*" || pattern === type) return true;
  return pattern.endsWith("/*") && type.startsWith(pattern.slice(0, -1));
}
