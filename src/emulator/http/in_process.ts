import type { Reply } from "./http_response.ts";

/** Maximum size of a request's target and headers in bytes. */
export const MAX_HEADER_BYTES = 64 * 1024;

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

/** Counts what a server counts: the target, and the names and values of headers, which have a byte per character. */
export function hasLargeHeaders(target: string, headers: Readonly<Record<string, string>>): boolean {
  const texts = [target, ...Object.entries(headers).flat()];
  return texts.reduce((bytes, { length }) => bytes + length, 0) >= MAX_HEADER_BYTES;
}

const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * @param now Epoch milliseconds for the `date` header.
 * @throws {TypeError} when the connection is cut before the first byte.
 */
export function asResponse(
  { response, truncate }: Reply,
  { method, now }: { method: string; now: number },
): Response {
  if (response === undefined) throw new TypeError("The connection was closed before a response came");
  const { status, body } = response;
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : new Uint8Array(body);
  const headers = {
    date: new Date(now).toUTCString(),
    ...response.headers,
    "content-length": String(bytes.length),
  };
  if (method === "HEAD" || WITHOUT_BODY.has(status)) {
    return new Response(null, { status, headers });
  }
  if (truncate === undefined || truncate >= bytes.length) {
    return new Response(bytes, { status, headers });
  }
  const cut = new ReadableStream<Uint8Array>({
    start: (controller) => {
      if (truncate > 0) controller.enqueue(bytes.subarray(0, truncate));
    },
    pull: (controller) => controller.error(new TypeError("The connection was closed before the body ended")),
  });
  return new Response(cut, { status, headers });
}

/**
 * Begins nothing when the signal has aborted. Later it stops waiting, as for a response over a connection; what was
 * begun goes on.
 */
export function unlessAborted<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((done, fail) => {
    signal.throwIfAborted();
    const stop = (): void => fail(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    work().then(done, fail).finally(() => signal.removeEventListener("abort", stop));
  });
}
