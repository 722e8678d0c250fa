import { deepEqual, equal, match, ok, rejects } from "../support/assert.ts";
import { Buffer } from "node:buffer";
import {
  Client,
  ClientCredentialsProvider,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { exportSPKI, SignJWT, UnsecuredJWT } from "jose";
import { SCOPES } from "../../src/interfaces/mcp/access/identity.ts";
import {
  AuthorizationServer,
  CLIENT_SECRET,
  signingKey,
  type TokenDraft,
} from "./support/authorization_server.ts";
import { bidPlan } from "./support/bid_plan.ts";
import { Agent } from "./support/agent.ts";
import { AUDIENCE, INITIALIZE, TeamServer } from "./support/team_server.ts";
import { ReportWorld } from "./support/report_world.ts";
import { World } from "./support/world.ts";

const CHALLENGE = 'resource_metadata="https://ads.example/.well-known/oauth-protected-resource/mcp"';

async function refused(response: Response): Promise<string> {
  const text = await response.text();
  return `${response.status} ${response.headers.get("www-authenticate")} ${text}`;
}

Deno.test("a client without a token learns where to get one", async () => {
  await using world = new ReportWorld();
  await using issuer = await AuthorizationServer.start();
  issuer.now = () => world.host.now;
  await using server = await TeamServer.start(world.context(), issuer);
  const response = await server.post(undefined);
  equal(response.status, 401);
  match(response.headers.get("www-authenticate")!, /^Bearer error="invalid_token"/);
  ok(response.headers.get("www-authenticate")!.includes(CHALLENGE));
  await response.body?.cancel();
  for (const path of ["/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-protected-resource"]) {
    const metadata = await fetch(new URL(path, server.url), { headers: { origin: "https://any.example" } });
    equal(metadata.headers.get("access-control-allow-origin"), "*");
    deepEqual(await metadata.json(), {
      resource: AUDIENCE,
      authorization_servers: [issuer.issuer],
      scopes_supported: [...SCOPES],
      bearer_methods_supported: ["header"],
      resource_name: "Platform Ads",
    });
  }
  const written = await fetch(new URL("/.well-known/oauth-protected-resource", server.url), {
    method: "POST",
  });
  await written.body?.cancel();
  equal(written.status, 405);
});

Deno.test("tokens that the issuer did not make for this server, now, are refused with 401", async (t) => {
  await using world = new ReportWorld();
  await using issuer = await AuthorizationServer.start();
  issuer.now = () => world.host.now;
  await using other = await AuthorizationServer.start();
  const log: string[] = [];
  const context = world.context();
  context.log = (line) => void log.push(line);
  await using server = await TeamServer.start(context, issuer);
  const now = Math.floor(world.host.now / 1000);
  const [key] = issuer.keys;
  const stranger = await signingKey("first");
  const good = await server.token();
  const [header, payload, signature] = good.split(".");
  const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const claims = { iss: issuer.issuer, aud: AUDIENCE, sub: "ann", exp: now + 3600, scope: SCOPES.join(" ") };
  const withSecret = (secret: string): Promise<string> =>
    new SignJWT(claims).setProtectedHeader({ alg: "HS256", kid: "first" }).sign(
      new TextEncoder().encode(secret),
    );
  const draft = (parts: TokenDraft) => server.token(parts);

  const cases: [string, string | Promise<string>, RegExp][] = [
    ["signed with a key of somebody else", draft({ key: stranger }), /not signed by the issuer/],
    ["of another issuer", other.token(AUDIENCE), /not signed by the issuer/],
    ["that names another issuer", draft({ claims: { iss: "https://evil.example" } }), /another issuer/],
    ["that names the issuer with a slash", draft({ claims: { iss: `${issuer.issuer}/` } }), /another issuer/],
    ["for another server", issuer.token("https://other.example/mcp"), /another server/],
    ["for no server", draft({ claims: { aud: undefined } as never }), /another server/],
    ["for a server whose address begins alike", issuer.token(`${AUDIENCE}x`), /another server/],
    ["that has expired", draft({ claims: { exp: now - 60 } }), /has expired/],
    ["that never expires", draft({ claims: { exp: undefined } as never }), /no expiry time/],
    ["that is not valid yet", draft({ claims: { nbf: now + 120 } }), /not valid yet/],
    ["of nobody", draft({ claims: { sub: undefined } as never }), /no subject/],
    ["of a subject in a client's form", draft({ claims: { sub: "client_id:ann" } }), /form of a client/],
    ["that is bound to a key", draft({ claims: { cnf: { jkt: "x" } } }), /bound to a key/],
    ["for a logout", draft({ header: { typ: "logout+jwt" } }), /not an access token/],
    ["without a signature (alg none)", new UnsecuredJWT(claims).encode(), /not signed by the issuer/],
    ["with its algorithm set to none", `${encode({ alg: "none" })}.${payload}.`, /not signed/],
    ["signed with the public key as a secret", withSecret(await exportSPKI(key!.publicKey)), /not signed/],
    ["signed with the published key as a secret", withSecret(JSON.stringify(key!.jwk)), /not signed/],
    ["that names a file as its key", draft({ header: { kid: "../../../../dev/null" } }), /not signed/],
    ["that names a statement as its key", draft({ header: { kid: "x' UNION SELECT 'y" } }), /not signed/],
    [
      "that brings its own key",
      draft({ key: stranger, header: { kid: "own", jwk: stranger.jwk } }),
      /not signed by the issuer/,
    ],
    [
      "that names an address of keys",
      draft({ key: stranger, header: { jku: other.jwks } }),
      /not signed by the issuer/,
    ],
    [
      "with a critical extension",
      draft({ header: { crit: ["urn:must"], "urn:must": 1 } as never }),
      /not signed/,
    ],
    [
      "whose claims were changed",
      `${header}.${encode({ ...claims, sub: "ben" })}.${signature}`,
      /not signed/,
    ],
    ["whose signature was cut off", `${header}.${payload}.`, /not signed/],
    ["that is not a token", "abc", /not signed/],
    ["of 9,000 characters", `${good}${"x".repeat(9000)}`, /longer than 8192/],
    ["that is empty", "", /no token in its Authorization header/],
  ];
  for (const [what, token, why] of cases) {
    await t.step(`a token ${what}`, async () => {
      const bearer = await token;
      const response = await server.post(bearer);
      const said = await refused(response);
      match(said, /^401 Bearer error="invalid_token"/);
      match(said, why);
      ok(said.includes(CHALLENGE));
      if (bearer.length > 10) ok(!said.includes(bearer.slice(0, 40)), "no part of the token is shown");
    });
  }
  await t.step("a token in the address, also beside none", async () => {
    match(
      await refused(await server.post(undefined, INITIALIZE, { query: `?access_token=${good}` })),
      /^401/,
    );
  });
  await t.step("a token in a Basic header", async () => {
    const response = await fetch(server.url, { method: "POST", headers: { authorization: `Basic ${good}` } });
    match(await refused(response), /^401/);
  });
  await t.step("a token of 20,000 characters does not reach the server", async () => {
    const response = await server.post("x".repeat(20_000));
    await response.body?.cancel();
    ok(response.status === 401 || response.status === 431, String(response.status));
  });
  await t.step("the good one is accepted, whichever claim has its scopes, and without a type", async () => {
    const scopes: TokenDraft[] = [
      { claims: { scope: "openid read offline_access" } },
      { claims: { scp: ["read"] } },
      { claims: { scp: "read plan" }, header: { typ: "JWT" } },
      { claims: { scope: "read", aud: ["https://other.example", AUDIENCE] } },
      { claims: { scope: "read", nbf: now + 10, exp: now - 10 } },
      { claims: { scope: "read", sub: undefined, client_id: "robot" } as never },
    ];
    for (const parts of scopes) {
      const response = await server.post(await server.token(parts));
      equal(response.status, 200, JSON.stringify(parts));
      await response.body?.cancel();
    }
  });
  await t.step("no token, whole or in part, is in the log", () => {
    equal(log.some((line) => line.includes(payload!.slice(0, 30))), false);
  });
  deepEqual(other.requests, [], "an address that a token names is never read");
});

Deno.test("every tool needs one scope: others are neither listed nor called, and the response names the scope", async (t) => {
  await using world = new ReportWorld();
  await using issuer = await AuthorizationServer.start();
  issuer.now = () => world.host.now;
  await using server = await TeamServer.start(world.context({ settings: { toolsets: undefined } }), issuer);
  const tokenOf = (scope: string): Promise<string> => server.token({ claims: { scope } });
  for (const mode of ["auto", "legacy"] as const) {
    await t.step(`the list of tools (${mode})`, async () => {
      const names = async (scope: string): Promise<string[]> => {
        const client = await server.client({ token: await tokenOf(scope) }, { mode });
        const { tools } = await client.listTools();
        await client.close();
        return tools.map(({ name }) => name);
      };
      const reading = await names("read");
      ok(reading.includes("list_entities") && reading.includes("search_tools"), reading.join(" "));
      ok(!reading.some((name) => /^(plan_|apply_plan)/.test(name)), reading.join(" "));
      const planning = await names("plan");
      ok(planning.length > 4 && planning.every((name) => /^plan_/.test(name)), planning.join(" "));
      deepEqual(await names("apply"), ["apply_plan"]);
      deepEqual(await names("approve"), []);
      const all = await names("read plan apply approve");
      deepEqual(all.toSorted(), [...reading, ...planning, "apply_plan"].toSorted());
    });

    await t.step(`calls (${mode})`, async () => {
      const bearer = { token: await tokenOf("read") };
      const client = await server.client(bearer, { mode });
      const call = (name: string, args: Record<string, unknown> = {}) =>
        client.callTool({ name, arguments: args }).then(() => "called", (error: Error) => error.message);
      equal(await call("list_profiles"), "called");
      match(await call("apply_plan", { plan_id: "x", fingerprint: "y" }), /403|scope|insufficient/i);
      match(await call("call_tool", { tool: "plan_call", arguments: {} }), /403|scope|insufficient/i);
      equal(await call("call_tool", { tool: "api_notes", arguments: {} }), "called");
      const found = await client.callTool({ name: "search_tools", arguments: {} });
      ok(!JSON.stringify(found).includes("plan_call"), "a search finds only what the caller may use");
      bearer.token = await tokenOf("plan");
      match(await call("list_profiles"), /403|scope|insufficient/i);
      await rejects(client.readResource({ uri: "platform-ads://notes" }), /403|scope|insufficient/i);
      deepEqual(
        (await client.listResources()).resources.filter(({ uri }) => /plans\/|results/.test(uri)),
        [],
      );
      bearer.token = await tokenOf("read plan");
      equal(await call("list_profiles"), "called", "a wider token of the same person goes on");
      equal((await client.listTools()).tools.some(({ name }) => name === "plan_bids"), true);
      await client.close();
    });
  }

  await t.step("the response says which scope is needed, beside those that the token has", async () => {
    const token = await tokenOf("read");
    const begun = await server.post(token);
    await begun.body?.cancel();
    const session = begun.headers.get("mcp-session-id");
    const call = {
      jsonrpc: "2.0",
      id: 2,
      method: "tools/call",
      params: { name: "apply_plan", arguments: {} },
    };
    const said = await refused(await server.post(token, call, { session }));
    match(said, /^403 Bearer error="insufficient_scope"/);
    match(said, /scope="read apply"/);
    ok(said.includes(CHALLENGE));
  });

  await t.step("a token with none of the scopes gets nowhere", async () => {
    const said = await refused(await server.post(await tokenOf("openid email")));
    match(said, /^403 Bearer error="insufficient_scope".*scope="read plan apply approve"/);
  });
});

Deno.test("a session belongs to whoever opened it", async () => {
  await using world = new ReportWorld();
  await using issuer = await AuthorizationServer.start();
  issuer.now = () => world.host.now;
  const token = "a-token-of-24-characters";
  await using server = await TeamServer.start(world.context(), issuer, { token });
  const tokenOf = (sub: string, scope = "read"): Promise<string> => server.token({ claims: { sub, scope } });
  const begun = await server.post(await tokenOf("ann"));
  await begun.body?.cancel();
  const session = begun.headers.get("mcp-session-id");
  const ping = { jsonrpc: "2.0", id: 2, method: "ping" };
  const statusOf = async (bearer: string): Promise<number> => {
    const response = await server.post(bearer, ping, { session });
    await response.body?.cancel();
    return response.status;
  };
  equal(await statusOf(await tokenOf("ann")), 200);
  // A client that acts for nobody is not the person of its name.
  for (const claims of [{ client_id: "ann" }, { azp: "ann" }]) {
    const token = await server.token({ claims: { sub: undefined, scope: "read", ...claims } as never });
    ok(await statusOf(token) >= 400, JSON.stringify(claims));
  }
  equal(await statusOf(await tokenOf("ann", "read plan")), 200);
  equal(await statusOf(await tokenOf("ben")), 404, "another person's token in the middle of the session");
  equal(await statusOf(token), 404, "nor the static one");
  equal(await statusOf("nothing"), 401);
  const deleted = await fetch(server.url, {
    method: "DELETE",
    headers: { authorization: `Bearer ${await tokenOf("ben")}`, "mcp-session-id": session! },
  });
  await deleted.body?.cancel();
  equal(deleted.status, 404, "another person cannot end it");
  equal(await statusOf(await tokenOf("ann")), 200);
});

Deno.test("only a caller with the scope approve answers for a person", async (t) => {
  await using world = await World.start();
  await using issuer = await AuthorizationServer.start();
  const context = world.context();
  await using server = await TeamServer.start(context, issuer);
  await using planner = await Agent.connect(context);
  const tokenOf = (scope: string): Promise<string> => server.token({ claims: { scope } });
  for (const mode of ["auto", "legacy"] as const) {
    const apply = async (scope: string, bid: number) => {
      let asked = 0;
      const approve = (): boolean => ++asked > 0;
      const client = await server.client({ token: await tokenOf(scope) }, { mode, approve });
      const plan = await bidPlan(planner, bid);
      const result = await client.callTool({ name: "apply_plan", arguments: plan });
      await client.close();
      return { asked, by: (result.structuredContent as { approved_by?: string }).approved_by };
    };
    await t.step(mode, async () => {
      deepEqual(await apply("apply approve", mode === "auto" ? 0.31 : 0.41), { asked: 1, by: "person" });
      deepEqual(await apply("apply", mode === "auto" ? 0.32 : 0.42), { asked: 0, by: "fingerprint_only" });
    });
  }

  await t.step("an answer to a question is not accepted with a token that lacks it", async () => {
    const bearer = { token: await tokenOf("apply approve") };
    const narrow = await tokenOf("apply");
    const client = await server.client(bearer, { approve: () => (bearer.token = narrow) !== "" });
    const plan = await bidPlan(planner, 0.51);
    const before = world.writes().length;
    await rejects(client.callTool({ name: "apply_plan", arguments: plan }), /403|scope|insufficient/i);
    equal(world.writes().length, before, "nothing was sent");
    await client.close();
  });
});

Deno.test("a client of the protocol finds the issuer, logs in, and asks for a wider token when a tool needs it", async () => {
  await using world = await World.start();
  await using issuer = await AuthorizationServer.start();
  const context = world.context();
  const free = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = free.addr;
  free.close();
  await using server = await TeamServer.start(context, issuer, { port });
  await using planner = await Agent.connect(context);
  const plan = await bidPlan(planner, 0.61);
  const client = new Client({ name: "program", version: "1" }, { versionNegotiation: { mode: "auto" } });
  const authProvider = new ClientCredentialsProvider({
    clientId: "robot",
    clientSecret: CLIENT_SECRET,
    expectedIssuer: issuer.issuer,
  });
  issuer.grantable = "read";
  await client.connect(new StreamableHTTPClientTransport(new URL(server.url), { authProvider }));
  const { tools } = await client.listTools();
  equal(tools.some(({ name }) => name === "apply_plan"), false);
  issuer.grantable = undefined;
  const applied = await client.callTool({ name: "apply_plan", arguments: plan });
  equal((applied.structuredContent as { ok: boolean }).ok, true);
  deepEqual(issuer.grants, [`${server.url} ${SCOPES.join(" ")}`, `${server.url} read apply`]);
  match(world.log.join("\n"), /Applying plan \S+ for robot/);
  await client.close();
});

Deno.test("keys are rotated: a new one counts at once, an old one no longer", async () => {
  await using world = new ReportWorld();
  await using issuer = await AuthorizationServer.start({ path: "/realm/ads" });
  issuer.now = () => world.host.now;
  await using server = await TeamServer.start(world.context(), issuer);
  const first = await server.token({ claims: { scope: "read" } });
  const statusOf = async (token: string): Promise<number> => {
    const response = await server.post(token);
    await response.body?.cancel();
    return response.status;
  };
  equal(await statusOf(first), 200);
  issuer.keys = [await signingKey("second")];
  const second = await server.token({ claims: { scope: "read" } });
  equal(await statusOf(second), 200);
  equal(await statusOf(first), 401, "a token that was signed with a key which is withdrawn");
});

Deno.test("a server whose issuer cannot be read at the start says so, and serves once it can", async () => {
  await using world = new ReportWorld();
  await using issuer = await AuthorizationServer.start();
  issuer.now = () => world.host.now;
  issuer.isUp = false;
  const log: string[] = [];
  const context = world.context();
  context.log = (line) => void log.push(line);
  await using server = await TeamServer.start(context, issuer, { jwks: issuer.jwks });
  match(log.join("\n"), /Cannot renew the keys of the token issuer, tokens cannot be checked: status 500/);
  const token = await server.token({ claims: { scope: "read" } });
  const early = await server.post(token);
  await early.body?.cancel();
  equal(early.status, 503);
  equal(early.headers.get("retry-after"), "10");
  issuer.isUp = true;
  world.host.now += 31_000;
  const late = await server.post(token);
  await late.body?.cancel();
  equal(late.status, 200);
});
