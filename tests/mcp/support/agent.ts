import { Client } from "@modelcontextprotocol/client";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createMcpHandler, InMemoryTransport } from "@modelcontextprotocol/server";
import { buildServer } from "../../../src/interfaces/mcp/server/build_server.ts";
import type { McpContext } from "../../../src/interfaces/mcp/context/mcp_context.ts";

/** Milliseconds: on a busy machine a call may take minutes. */
const PATIENCE = 600_000;

/** What a person does with a question. */
export type PersonsMove = "yes" | "no" | "unticked" | "cancel";

/** How an agent connects. */
export interface AgentOptions {
  /** Revision of the protocol it speaks. @default "modern" */
  readonly era?: "modern" | "legacy";
  /** What the person at its client does when asked; without it the client cannot ask. */
  readonly person?: (question: string) => PersonsMove | Promise<PersonsMove>;
}

/** What a tool answered. */
export interface Answer {
  /** True for a failure. */
  readonly isError: boolean;
  /** The text. */
  readonly text: string;
  /** The data; empty for a failure without any. */
  // deno-lint-ignore no-explicit-any -- tests look into answers of every shape
  readonly data: any;
}

/** A client of a server in this process, over the protocol but without a network. */
export class Agent implements AsyncDisposable {
  /** The SDK's client. */
  readonly client: Client;

  private constructor(client: Client) {
    this.client = client;
  }

  /** Connects to a server with this context. */
  static async connect(context: McpContext, options: AgentOptions = {}): Promise<Agent> {
    const { era = "modern", person } = options;
    const client = new Client({ name: "test agent", version: "1" }, {
      capabilities: person === undefined ? {} : { elicitation: { form: {} } },
      versionNegotiation: { mode: era === "modern" ? { pin: "2026-07-28" } : "legacy" },
    });
    if (person !== undefined) {
      client.setRequestHandler("elicitation/create", async (request) => {
        const move = await person((request.params as { message: string }).message);
        if (move === "no") return { action: "decline" };
        if (move === "cancel") return { action: "cancel" };
        return { action: "accept", content: { approve: move === "yes" } };
      });
    }
    if (era === "legacy") {
      const [here, there] = InMemoryTransport.createLinkedPair();
      await buildServer(context).connect(there);
      await client.connect(here);
    } else {
      const handler = createMcpHandler(() => buildServer(context), { legacy: "reject" });
      const fetch = (input: string | URL | Request, init?: RequestInit) =>
        handler.fetch(new Request(input, init));
      await client.connect(new StreamableHTTPClientTransport(new URL("http://in.process/mcp"), { fetch }));
    }
    return new Agent(client);
  }

  /**
   * Calls a tool.
   *
   * @param options.timeout Seconds that it says it waits for the answer.
   */
  async call(
    name: string,
    args: Record<string, unknown> = {},
    { timeout, ...options }: { signal?: AbortSignal; timeout?: number } = {},
  ): Promise<Answer> {
    const meta = timeout === undefined ? {} : { _meta: { timeout } };
    const result = await this.client.callTool({ name, arguments: args, ...meta }, {
      timeout: PATIENCE,
      ...options,
    });
    const content = result.content as { type: string; text: string }[];
    return {
      isError: result.isError === true,
      text: content.map((part) => part.text).join("\n"),
      data: result.structuredContent ?? {},
    };
  }

  /** Reads a resource as text. */
  async read(uri: string): Promise<string> {
    const { contents } = await this.client.readResource({ uri });
    return contents.map((part) => "text" in part ? part.text : "").join("");
  }

  /** Closes the connection. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close();
  }
}
