import type { ApiRequest } from "./api_request.ts";

const SIMPLE = /^(?:\/[A-Za-z0-9_-]+)+\/?$/;
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/**
 * Rejects requests that `fetch` would alter or misreport: it drops everything after `#`, reads a backslash as a slash,
 * and reports its own rejections like lost connections.
 *
 * @throws {TypeError} naming the problem.
 */
export function checkRequest({ method, path, json, form }: ApiRequest): void {
  if (!METHODS.has(method)) throw new TypeError(`Cannot send "${method}": it is not an HTTP method`);
  if ((json !== undefined || form !== undefined) && (method === "GET" || method === "HEAD")) {
    throw new TypeError(
      `Cannot send ${method} ${path} with a body. Pass what narrows it as query parameters`,
    );
  }
  if (SIMPLE.test(path)) return;
  if (!path.startsWith("/")) throw new TypeError(`Cannot request "${path}": a path begins with a slash`);
  if (/[?#]/.test(path)) {
    throw new TypeError(`Cannot request "${path}": a path has no ? and no #. Pass a query as parameters`);
  }
  if (/[\s\\\p{Cc}]/u.test(path) || path.split("/").some((part) => /^(\.|%2e){1,2}$/i.test(part))) {
    throw new TypeError(
      `Cannot request ${
        JSON.stringify(path)
      }: it holds a space, a backslash, a control character or a "." segment. ` +
        "Encode its segments first",
    );
  }
}
