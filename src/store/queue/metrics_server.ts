import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A server that shows metrics. */
export interface MetricsServer {
  /** Address: `http://HOST:PORT/metrics`. */
  readonly url: string;
  /** Stops the server. */
  close(): Promise<void>;
}

/**
 * Serves metrics at `/metrics`. At `/health` (also `/healthz`), it responds with 200, or with 503 and the reason if
 * metrics are not available or there is a problem.
 *
 * @param text Returns the metrics.
 * @param at Address to listen on; port 0 is any free one.
 * @param options.problem Returns a sentence about a problem; `undefined` if there is none.
 *
 * @example
 * ```ts
 * import { serveMetrics } from "@platform/ads/worker";
 *
 * const server = await serveMetrics(() => Promise.resolve("jobs 3\n"), { host: "127.0.0.1", port: 0 });
 * console.log(await (await fetch(server.url)).text()); // jobs 3
 * await server.close();
 * ```
 */
export async function serveMetrics(
  text: () => Promise<string>,
  at: { host: string; port: number },
  { problem = () => undefined }: { readonly problem?: () => string | undefined } = {},
): Promise<MetricsServer> {
  const server = createServer(async (request, response) => {
    const path = request.url?.split("?")[0];
    const answer = (status: number, body: string): void => {
      response.writeHead(status, { "content-type": "text/plain; version=0.0.4; charset=utf-8" });
      response.end(body);
    };
    const isHealth = path === "/health" || path === "/healthz";
    if (path !== "/metrics" && !isHealth) return answer(404, "Expected /metrics or /health\n");
    try {
      const metrics = await text();
      const trouble = isHealth ? problem() : undefined;
      answer(trouble === undefined ? 200 : 503, isHealth ? `${trouble ?? "ok"}\n` : metrics);
    } catch (error) {
      answer(503, `${(error as Error).message}\n`);
    }
  });
  await new Promise<void>((done, failed) => {
    server.once("error", failed);
    server.listen(at.port, at.host, done);
  });
  const { address, port, family } = server.address() as AddressInfo;
  return {
    url: `http://${family === "IPv6" ? `[${address}]` : address}:${port}/metrics`,
    close: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}
