import { deepEqual, equal } from "../support/assert.ts";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import {
  authInfoOf,
  Identity,
  identityOf,
  LOCAL,
  NOBODY,
  SCOPES,
} from "../../src/interfaces/mcp/access/identity.ts";
import { LegacySessions } from "../../src/interfaces/mcp/http/legacy_sessions.ts";
import { tool } from "../../src/interfaces/mcp/tooling/tool.ts";
import { ReportWorld } from "./support/report_world.ts";

const whoCalls = tool({
  name: "api_notes",
  title: "Who calls",
  description: "Says who calls",
  input: z.strictObject({}),
  output: z.object({ subject: z.string(), scopes: z.array(z.string()) }),
  effect: "read",
  run: (_, { identity: { subject, scopes } }) =>
    Promise.resolve({ data: { subject, scopes: [...scopes] }, text: subject }),
});

const ANN = new Identity({ subject: "ann", kind: "oauth", scopes: ["read"] });
const BEN = new Identity({ subject: "ben", kind: "oauth" });

Deno.test("an identity may what its scopes say, in their order, and nobody may anything", () => {
  deepEqual(new Identity({ subject: "x", kind: "oauth", scopes: ["approve", "read"] }).scopes, [
    "read",
    "approve",
  ]);
  deepEqual(LOCAL.scopes, SCOPES);
  equal(SCOPES.some((scope) => NOBODY.may(scope)), false);
  equal(identityOf({ token: "", clientId: "ann", scopes: ["apply"] }), undefined, "only the guard's count");
  equal(identityOf(authInfoOf(ANN)), ANN);
  equal(authInfoOf(ANN).token, "");
});

Deno.test("the key of an identity tells apart tenants, kinds and subjects", () => {
  const keys = [
    new Identity({ subject: "ann", kind: "oauth" }),
    new Identity({ subject: "ann", kind: "oauth", tenant: "shoes" }),
    new Identity({ subject: "ann", kind: "oauth", tenant: "hats" }),
    new Identity({ subject: "ann", kind: "static token" }),
    new Identity({ subject: 'ann","shoes', kind: "oauth" }),
  ].map(({ key }) => key);
  equal(new Set(keys).size, keys.length);
  equal(ANN.key, new Identity({ subject: "ann", kind: "oauth", scopes: ["apply"] }).key);
});

Deno.test("a tool knows who calls: whoever the server serves, or who makes the request in a session", async () => {
  await using world = new ReportWorld();
  const context = world.context();
  const build = (identity: Identity): McpServer => {
    const server = new McpServer({ name: "who", version: "1" });
    whoCalls.register(server, context, identity);
    return server;
  };
  const [here, there] = InMemoryTransport.createLinkedPair();
  await build(LOCAL).connect(there);
  const local = new Client({ name: "local", version: "1" }, { versionNegotiation: { mode: "legacy" } });
  await local.connect(here);
  deepEqual((await local.callTool({ name: "api_notes" })).structuredContent, {
    subject: "local",
    scopes: [...SCOPES],
  });
  await local.close();

  const sessions = new LegacySessions(build, { maxBytes: 1_000_000, now: Date.now });
  let caller = ANN;
  const fetch = (input: string | URL | Request, init?: RequestInit): Promise<Response> =>
    sessions.fetch(new Request(input, init), authInfoOf(caller));
  const client = new Client({ name: "http", version: "1" }, { versionNegotiation: { mode: "legacy" } });
  await client.connect(new StreamableHTTPClientTransport(new URL("http://127.0.0.1/mcp"), { fetch }));
  const subject = async () => (await client.callTool({ name: "api_notes" })).structuredContent;
  deepEqual(await subject(), { subject: "ann", scopes: ["read"] });
  caller = new Identity({ subject: "ann", kind: "oauth", scopes: ["read", "plan"] });
  deepEqual(await subject(), { subject: "ann", scopes: ["read", "plan"] }, "a new token of the same caller");
  caller = BEN;
  const other = await subject().catch((error: Error) => error.message);
  equal(String(other).includes("no such session"), true, String(other));
  caller = ANN;
  await client.close();
  await sessions.close();
});
