import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { ReadableStream as NodeStream } from "node:stream/web";

/** Answers a web request. */
export type FetchHandler = (request: Request) => Promise<Response>;

/** Answers a request of Node's HTTP server with a web handler. A client that goes away aborts the request's signal. */
export async function answerNodeRequest(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  handler: FetchHandler,
): Promise<void> {
  const gone = new AbortController();
  outgoing.once("close", () => {
    if (!outgoing.writableFinished) gone.abort();
  });
  const response = await handler(webRequest(incoming, gone.signal));
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body === null) {
    outgoing.end();
    return;
  }
  outgoing.flushHeaders();
  const reader = response.body.getReader();
  gone.signal.addEventListener("abort", () => void reader.cancel().catch(() => {}));
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    if (!outgoing.write(value) && !gone.signal.aborted) await drained(outgoing);
  }
  outgoing.end();
}

function webRequest(incoming: IncomingMessage, signal: AbortSignal): Request {
  const { method = "GET", url = "/", headers } = incoming;
  const address = new URL(url, `http://${headers.host ?? "localhost"}`);
  const hasBody = method !== "GET" && method !== "HEAD";
  const init: RequestInit & { duplex?: "half" } = {
    method,
    signal,
    headers: Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(", ") : value]]
    ),
  };
  if (hasBody) {
    init.body = Readable.toWeb(incoming) as NodeStream<Uint8Array> as unknown as ReadableStream<Uint8Array>;
    init.duplex = "half";
  }
  return new Request(address, init);
}

function drained(outgoing: ServerResponse): Promise<void> {
  return new Promise((done) => {
    outgoing.once("drain", done);
    outgoing.once("close", done);
  });
}
