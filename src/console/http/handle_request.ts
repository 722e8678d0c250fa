import { assetResponse, pageResponse } from "../assets.ts";
import type { ConsoleContext } from "../console_context.ts";
import { ApiProblem } from "./api_problem.ts";
import { type GuardSettings, refuseForeign, refuseStranger } from "./guard.ts";
import { handleApi } from "./handle_api.ts";
import { readBody } from "./read_body.ts";
import { problem, protectedResponse } from "./responses.ts";

/** Handles every request to the console. */
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

/** The token comes in the body, so that it is in no address that a server or a proxy would log. */
async function signIn(request: Request, { sessions, cookieName }: GuardSettings): Promise<Response> {
  try {
    const { token } = await readBody(request);
    const opened = typeof token === "string" ? sessions.open(token) : undefined;
    if (opened === undefined) {
      return problem(
        401,
        "WRONG_TOKEN",
        "This address was used before or is too old: press Enter in the terminal of the console for a new one",
      );
    }
    const cookie = `${cookieName}=${opened.cookie}; Path=/; HttpOnly; SameSite=Strict`;
    return Response.json({ secret: opened.secret }, { headers: { "set-cookie": cookie } });
  } catch (error) {
    if (error instanceof ApiProblem) return problem(error.status, error.code, error.message);
    throw error;
  }
}
