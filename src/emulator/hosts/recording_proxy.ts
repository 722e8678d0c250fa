import type { Platform } from "../../platform/connection/platform.ts";
import type { Region } from "../../base/markets/markets.ts";
import type { HttpResponse, Reply } from "../http/http_response.ts";
import { jsonResponse } from "../http/http_response.ts";
import { type HttpServer, startHttpServer } from "../http/http_server.ts";
import type { IncomingRequest } from "../http/incoming_request.ts";
import { KnownOperations } from "../routing/known_operations.ts";
import { WireNames } from "../routing/wire_names.ts";
import { disguise, type DisguiseOptions } from "./disguise.ts";
import { Recorder, withoutTokens } from "./recorder.ts";

const OWN_HEADERS: ReadonlySet<string> = new Set([
  "accept-encoding",
  "connection",
  "content-encoding",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Platform, folder and port for recording a session. */
export interface RecordingOptions extends DisguiseOptions {
  /** Hosts to forward to. */
  readonly platform: Platform;
  /** Folder for the exchanges, one JSON file each. */
  readonly folder: string;
  /** Port on the loopback address. @default 0, any free one */
  readonly port?: number;
  /** Replaces `fetch`, for tests. */
  readonly fetch?: typeof globalThis.fetch;
}

/**
 * Forwards the requests of a client to the platform and records each exchange, with replaced ids, without tokens and
 * with allow-listed headers only. Logins go directly to the platform and are not recorded.
 *
 * @example
 * ```ts
 * import { type Credentials, type Platform, PlatformAds } from "@platform/ads";
 * import { RecordingProxy } from "@platform/ads/emulator";
 *
 * async function record(platform: Platform, credentials: Credentials): Promise<number> {
 *   const proxy = await RecordingProxy.start({ platform, folder: "recorded", names: true });
 *   const us = await new PlatformAds(credentials, { platform: proxy.platform }).profile("US");
 *   await us.sp.campaigns.list();
 *   await proxy.stop();
 *   return proxy.recorded;
 * }
 * ```
 */
export class RecordingProxy {
  /** Hosts for a client whose session is recorded. */
  readonly platform: Platform;
  readonly #server: HttpServer;
  readonly #count: { recorded: number; failed: number };

  private constructor(server: HttpServer, platform: Platform, count: { recorded: number; failed: number }) {
    this.#server = server;
    this.#count = count;
    const regions = Object.keys(platform.regions).map((region) =>
      [region, { baseUrl: `${server.url}/${region.toLowerCase()}` }] as const
    );
    this.platform = { ...platform, regions: Object.fromEntries(regions) };
  }

  /**
   * Listens on the loopback address.
   *
   * @throws {RangeError} when `folder` is not a folder, an `Error` when the port is taken.
   */
  static async start(options: RecordingOptions): Promise<RecordingProxy> {
    const { platform, folder, port = 0, fetch = globalThis.fetch, ...hidden } = options;
    const neutral = neutralWords(platform);
    const hide = disguise(hidden);
    const recorder = new Recorder(folder, (text) => hide(withoutTokens(neutral(text))));
    const operations = new KnownOperations(new WireNames());
    const count = { recorded: 0, failed: 0 };
    const respond = async (request: IncomingRequest): Promise<Reply> => {
      const [, name = "", path = "/"] = /^\/([a-z]+)(\/.*)$/.exec(request.path) ?? [];
      const region = name.toUpperCase() as Region;
      const host = platform.regions[region];
      if (host === undefined) return { response: problem(404, `There is no host at /${name}`) };
      let response: HttpResponse;
      try {
        response = await forward(request, { url: `${host.baseUrl}${path}`, fetch });
      } catch (error) {
        count.failed++;
        return { response: problem(502, `The platform could not be reached: ${(error as Error).message}`) };
      }
      const { method, queryText, body } = request;
      const place = neutral(path);
      recorder.record(
        { method, queryText, body, headers: neutralNames(request.headers, neutral) },
        { ...response, headers: neutralNames(response.headers, neutral) },
        { path: place, operation: await operations.find(method, place), region },
      );
      count.recorded++;
      return { response };
    };
    return new RecordingProxy(await startHttpServer({ port }, respond), platform, count);
  }

  /** Number of recorded exchanges. */
  get recorded(): number {
    return this.#count.recorded;
  }

  /** Number of requests without a response. */
  get failed(): number {
    return this.#count.failed;
  }

  /** Stops listening. */
  async stop(): Promise<void> {
    await this.#server.close();
  }
}

async function forward(
  request: IncomingRequest,
  { url, fetch }: { readonly url: string; readonly fetch: typeof globalThis.fetch },
): Promise<HttpResponse> {
  const { method, body } = request;
  const response = await fetch(`${url}${request.queryText === "" ? "" : `?${request.queryText}`}`, {
    method,
    headers: sendable(Object.entries(request.headers)),
    redirect: "manual",
    ...(body.length === 0 ? {} : { body: body.slice() }),
  });
  return {
    status: response.status,
    headers: sendable(response.headers.entries()),
    body: new Uint8Array(await response.arrayBuffer()),
  };
}

function sendable(headers: Iterable<[string, string]>): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => !OWN_HEADERS.has(name)));
}

function neutralNames(
  headers: Readonly<Record<string, string>>,
  neutral: (text: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [neutral(name), value]));
}

/** Keeps the case of each occurrence. */
function neutralWords({ wireWord, wireShortWord = wireWord }: Platform): (text: string) => string {
  if (wireWord === "platform") return (text) => text;
  const words = new RegExp([wireWord, wireShortWord].join("|"), "gi");
  return (text) =>
    text.replace(words, (found) => {
      if (found === found.toUpperCase()) return "PLATFORM";
      return found[0] === found[0]!.toUpperCase() ? "Platform" : "platform";
    });
}

function problem(status: number, message: string): HttpResponse {
  return jsonResponse(status, { code: "PROXY", message });
}
