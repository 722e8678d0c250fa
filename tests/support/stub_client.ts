import {
  type ApiRequest,
  type Credentials,
  type Platform,
  Transport,
  type TransportOptions,
} from "../../mod.ts";
import { FakeTime } from "./fake_time.ts";
import { type StubHandler, type StubRequest, StubServer } from "./stub_server.ts";

/** Credentials that no text holds by accident. */
export const STUB_CREDENTIALS: Credentials = {
  clientId: "client-id-of-the-stub",
  clientSecret: "s3cr3t-of-the-stub",
  refreshToken: "refresh-token-of-the-stub",
};

/** Settings that point every host to one address. */
export function stubPlatform(url: string, parts: Partial<Platform> = {}): Platform {
  return {
    regions: { NA: { baseUrl: `${url}/na` }, EU: { baseUrl: `${url}/eu` }, FE: { baseUrl: `${url}/fe` } },
    tokenUrl: `${url}/token`,
    headers: {
      clientId: "Platform-Advertising-API-ClientId",
      scope: "Platform-Advertising-API-Scope",
      requestId: "x-platform-request-id",
    },
    wireWord: "platform",
    ...parts,
  };
}

/** A transport that talks to a stub over real HTTP, on a clock of its own. Tokens are `token-1`, `token-2`, … */
export class StubClient implements AsyncDisposable {
  readonly server: StubServer;
  readonly transport: Transport;
  readonly time: FakeTime;
  readonly platform: Platform;
  #issued = 0;

  private constructor(handler: StubHandler, options: StubClientOptions) {
    this.time = options.time ?? new FakeTime();
    let turn = 0;
    this.server = StubServer.start((request) => {
      if (request.path === "/token" && options.tokens !== false) return this.#token();
      return handler(request, ++turn);
    });
    this.platform = stubPlatform(this.server.url, options.platform);
    const { now, sleep } = this.time;
    this.transport = new Transport(
      { platform: this.platform, credentials: STUB_CREDENTIALS },
      { now, sleep, random: () => 1, ...options.transport },
    );
  }

  static start(handler: StubHandler, options: StubClientOptions = {}): StubClient {
    return new StubClient(handler, options);
  }

  /** What the API hosts were asked, token requests left out. */
  get requests(): StubRequest[] {
    return this.server.requests.filter(({ path }) => path !== "/token");
  }

  /** How often a token was asked for. */
  get tokenRequests(): number {
    return this.server.requests.filter(({ path }) => path === "/token").length;
  }

  /** Sends a request to the host of North America and returns the parsed body. */
  async send(request: Partial<ApiRequest> = {}): Promise<unknown> {
    const { json } = await this.transport.send({
      method: "GET",
      baseUrl: `${this.server.url}/na`,
      path: "/things",
      idempotent: (request.method ?? "GET") === "GET",
      ...request,
    });
    return json;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]();
  }

  #token(): { json: unknown } {
    return { json: { access_token: `token-${++this.#issued}`, token_type: "bearer", expires_in: 3600 } };
  }
}

/** How a {@linkcode StubClient} is set up. */
export interface StubClientOptions {
  readonly time?: FakeTime;
  readonly transport?: TransportOptions;
  readonly platform?: Partial<Platform>;
  /** False lets the test's handler answer token requests too. */
  readonly tokens?: boolean;
}
