import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { authSettings } from "../../../src/interfaces/mcp/access/auth_settings.ts";
import { httpSettings } from "../../../src/interfaces/mcp/context/http_settings.ts";
import { type RunningServer, serveHttp } from "../../../src/interfaces/mcp/http/serve_http.ts";
import type { McpContext } from "../../../src/interfaces/mcp/context/mcp_context.ts";
import type { AuthorizationServer, TokenDraft } from "./authorization_server.ts";

/** Address of the server as its clients would know it. */
export const AUDIENCE = "https://ads.example/mcp";

/** A tool server over real HTTP that accepts the tokens of an authorization server. */
export class TeamServer implements AsyncDisposable {
  readonly #running: RunningServer;
  readonly #issuer: AuthorizationServer;

  private constructor(running: RunningServer, issuer: AuthorizationServer) {
    this.#running = running;
    this.#issuer = issuer;
  }

  /**
   * Starts it on loopback.
   *
   * @param options.port A free port; then it is known by its real address.
   */
  static async start(
    context: McpContext,
    issuer: AuthorizationServer,
    options: { token?: string; jwks?: string; port?: number } = {},
  ): Promise<TeamServer> {
    const { port } = options;
    const audience = port === undefined ? AUDIENCE : `http://127.0.0.1:${port}/mcp`;
    const auth = authSettings({ issuer: issuer.issuer, audience, jwks: options.jwks });
    const settings = httpSettings(`127.0.0.1:${port ?? 0}`, {
      token: options.token,
      auth,
      hosts: [],
      origins: [],
    });
    return new TeamServer(await serveHttp(context, settings), issuer);
  }

  /** Address of the tools. */
  get url(): string {
    return this.#running.url;
  }

  /** A token for this server. */
  token(draft?: TokenDraft): Promise<string> {
    return this.#issuer.token(AUDIENCE, draft);
  }

  /** Makes a request of the older protocol with a token, or with none. */
  post(
    token: string | undefined,
    message: Record<string, unknown> = INITIALIZE,
    options: { session?: string | null; query?: string } = {},
  ): Promise<Response> {
    return fetch(`${this.url}${options.query ?? ""}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "accept": "application/json, text/event-stream",
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(options.session == null ? {} : { "mcp-session-id": options.session }),
      },
      body: JSON.stringify(message),
    });
  }

  /** Connects a client that bears a token, which may be replaced while it is connected. */
  async client(
    bearer: { token: string },
    { mode = "auto", approve }: { mode?: "auto" | "legacy"; approve?: () => boolean } = {},
  ): Promise<Client> {
    const client = new Client({ name: "team", version: "1" }, {
      capabilities: approve === undefined ? {} : { elicitation: { form: {} } },
      versionNegotiation: { mode },
    });
    if (approve !== undefined) {
      client.setRequestHandler(
        "elicitation/create",
        () => ({ action: "accept", content: { approve: approve() } }),
      );
    }
    const withToken = (input: string | URL, init?: RequestInit): Promise<Response> => {
      const headers = new Headers(init?.headers);
      headers.set("authorization", `Bearer ${bearer.token}`);
      return fetch(input, { ...init, headers });
    };
    await client.connect(new StreamableHTTPClientTransport(new URL(this.url), { fetch: withToken }));
    return client;
  }

  /** Stops it. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#running.stop();
  }
}

/** Begins a session of the older protocol. */
export const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
};
