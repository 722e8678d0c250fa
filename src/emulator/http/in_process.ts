import type { Reply } from "./http_response.ts";

const MAX_BODY_BYTES = 10 * 1024 * 1024;

/** Largest body that is read at all, in bytes. */
export const MAX_UPLOAD_BYTES = 256 * 1024 * 1024;

/** Largest body of a request to a path, in bytes: the platform's limit does not hold for a snapshot that is restored. */
export function maxBodyBytes(path: string): number {
  return path.startsWith("/_emulator/") ? MAX_UPLOAD_BYTES : MAX_BODY_BYTES;
}

/** Checks a body against the size limit of its path; a larger one is dropped. */
export function checkedBody(body: Uint8Array, path: string): { body: Uint8Array; tooLarge: boolean } {
  const tooLarge = body.length > maxBodyBytes(path);
  return { body: tooLarge ? new Uint8Array() : body, tooLarge };
}

/** Statuses whose responses have no body. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * A reply as `fetch` gives it to its caller.
 *
 * @throws {TypeError} where the connection is cut before the first byte.
 */
export function asResponse({ response, truncate }: Reply, method: string): Response {
  if (response === undefined) throw new TypeError("The connection was closed before a response came");
  const { status, headers, body } = response;
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : new Uint8Array(body);
  const length = { "content-length": String(bytes.length) };
  if (method === "HEAD" || WITHOUT_BODY.has(status)) {
    return new Response(null, { status, headers: { ...headers, ...length } });
  }
  if (truncate === undefined || truncate >= bytes.length) {
    return new Response(bytes, { status, headers: { ...headers, ...length } });
  }
  const cut = new ReadableStream<Uint8Array>({
    start: (controller) => {
      if (truncate > 0) controller.enqueue(bytes.subarray(0, truncate));
    },
    pull: (controller) => controller.error(new TypeError("The connection was closed before the body ended")),
  });
  return new Response(cut, { status, headers: { ...headers, ...length } });
}
