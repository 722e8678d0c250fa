import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { LeakChecker } from "./leak_checker.ts";
import type { TestTenant } from "./many_tenants.ts";

/** What a tool answered, or why the call failed. */
export interface TenantAnswer {
  readonly isError: boolean;
  readonly text: string;
  // deno-lint-ignore no-explicit-any -- tests look into answers of every shape
  readonly data: any;
}

/** An agent of a tenant, every byte of whose responses is looked through. */
export class TenantAgent implements AsyncDisposable {
  readonly tenant: TestTenant;
  readonly client: Client;
  /** Id of its session, in the older protocol. */
  session: string | undefined;

  private constructor(tenant: TestTenant, client: Client) {
    this.tenant = tenant;
    this.client = client;
  }

  /** Connects. */
  static async connect(
    tenant: TestTenant,
    { url, checker, mode }: { url: string; checker: LeakChecker; mode: "auto" | "legacy" },
  ): Promise<TenantAgent> {
    const client = new Client({ name: tenant.name, version: "1" }, { versionNegotiation: { mode } });
    const agent = new TenantAgent(tenant, client);
    const fetchChecked = async (input: string | URL, init?: RequestInit): Promise<Response> => {
      const headers = new Headers(init?.headers);
      headers.set("authorization", `Bearer ${tenant.token}`);
      checker.asks(tenant.name, String(init?.body ?? ""));
      const response = await fetch(input, { ...init, headers });
      checker.check(tenant.name, JSON.stringify([...response.headers]), "headers");
      agent.session = response.headers.get("mcp-session-id") ?? agent.session;
      // A stream that stays open is left as it is.
      if (init?.method !== "POST") return response;
      const text = await response.text();
      checker.check(tenant.name, text, String(init.body).slice(0, 200));
      return new Response(response.status === 202 ? null : text, response);
    };
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { fetch: fetchChecked }));
    return agent;
  }

  /** Calls a tool. */
  async call(name: string, args: Record<string, unknown> = {}): Promise<TenantAnswer> {
    const result = await this.client.callTool({ name, arguments: args });
    const content = result.content as { text: string }[];
    return {
      isError: result.isError === true,
      text: content.map(({ text }) => text).join("\n"),
      data: result.structuredContent ?? {},
    };
  }

  /** Ends the connection. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close();
  }
}
