import { problem } from "./responses.ts";
import type { Sessions } from "./sessions.ts";

export const SECRET_HEADER = "x-adsctl-console";

export interface GuardSettings {
  readonly hosts: readonly string[];
  /** Contains the port, because cookies are shared between ports. */
  readonly cookieName: string;
  readonly sessions: Sessions;
}

/**
 * Rejects requests that another site could cause: wrong host (DNS rebinding), foreign origin, or a form submission.
 *
 * @returns `undefined` for an acceptable request.
 */
export function refuseForeign(request: Request, { hosts }: GuardSettings): Response | undefined {
  const host = request.headers.get("host") ?? "";
  if (!hosts.includes(host)) {
    return problem(
      421,
      "WRONG_HOST",
      "Cannot serve this host: the console is served on the loopback address",
    );
  }
  const isApi = new URL(request.url).pathname.startsWith("/api/");
  if (!isApi) {
    if (request.method === "GET" || request.method === "HEAD") return undefined;
    return problem(405, "WRONG_METHOD", "Pages are read with GET");
  }
  const origin = request.headers.get("origin");
  const site = request.headers.get("sec-fetch-site");
  const isForeign = (origin !== null && origin !== `http://${host}`) ||
    (site !== null && site !== "same-origin");
  if (isForeign) return problem(403, "FOREIGN_ORIGIN", "Cannot accept a request from another site");
  if (request.method === "GET") return undefined;
  if (request.method !== "POST") return problem(405, "WRONG_METHOD", "The API takes GET and POST");
  const type = request.headers.get("content-type") ?? "";
  if (/^application\/json\b/i.test(type)) return undefined;
  return problem(415, "WRONG_TYPE", "Cannot read this body: it must be application/json");
}

export function refuseStranger(
  request: Request,
  { sessions, cookieName }: GuardSettings,
): Response | undefined {
  const cookie = cookieOf(request, cookieName);
  const secret = request.headers.get(SECRET_HEADER) ?? "";
  if (sessions.holds({ cookie, secret })) return undefined;
  return problem(
    401,
    "NOT_SIGNED_IN",
    "Not signed in: press Enter in the terminal of the console for a new address",
  );
}

function cookieOf(request: Request, name: string): string {
  const parts = (request.headers.get("cookie") ?? "").split("; ");
  return parts.find((part) => part.startsWith(`${name}=`))?.slice(name.length + 1) ?? "";
}
