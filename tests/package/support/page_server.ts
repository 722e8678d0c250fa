import { extname } from "node:path";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
};

/** Serves the files of a folder to a browser on this machine and takes what its page has to say. */
export class PageServer {
  /** Where pages are found, without a slash at the end. */
  readonly origin: string;
  /** What the next page sends to `/result`. */
  readonly result: Promise<unknown>;
  /** What is served as `/settings.json`. */
  settings: unknown;
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  readonly #folder: string;
  readonly #told: (result: unknown) => void;

  /** Starts on a free port. */
  constructor(folder: string) {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    this.result = promise;
    this.#told = resolve;
    this.#folder = folder;
    this.#server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen() {} },
      (request) => this.#answer(request),
    );
    this.origin = `http://127.0.0.1:${this.#server.addr.port}`;
  }

  /** Stops. */
  async stop(): Promise<void> {
    await this.#server.shutdown();
  }

  async #answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === "/result") {
      this.#told(await request.json());
      return new Response(null, { status: 204 });
    }
    if (pathname === "/settings.json") return Response.json(this.settings);
    try {
      const file = await Deno.readFile(`${this.#folder}${pathname}`);
      return new Response(file, { headers: { "content-type": TYPES[extname(pathname)] ?? "text/plain" } });
    } catch {
      return new Response("Not found", { status: 404 });
    }
  }
}
