import { createHash } from "node:crypto";
import type { ApiHost } from "../core/marketplaces.ts";
import type { Clock } from "../core/clock.ts";
import { type Json, parseJson } from "../core/json.ts";
import type { Quirks } from "../core/quirks.ts";
import { Random } from "../core/random.ts";
import type { GeneralOperations } from "../families/general/general_operations.ts";
import type { ServedRoutes } from "../families/routes.ts";
import type { FaultEngine, Faults, FaultSubject } from "../faults/fault_engine.ts";
import { respondUnderFaults } from "../faults/respond_under_faults.ts";
import { emptyResponse, type HttpResponse, jsonResponse, type Reply } from "../http/http_response.ts";
import type { IncomingRequest } from "../http/incoming_request.ts";
import type { Journal, JournalEntry } from "../http/journal.ts";
import { Refusal, refusal, RouteRefusal } from "../http/refusal.ts";
import type { Context } from "../routing/context.ts";
import type { KnownOperations } from "../routing/known_operations.ts";
import type { Route } from "../routing/route.ts";
import type { RouteMatch } from "../routing/router.ts";
import type { WireNames } from "../routing/wire_names.ts";
import type { EmulatorState } from "../state/emulator_state.ts";
import type { FileStore } from "../state/file_store.ts";
import type { ProfileState } from "../state/profile_state.ts";
import type { Account, Tokens } from "../state/tokens.ts";
import type { Recorder } from "./recorder.ts";
import type { RequestLimits } from "./request_limits.ts";

export interface ApiParts {
  readonly routes: ServedRoutes;
  readonly knownOperations: KnownOperations;
  /** Loaded at the first request that no family serves. */
  readonly general: () => Promise<GeneralOperations>;
  readonly state: EmulatorState;
  readonly clock: Clock;
  readonly faults: FaultEngine;
  readonly limits: RequestLimits;
  readonly journal: Journal;
  readonly tokens: Tokens;
  readonly account: Account;
  readonly quirks: Quirks;
  readonly files: FileStore;
  readonly wire: WireNames;
  recorder?: Recorder | undefined;
  readonly url: string;
  readonly sleep: (milliseconds: number) => Promise<void>;
}

/** Order: faults, the platform's checks, then the operation. */
export async function handleApiRequest(
  request: IncomingRequest,
  at: { readonly host: ApiHost; readonly path: string },
  parts: ApiParts,
): Promise<Reply> {
  parts.state.refresh();
  const found = await parts.routes.find(request.method, at.path);
  const profileId = request.headers[parts.wire.scope];
  const operation = found?.route.operation ?? await parts.knownOperations.find(request.method, at.path);
  const entry = parts.journal.add(parts.clock.iso(), {
    method: request.method,
    path: request.path,
    query: request.queryText,
    headers: request.headers,
    body: request.body,
    region: at.host,
    operation,
    profileId,
  });
  const subject = { operation, method: request.method, path: at.path, host: at.host, profileId };
  const faults = parts.faults.choose(subject);
  if (parts.faults.kept) parts.state.keepFaults(parts.faults.report());
  if (faults.expireToken) parts.state.expireTokens();
  const reply = await respondUnderFaults(faults, entry, {
    wait: async (seconds) => {
      await parts.sleep(seconds * 1000);
      parts.state.refresh();
    },
    act: () =>
      limited(subject, faults, parts) ?? worded(request, { ...at, found, operation, faults, entry }, parts),
  });
  parts.state.save();
  if (reply.response === undefined) return reply;
  const headers = { [parts.wire.requestId]: request.id, ...reply.response.headers };
  const response = { ...reply.response, headers };
  parts.recorder?.record(request, response, { path: at.path, operation });
  return { ...reply, response };
}

function limited(
  { method, path, host }: FaultSubject,
  faults: Faults,
  { limits, quirks }: ApiParts,
): Promise<HttpResponse> | undefined {
  const perSecond = faults.requestsPerSecond ?? quirks.requestsPerSecond;
  if (perSecond === 0) return undefined;
  const refused = limits.refusal({ method, path, host: host ?? "" }, {
    ...quirks,
    requestsPerSecond: perSecond,
  });
  return refused === undefined ? undefined : Promise.resolve(refused);
}

interface Act {
  readonly host: ApiHost;
  readonly path: string;
  readonly found: RouteMatch | undefined;
  readonly operation: string | undefined;
  readonly faults: Faults;
  readonly entry: JournalEntry;
}

