import type { IncomingMessage, ServerResponse } from "node:http";

const BODY_BUFFER = 65_536;

type FetchHandler = (request: Request) => Promise<Response>;

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
    init.body = bodyOf(incoming);
    init.duplex = "half";
  }
  return new Request(address, init);
}

/**
 * Returns the body of a request. A handler can stop reading a large body early: the rest is discarded, so the client
 * still gets the response. On Deno, `Readable.toWeb` throws an uncatchable error in that case.
 */
function bodyOf(incoming: IncomingMessage): ReadableStream<Uint8Array<ArrayBuffer>> {
  let isOpen = true;
  return new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => {
      const end = (step: () => void) => (): void => {
        if (!isOpen) return;
        isOpen = false;
        step();
      };
      incoming.on("data", (chunk: Uint8Array<ArrayBuffer>) => {
        if (!isOpen) return;
        controller.enqueue(chunk);
        if ((controller.desiredSize ?? 0) <= 0) incoming.pause();
      });
      incoming.once("end", end(() => controller.close()));
      incoming.once("error", (error) => end(() => controller.error(error))());
      incoming.once("close", end(() => controller.error(new Error("The client went away"))));
    },
    pull: () => void incoming.resume(),
    cancel: () => {
      isOpen = false;
      incoming.resume();
    },
  }, new ByteLengthQueuingStrategy({ highWaterMark: BODY_BUFFER }));
}

function drained(outgoing: ServerResponse): Promise<void> {
  return new Promise((done) => {
    outgoing.once("drain", done);
    outgoing.once("close", done);
  });
}
