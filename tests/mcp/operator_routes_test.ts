import { deepEqual, equal, match, ok } from "../support/assert.ts";
import { httpSettings } from "../../src/interfaces/mcp/context/http_settings.ts";
import { mcpHttpHandler } from "../../src/interfaces/mcp/http/mcp_http_handler.ts";
import { OperatorRoutes } from "../../src/interfaces/mcp/http/operator_routes.ts";
import { Identity } from "../../src/interfaces/mcp/access/identity.ts";
import { StoreAccess } from "../../src/interfaces/mcp/context/store_access.ts";
import { Agent } from "./support/agent.ts";
import { World } from "./support/world.ts";

const TOKEN = "a-token-of-24-characters";
const open = { token: undefined, hosts: [], origins: [] };

const get = (path: string, headers: Record<string, string> = {}): Request =>
  new Request(`http://127.0.0.1:3911${path}`, { headers: { host: "127.0.0.1:3911", ...headers } });

Deno.test("/health says whether the server is ready, to anybody, and tells nothing else", async () => {
  await using world = await World.start();
  let now = 0;
  const store = new StoreAccess(`${world.folder}/ads.sqlite`);
  const context = world.context({}, { store, now: () => now });
  const handler = mcpHttpHandler(context, httpSettings("3911", { ...open, token: TOKEN }));
  const probe = get("/health", { host: "10.1.2.3:3911" });
  const response = await handler.fetch(probe);
  equal(response.status, 200);
  deepEqual(await response.json(), { alive: true, ready: true, credentials: true, store: true });
  equal(response.headers.get("cache-control"), "no-store");
  const post = new Request("http://127.0.0.1:3911/health", {
    method: "POST",
    headers: { host: "127.0.0.1" },
  });
  equal((await handler.fetch(post)).status, 405);
  now += 6_000;
  await handler.close();
  await context.stop();
});

Deno.test("/health is 503 while credentials or the store are missing, and /health/live is 200 all the same", async () => {
  await using world = await World.start();
  let now = 0;
  const bad = new StoreAccess(`${world.folder}/no/such/folder/ads.sqlite`);
  const context = world.context({}, { store: bad, now: () => now });
  const handler = mcpHttpHandler(context, httpSettings("3911", open));
  const response = await handler.fetch(get("/health"));
  equal(response.status, 503);
  deepEqual(await response.json(), { alive: true, ready: false, credentials: true, store: false });
  equal((await handler.fetch(get("/health/live"))).status, 200);
  await Deno.mkdir(`${world.folder}/no/such/folder`, { recursive: true });
  equal((await handler.fetch(get("/health"))).status, 503, "a check counts for five seconds");
  now += 6_000;
  equal((await handler.fetch(get("/health"))).status, 200);
  await handler.close();
  await context.stop();
});

Deno.test("/metrics counts calls by tool and result, and needs the token", async () => {
  await using world = await World.start();
  const context = world.context({ callLimits: { calls: 3 } }, { now: () => 0 });
  const handler = mcpHttpHandler(context, httpSettings("3911", { ...open, token: TOKEN }));
  await using agent = await Agent.connect(context);
  await agent.call("list_profiles");
  await agent.call("list_profiles");
  await agent.call("list_entities", { market: "nowhere", entity: "sp_keywords" });
  await agent.call("list_profiles");
  equal((await handler.fetch(get("/metrics"))).status, 401);
  const bearer = { authorization: `Bearer ${TOKEN}` };
  equal((await handler.fetch(get("/metrics", { ...bearer, host: "evil.example" }))).status, 403);
  const response = await handler.fetch(get("/metrics", bearer));
  equal(response.status, 200);
  match(response.headers.get("content-type") ?? "", /^text\/plain; version=0\.0\.4/);
  const text = await response.text();
  for (
    const line of [
      'platform_ads_mcp_calls_total{tool="list_profiles",result="ok"} 2',
      'platform_ads_mcp_calls_total{tool="list_profiles",result="limited"} 1',
      'platform_ads_mcp_calls_total{tool="list_entities",result="failed"} 1',
      'platform_ads_mcp_call_duration_seconds_count{tool="list_profiles"} 3',
      'platform_ads_mcp_call_duration_seconds_bucket{tool="list_profiles",le="+Inf"} 3',
      "platform_ads_mcp_running_calls 0",
      "platform_ads_mcp_sessions 0",
      "platform_ads_mcp_audit_failures_total 0",
    ]
  ) ok(text.split("\n").includes(line), `${line}\n${text}`);
  match(text, /platform_ads_requests_total\{status="200"\} [1-9]/);
  match(text, /platform_ads_pace_waiting\{host="[^"]+",group="[^"]+"\} 0/);
  const { clientSecret, refreshToken } = world.emulator.credentials;
  for (const secret of [clientSecret, refreshToken, TOKEN]) ok(!text.includes(secret));
  wellFormed(text);
  await handler.close();
});

Deno.test("a caller who belongs to one account among several gets no figures of the server", async () => {
  await using world = await World.start();
  const operator = new OperatorRoutes([world.context(), world.context()], () => 0);
  const tenant = new Identity({ subject: "alice", kind: "oauth", tenant: "acme" });
  equal(operator.metrics(get("/metrics"), tenant, 0).status, 403);
  const own = operator.metrics(get("/metrics"), new Identity({ subject: "ops", kind: "static token" }), 2);
  const text = await own.text();
  match(text, /^platform_ads_mcp_sessions 2$/m);
  wellFormed(text);
});

/** Every sample belongs to the metric whose type was said last, and none is there twice. */
function wellFormed(text: string): void {
  const seen = new Set<string>();
  let name = "";
  for (const line of text.trimEnd().split("\n")) {
    const [, typed] = /^# TYPE (\w+) (?:counter|gauge|histogram)$/.exec(line) ?? [];
    if (typed !== undefined) name = typed;
    if (line.startsWith("#")) continue;
    const [, key = "", metric = ""] = /^((\w+)(?:\{[^}]*\})?) -?[\d.e+-]+$/.exec(line) ?? [];
    ok(metric.replace(/_(bucket|sum|count)$/, "") === name || metric === name, line);
    ok(!seen.has(key), `${key} is there twice`);
    seen.add(key);
  }
}
