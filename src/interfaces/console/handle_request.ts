import { fieldsOf, isObject } from "../../base/json/fields_of.ts";
import { AuthError, ConfigurationError, PlanDriftError, PlatformAdsError } from "../../errors.ts";
import { ApprovalError, PlanStateError, PolicyError } from "../../plans/model/plan_errors.ts";
import { QueryError } from "../../store/model/store_error.ts";
import { ROUTES } from "./api/routes.ts";
import type { ConsoleContext } from "./http/console_context.ts";
import { ApiProblem, problem, protectedResponse } from "./http/responses.ts";
import { findRoute } from "./http/route.ts";
import { assetResponse, pageResponse } from "./assets.ts";
import { type GuardSettings, refuseForeign, refuseStranger } from "./http/guard.ts";

export async function handleRequest(
  request: Request,
  { context, guard }: { context: ConsoleContext; guard: GuardSettings },
): Promise<Response> {
  const { pathname } = new URL(request.url);
  const refused = refuseForeign(request, guard);
  if (refused !== undefined) return protectedResponse(refused);
  if (!pathname.startsWith("/api/")) {
    return protectedResponse(await assetResponse(pathname) ?? await pageResponse(pathname));
  }
  if (pathname === "/api/session" && request.method === "POST") {
    return protectedResponse(await signIn(request, guard));
  }
  return protectedResponse(refuseStranger(request, guard) ?? await handleApi(request, context));
}

/** The token is sent in the body, so that it never appears in a logged URL. */
async function signIn(request: Request, { sessions, cookieName }: GuardSettings): Promise<Response> {
  try {
    const { token } = await readBody(request);
    const opened = typeof token === "string" ? sessions.open(token) : undefined;
    if (opened === undefined) {
      return problem(
        401,
        "WRONG_TOKEN",
        "This address was already used or has expired: press Enter in the terminal of the console for a new one",
      );
    }
    const cookie = `${cookieName}=${opened.cookie}; Path=/; HttpOnly; SameSite=Strict`;
    return Response.json({ secret: opened.secret }, { headers: { "set-cookie": cookie } });
  } catch (error) {
    if (error instanceof ApiProblem) return problem(error.status, error.code, error.message);
    throw error;
  }
}

const MAX_BODY = 4_000_000;

export async function readBody(request: Request): Promise<Record<string, unknown>> {
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.length;
    if (size > MAX_BODY) throw new ApiProblem(413, "TOO_LARGE", "Cannot read this body: it is too large");
    text += decoder.decode(chunk, { stream: true });
  }
  try {
    const value: unknown = JSON.parse(text === "" ? "{}" : text);
    if (isObject(value)) return { ...fieldsOf(value) };
  } catch {
    // Refused below.
  }
  throw new ApiProblem(400, "BAD_REQUEST", "Cannot read this body: it is not a JSON object");
}

async function handleApi(request: Request, context: ConsoleContext): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  try {
    const found = findRoute(ROUTES, request.method, pathname);
    if (found === undefined) throw new ApiProblem(404, "NO_OPERATION", "The API has no such operation");
    const { route, params } = found;
    if (route.changes === true && context.readOnly) {
      throw new ApiProblem(403, "READ_ONLY", "Cannot do this: the console was started with --read-only");
    }
    const result = await route.run({
      context,
      params,
      query: Object.fromEntries(searchParams),
      body: request.method === "POST" ? await readBody(request) : {},
      signal: request.signal,
    });
    return result instanceof Response ? result : Response.json(result);
  } catch (error) {
    return problemOf(error);
  }
}

function problemOf(error: unknown): Response {
  if (error instanceof ApiProblem) return problem(error.status, error.code, error.message, error.more);
  if (error instanceof QueryError) return problem(400, "QUERY_REFUSED", error.message);
  if (error instanceof PlanDriftError) return problem(409, "DRIFT", error.message, { drift: error.drifted });
  if (error instanceof PolicyError) return problem(409, "DENIED", error.message);
  if (error instanceof ApprovalError) {
    return problem(409, error.reason === "outdated" ? "NOT_ACCEPTED" : "NOT_APPROVED", error.message);
  }
  if (error instanceof ConfigurationError || error instanceof PlanStateError) {
    return problem(409, "REFUSED", error.message);
  }
  if (error instanceof AuthError) return problem(502, "AUTHENTICATION", error.message);
  if (error instanceof PlatformAdsError) return problem(502, error.name, error.message);
  return problem(
    500,
    "INTERNAL",
    error instanceof Error ? error.message : "The console failed on this request",
  );
}
