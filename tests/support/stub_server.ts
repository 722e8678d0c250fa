/** A request as the stub received it. */
export interface StubRequest {
  readonly method: string;
  /** Path without the query. */
  readonly path: string;
  /** The query with its question mark; empty without one. */
  readonly query: string;
  readonly headers: Headers;
  readonly body: string;
}

/** What the stub answers. */
export interface StubAnswer {
  /** @default 200 */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Body as JSON, with its media type. */
  readonly json?: unknown;
  /** Body as it is. */
  readonly text?: string;
}

/** Answers one request; `turn` counts from 1. */
export type StubHandler = (request: StubRequest, turn: number) => StubAnswer | Promise<StubAnswer>;

/** A server on loopback that answers what a test says and keeps what it was asked. */
export class StubServer implements AsyncDisposable {
  readonly url: string;
  readonly requests: StubRequest[] = [];
  readonly #server: Deno.HttpServer<Deno.NetAddr>;

  private constructor(handler: StubHandler) {
    this.#server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async (request) => {
      const { pathname, search } = new URL(request.url);
      const { method, headers } = request;
      const seen = { method, path: pathname, query: search, headers, body: await request.text() };
      const turn = this.requests.push(seen);
      return toResponse(await handler(seen, turn));
    });
    this.url = `http://127.0.0.1:${this.#server.addr.port}`;
  }

  /** Starts on any free port. */
  static start(handler: StubHandler): StubServer {
    return new StubServer(handler);
  }

  /** Stops after the requests in flight are answered. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}

function toResponse({ status = 200, headers = {}, json, text }: StubAnswer): Response {
  const all = new Headers(headers);
  if (json !== undefined && !all.has("content-type")) all.set("content-type", "application/json");
  const body = text ?? (json === undefined ? null : JSON.stringify(json));
  return new Response(body, { status, headers: all });
}
