import type { Fetch } from "../../../mod.ts";
import type { VirtualTime } from "./virtual_time.ts";

/** One request of a client and what came of it. */
export interface Exchange {
  /** HTTP method. */
  readonly method: string;
  /** Whole address. */
  readonly url: string;
  /** Order in which requests left and answers came, over all of this client's exchanges. */
  readonly left: number;
  /** When it left, milliseconds since the epoch. */
  readonly leftAt: number;
  /** Place of the answer in that order; `Infinity` while it is under way. */
  came: number;
  /** When the answer came. */
  cameAt: number;
  /** Status of the answer; absent when none came. */
  status?: number;
  /** Seconds of its `Retry-After`. */
  retryAfter?: number;
}

/** A `fetch` that writes down every exchange of one client and holds the virtual time still meanwhile. */
export class WireTap {
  /** Every exchange, in the order in which they left. */
  readonly exchanges: Exchange[] = [];
  /** Every access token that was handed out to the client. */
  readonly tokens: string[] = [];
  readonly #time: VirtualTime;
  #order = 0;

  readonly #fetch: Fetch;

  constructor(time: VirtualTime, send: Fetch) {
    this.#time = time;
    this.#fetch = send;
  }

  readonly fetch: Fetch = (input, init) =>
    this.#time.during(async () => {
      const exchange: Exchange = {
        method: init?.method ?? "GET",
        url: input,
        left: this.#order++,
        leftAt: this.#time.now(),
        came: Infinity,
        cameAt: Infinity,
      };
      this.exchanges.push(exchange);
      try {
        const response = await this.#fetch(input, init);
        const body = await response.arrayBuffer();
        exchange.status = response.status;
        const retryAfter = response.headers.get("retry-after");
        if (retryAfter !== null && /^\d+$/.test(retryAfter)) exchange.retryAfter = Number(retryAfter);
        if (input.endsWith("/auth/token") && response.ok) {
          this.tokens.push(JSON.parse(new TextDecoder().decode(body)).access_token);
        }
        const { status, headers } = response;
        return new Response(body.byteLength === 0 ? null : body, { status, headers });
      } finally {
        exchange.came = this.#order++;
        exchange.cameAt = this.#time.now();
      }
    });

  /** Requests for a token. */
  get tokenRequests(): Exchange[] {
    return this.exchanges.filter(({ url }) => url.endsWith("/auth/token"));
  }

  /** Requests that left while every request had to pause: for ten seconds of what the platform asks for. */
  insidePauses(): Exchange[] {
    const pauses = this.exchanges.filter(({ status, retryAfter, url }) =>
      status === 429 && retryAfter !== undefined && !url.endsWith("/auth/token")
    );
    return this.exchanges.filter((exchange) =>
      !exchange.url.endsWith("/auth/token") &&
      pauses.some((pause) =>
        exchange.left > pause.came &&
        exchange.leftAt < pause.cameAt + Math.min(pause.retryAfter!, 10) * 1000 - 1
      )
    );
  }
}