async function worded(request: IncomingRequest, call: Act, parts: ApiParts): Promise<HttpResponse> {
  if (parts.wire.word === "platform") return await act(request, call, parts);
  const { WordedBodies } = await import("../families/general/worded_bodies.ts");
  const bodies = new WordedBodies(parts.wire);
  const response = await act(await bodies.incoming(request, call.operation), call, parts);
  return await bodies.outgoing(response, call.operation);
}

async function act(request: IncomingRequest, call: Act, parts: ApiParts): Promise<HttpResponse> {
  try {
    checkToken(request, parts.tokens);
    checkClientId(request, parts);
    if (call.found === undefined) return await respondToUnserved(request, call, parts);
    const { route, params } = call.found;
    const { [parts.wire.account]: accountId, [parts.wire.scope]: scope } = request.headers;
    const isOfAccount = route.takesAccount && accountId !== undefined && scope === undefined;
    const profile = route.scoped === false || isOfAccount
      ? undefined
      : profileOf(request, { ...parts, host: call.host });
    const strict = parts.quirks.strictMediaTypes;
    const contentType = checkContentType(request, route, { strict });
    const responseType = chooseResponseType(request, route, { strict });
    const body = readBody(request, route);
    if (route.covers?.(body, profile) === false) return await respondToUnserved(request, call, parts);
    const context: Context = {
      host: call.host,
      params,
      query: request.query,
      headers: request.headers,
      body,
      contentType,
      responseType,
      accountId,
      advertiser: {
        id: request.headers[parts.wire.advertiser],
        marketplaceId: request.headers[parts.wire.marketplace],
      },
      get profile() {
        if (profile === undefined) {
          throw new TypeError(`Cannot use a profile: ${route.operation} is not scoped`);
        }
        return profile;
      },
      state: parts.state,
      clock: parts.clock,
      random: new Random(`${parts.state.seed} ${call.entry.number}`),
      quirks: parts.quirks,
      faults: call.faults,
      files: parts.files,
      url: parts.url,
    };
    return await typed(route, responseType, () => route.handle(context));
  } catch (problem) {
    if (problem instanceof Refusal) return problem.response;
    throw problem;
  }
}

async function typed(
  route: Route,
  responseType: string,
  handle: () => HttpResponse | Promise<HttpResponse>,
): Promise<HttpResponse> {
  try {
    return await handle();
  } catch (caught) {
    const problem = caught instanceof RouteRefusal
      ? refusal(caught.status, caught.message, route.errors)
      : caught;
    if (!(problem instanceof Refusal) || !route.typedErrors) throw problem;
    const { response } = problem;
    if (response.status !== 400 && response.status !== 422) throw problem;
    return { ...response, headers: { ...response.headers, "content-type": responseType } };
  }
}

async function respondToUnserved(
  request: IncomingRequest,
  call: Act,
  parts: ApiParts,
): Promise<HttpResponse> {
  const { state, clock } = parts;
  const found = await (await parts.general()).find(request.method, call.path);
  if (found === undefined) throw notServed(request, call.operation);
  const { respondGenerally } = await import("../families/general/respond_generally.ts");
  if (request.tooLarge) throw refusal(413, "Request body is too large");
  call.entry.general = true;
  const hasScope = request.headers[parts.wire.scope] !== undefined;
  const region = call.host === "SANDBOX" ? undefined : call.host;
  const profile = hasScope ? profileOf(request, { ...parts, host: call.host }) : state.profiles(region)[0];
  if (profile === undefined) throw unservedPath(request);
  return respondGenerally({ ...found, request, profile, state, clock });
}

function notServed(request: IncomingRequest, operation: string | undefined): Refusal {
  if (operation === undefined) return unservedPath(request);
  return refusal(501, `The emulator does not serve the operation ${operation}`);
}

function checkToken(request: IncomingRequest, tokens: Tokens): void {
  const token = /^bearer +(\S+)$/i.exec(request.headers.authorization ?? "")?.[1];
  if (token === undefined || tokens.checkAccess(token) !== "valid") {
    throw unauthorized(request, "HTTP 401 Unauthorized");
  }
}

function checkClientId(
  request: IncomingRequest,
  { account, wire }: { account: Account; wire: WireNames },
): void {
  const clientId = request.headers[wire.clientId];
  if (clientId === undefined) throw unauthorized(request, "ClientId header is missing");
  if (clientId !== account.credentials.clientId) {
    throw unauthorized(request, "ClientId does not match the access token");
  }
}

function profileOf(
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
function unservedPath(request: IncomingRequest): Refusal {
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

function checkContentType(
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
function chooseResponseType(
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

function readBody(request: IncomingRequest, route: Route): Json | undefined {
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
