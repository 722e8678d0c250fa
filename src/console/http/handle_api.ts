import { AuthError, ConfigurationError, PlanDriftError, PlatformAdsError } from "../../errors.ts";
import { ApprovalError, PlanStateError } from "../../plans/plan_errors.ts";
import { PolicyError } from "../../plans/policy_error.ts";
import { QueryError } from "../../store/store_error.ts";
import { ROUTES } from "../api/routes.ts";
import type { ConsoleContext } from "../console_context.ts";
import { ApiProblem } from "./api_problem.ts";
import { readBody } from "./read_body.ts";
import { problem } from "./responses.ts";
import { findRoute } from "./route.ts";

/** Runs the operation of a request that is signed in. */
export async function handleApi(request: Request, context: ConsoleContext): Promise<Response> {
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
  if (error instanceof ApiProblem) return problem(error.status, error.code, error.message);
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
