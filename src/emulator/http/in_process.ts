import type { Reply } from "./http_response.ts";

const MAX_BODY_BYTES = 10 * 1024 * 1024;

export const MAX_UPLOAD_BYTES = 256 * 1024 * 1024;

/** Maximum size of a body in bytes. The platform's limit does not apply to files, nor to snapshots of the emulator. */
export function maxBodyBytes(path: string): number {
  return /^\/(?:_emulator|files)\//.test(path) ? MAX_UPLOAD_BYTES : MAX_BODY_BYTES;
}

export function checkedBody(body: Uint8Array, path: string): { body: Uint8Array; tooLarge: boolean } {
  const tooLarge = body.length > maxBodyBytes(path);
  return { body: tooLarge ? new Uint8Array() : body, tooLarge };
}

const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** @throws {TypeError} when the connection is cut before the first byte. */
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

/** Stops waiting when the signal aborts, as for a response over a connection. What was begun goes on. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((done, fail) => {
    const stop = (): void => fail(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    work.then(done, fail).finally(() => signal.removeEventListener("abort", stop));
  });
}
