import { deepEqual, equal, match, ok, rejects } from "../support/assert.ts";
import { tmpdir } from "node:os";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { staticToken, type VerifiedToken } from "../../src/interfaces/mcp/access/token_verifier.ts";
import { httpSettings } from "../../src/interfaces/mcp/context/http_settings.ts";
import { mcpHttpHandler } from "../../src/interfaces/mcp/http/mcp_http_handler.ts";
import { serveHttp } from "../../src/interfaces/mcp/http/serve_http.ts";
import { Identity } from "../../src/interfaces/mcp/access/identity.ts";
import type { McpSettings } from "../../src/interfaces/mcp/context/settings.ts";
import { readSettings } from "../../src/interfaces/mcp/context/settings.ts";
import { loadTenants } from "../../src/interfaces/mcp/http/load_tenants.ts";
import { Tenants } from "../../src/interfaces/mcp/http/tenants.ts";
import { Agent } from "./support/agent.ts";
import { bidPlan } from "./support/bid_plan.ts";
import { INITIALIZE } from "./support/team_server.ts";
import { World } from "./support/world.ts";

const PLATFORM = {
  PLATFORM_ADS_BASE_URL_NA: "https://api.example",
  PLATFORM_ADS_TOKEN_URL: "https://id.example/token",
};
const OF_SERVER = {
  PLATFORM_ADS_CLIENT_ID: "id-of-the-server",
  PLATFORM_ADS_CLIENT_SECRET: "secret-of-the-server",
  PLATFORM_ADS_REFRESH_TOKEN: "refresh-of-the-server",
};
const SHOES = {
  SHOES_ID: "id-of-shoes",
  SHOES_SECRET: "secret-of-shoes",
  SHOES_REFRESH: "refresh-of-shoes",
  SHOES_TOKEN: "a-token-of-the-shoes-team",
};
const HATS_FILE = "PLATFORM_ADS_CLIENT_ID=id-of-hats\nPLATFORM_ADS_CLIENT_SECRET=secret-of-hats\n" +
  "PLATFORM_ADS_REFRESH_TOKEN=refresh-of-hats\n";
const ISSUER = ["--auth-issuer", "https://id.example", "--auth-audience", "https://ads.example/mcp"];

/** Reads a tenants file in a folder of its own, in which there is a dotenv file of the tenant "hats". */
async function load(
  text: string,
  { args = ISSUER, env = {} }: { args?: readonly string[]; env?: Record<string, string> } = {},
): Promise<{ tenants: Tenants; folder: string; settings: McpSettings }> {
  const folder = await Deno.makeTempDir({ prefix: "tenants-file-" });
  try {
    await Deno.writeTextFile(`${folder}/hats.env`, HATS_FILE);
    await Deno.writeTextFile(`${folder}/strict.yaml`, "version: 1\nmax_bid: 2\n");
    await Deno.mkdir(`${folder}/real`);
    await Deno.symlink(`${folder}/real`, `${folder}/link`, { type: "dir" });
    await Deno.writeTextFile(`${folder}/tenants.yaml`, text);
    const settings = await readSettings(
      ["--http", ":1", "--tenants", `${folder}/tenants.yaml`, ...args],
      { HOME: "/home/ann", ...PLATFORM, ...OF_SERVER, ...SHOES, ...env },
    );
    return { tenants: await loadTenants(settings.tenantsFile!, settings), folder, settings };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const BOTH = `
claim: team
tenants:
  shoes:
    credentials: { client_id_env: SHOES_ID, client_secret_env: SHOES_SECRET, refresh_token_env: SHOES_REFRESH }
    profiles: [US, "123"]
    tools: [read, reports]
    read_only: true
    save_dir: saved
    members:
      - token_env: SHOES_TOKEN
        name: robot
        scopes: [read]
      - claim: shoes-team
      - claim: shoes-guests
        scopes: [read]
      - subject: auth0|7
  hats:
    env_file: hats.env
    policy: strict.yaml
    store: hats.sqlite
    plan_dir: hats-plans
`;

Deno.test("a tenants file gives each tenant a login, tools, policy and folders of its own", async () => {
  const { tenants, folder } = await load(BOTH);
  const [shoes, hats] = tenants.list.map(({ settings }) => settings);
  equal(shoes!.variables["PLATFORM_ADS_CLIENT_SECRET"], "secret-of-shoes");
  equal(hats!.variables["PLATFORM_ADS_CLIENT_SECRET"], "secret-of-hats");
  equal(
    hats!.variables["PLATFORM_ADS_BASE_URL_NA"],
    "https://api.example",
    "where the platform is, is shared",
  );
  ok(![shoes, hats].some((one) => JSON.stringify(one!.variables).includes("of-the-server")));
  deepEqual(shoes!.profiles, ["US", "123"]);
  deepEqual(shoes!.toolsets, ["read", "reports"]);
  deepEqual([shoes!.readOnly, hats!.readOnly], [true, false]);
  deepEqual([shoes!.policy, hats!.policy], [undefined, `${folder}/strict.yaml`]);
  deepEqual([shoes!.store, hats!.store], [undefined, `${folder}/hats.sqlite`]);
  deepEqual([shoes!.saveFolder, hats!.saveFolder], [`${folder}/saved`, undefined]);
  equal(shoes!.planFolder, "/home/ann/.local/state/platform-ads/tenants/shoes/plans");
  equal(hats!.planFolder, `${folder}/hats-plans`);
  ok(shoes!.policyFolder !== hats!.policyFolder);
  deepEqual(tenants.tokens.map(({ identity: { subject, tenant, scopes } }) => [subject, tenant, scopes]), [
    ["robot", "shoes", ["read"]],
  ]);
});

Deno.test("a token is for the one tenant that its claims name, with what both it and the file allow", async () => {
  const { tenants } = await load(BOTH);
  const admit = (claims: VerifiedToken["claims"], subject = "ann"): string => {
    const identity = tenants.admit({ subject, claims: { scope: "read apply", ...claims }, expiresAt: 1 });
    return identity === undefined ? "nobody" : `${identity.tenant}: ${identity.scopes.join(" ")}`;
  };
  equal(admit({ team: "shoes-team" }), "shoes: read apply");
  equal(admit({ team: ["marketing", "shoes-team"] }), "shoes: read apply");
  equal(admit({ team: "shoes-guests" }), "shoes: read");
  equal(admit({ team: "hats" }), "hats: read apply", "without members the claim has the tenant's name");
  equal(admit({}, "auth0|7"), "shoes: read apply");
  equal(admit({ team: "hats" }, "auth0|7"), "nobody", "who belongs to two tenants gets into neither");
  equal(admit({ team: ["hats", "shoes-team"] }), "nobody");
  for (const team of [undefined, "", "shoes", "Hats", 7, { hats: true }, null, [["hats"]]]) {
    equal(admit({ team }), "nobody", JSON.stringify(team));
  }
  equal(admit({ team: "hats", scope: "openid" }), "hats: ");
});

Deno.test("everything that is wrong in a tenants file is named at once, with its line and field", async () => {
  const wrong = `
claim: team
tenants:
  shoes:
    credentials: { client_id_env: SHOES_ID, client_secret_env: NO_SUCH, refresh_token_env: SHOES_REFRESH }
    policy: no-such-policy.yaml
    save_dir: shared
    members: [{ token_env: NO_TOKEN }, { token_env: SHORT }, { subject: ann }]
  hats:
    env_file: hats.env
    plan_dir: shared/plans
    members: [{ subject: ann }]
  bags:
    store_env: NO_STORE
`;
  await rejects(load(wrong, { env: { SHORT: "short" } }), (error: Error) => {
    const lines = [
      /Cannot use the tenants file ".*tenants.yaml":/,
      /Line 5: tenants\.shoes\.credentials\.client_secret_env: the variable NO_SUCH is not set/,
      /Line 6: tenants\.shoes\.policy: Cannot read the policy file ".*no-such-policy.yaml": there is no such file/,
      /Line 8: tenants\.shoes\.members\.0: the variable NO_TOKEN is not set/,
      /Line 8: tenants\.shoes\.members\.1: the token in SHORT is shorter than 16 characters/,
      /Line 11: tenants\.hats\.plan_dir: it overlaps with that of tenant "shoes" save_dir/,
      /Line 12: tenants\.hats\.members\.0: the same subject is in tenant "shoes" already/,
      /Line 13: tenants\.bags: its own login is missing \(PLATFORM_ADS_CLIENT_ID, /,
      /Line 14: tenants\.bags\.store_env: the variable NO_STORE is not set/,
    ];
    for (const line of lines) match(error.message, line);
    equal(error.message.split("\n").length, lines.length, `each is said once:\n${error.message}`);
    ok(!error.message.includes("secret-of"), "no secret is shown");
    return true;
  });
});

Deno.test("what a tenants file cannot mean is refused", async () => {
  const one = (fields: string): string => `claim: team\ntenants:\n  hats:\n    env_file: hats.env\n${fields}`;
  const cases: [string, RegExp, string[]?][] = [
    ["tenants: {}", /expected one tenant or more/],
    ["tenants:\n  Hats: { env_file: hats.env }", /expected a name of lower-case letters/],
    ["tenants:\n  ../hats: { env_file: hats.env }", /expected a name of lower-case letters/],
    ["tenants: [", /Line 1/],
    ["version: 2\ntenants:\n  hats: { env_file: hats.env }", /Line 1: version: /],
    [one("    stroe: x"), /Line 5: Unknown key stroe in tenants.hats/],
    [one("    tools: [everything]"), /Line 5: tenants.hats.tools.0: /],
    [one("    members: [{ claim: a, subject: b }]"), /Line 5: .*expected exactly one of claim, subject/],
    [one("    members: [{ scopes: [read] }]"), /expected exactly one of claim, subject, token_env/],
    [one("    members: [{ token_sha256: abc }]"), /expected 64 hexadecimal digits/],
    [one("    members: [{ subject: a, scopes: [write] }]"), /members.0.scopes.0/],
    [one("    save_dir: x\n    plan_dir: x"), /it overlaps with its own plan_dir/],
    [one("    save_dir: link/x\n    plan_dir: real"), /it overlaps with its own plan_dir/],
    [one("    store: a\n    store_env: SHOES_ID"), /give store or store_env, not both/],
    [
      one("  caps:\n    env_file: hats.env\n    store: s\n  bags:\n    env_file: hats.env\n    store: s"),
      /"caps" store/,
    ],
    [one(""), /--auth-issuer is not set/, []],
    ["tenants:\n  hats: { env_file: hats.env, members: [{ claim: a }] }", /"claim" at the top of the file/],
    [
      "tenants:\n  hats: { env_file: other.env, members: [{ subject: a }] }",
      /env_file: Cannot read the dotenv file/,
    ],
  ];
  for (const [text, why, args] of cases) {
    await rejects(load(text, args === undefined ? {} : { args }), why, text);
  }
  for (const option of [["--demo"], ["--store", "x"], ["--save-dir", "x"], ["--plan-dir", "x"]]) {
    await rejects(
      load(BOTH, { args: [...ISSUER, ...option] }),
      new RegExp(`Cannot use ${option[0]} with --tenants`),
    );
  }
  await rejects(
    readSettings(["--tenants", `${tmpdir()}/x`], { HOME: "/" }),
    /Cannot use --tenants without --http/,
  );
});

Deno.test("a login in a settings file that tenants share is not theirs", async () => {
  const file = await Deno.makeTempFile({ suffix: ".json" });
  const credentials = {
    clientId: "shared-id",
    clientSecret: "shared-secret",
    refreshToken: "shared-refresh",
  };
  const platform = {
    regions: { NA: { baseUrl: "https://api.example" } },
    tokenUrl: "https://id.example/token",
  };
  await Deno.writeTextFile(file, JSON.stringify({ platform, credentials }));
  try {
    for (
      const source of [{ args: [...ISSUER, "--platform", file] }, {
        env: { PLATFORM_ADS_PLATFORM_FILE: file },
      }]
    ) {
      await rejects(load("claim: team\ntenants:\n  bags: {}", source), /its own login is missing/);
      const { tenants } = await load("claim: team\ntenants:\n  hats: { env_file: hats.env }", source);
      equal(tenants.list[0]!.settings.variables["PLATFORM_ADS_CLIENT_ID"], "id-of-hats");
    }
  } finally {
    await Deno.remove(file);
  }
});

Deno.test("the token of the server itself reads its figures and is for no tenant, a tenant's the other way round", async () => {
  await using world = await World.start();
  const own = "token-of-the-operator";
  const of = "token-of-shoes-0123456789";
  const shoes = new Identity({ subject: "robot", kind: "static token", tenant: "shoes" });
  const tenants = new Tenants({ list: [], tokens: [staticToken(of, shoes)], claim: undefined });
  const contexts = new Map([["shoes", world.context()]]);
  const settings = httpSettings("127.0.0.1:0", { token: own, hosts: [], origins: [] });
  const handler = mcpHttpHandler({ contexts, tenants, log: () => {}, now: Date.now }, settings);
  const statusOf = async (path: string, token: string, method = "GET"): Promise<number> => {
    const request = new Request(`http://127.0.0.1${path}`, {
      method,
      headers: {
        host: "127.0.0.1",
        authorization: `Bearer ${token}`,
        accept: "application/json, text/event-stream",
        "content-type": "application/json",
      },
      ...(method === "POST" ? { body: JSON.stringify(INITIALIZE) } : {}),
    });
    const response = await handler.fetch(request);
    await response.body?.cancel();
    return response.status;
  };
  deepEqual([await statusOf("/metrics", own), await statusOf("/mcp", own, "POST")], [200, 403]);
  deepEqual([await statusOf("/metrics", of), await statusOf("/mcp", of, "POST")], [403, 200]);
  await handler.close();
});

Deno.test("a client that watches a plan of another tenant hears nothing of it", async () => {
  await using world = await World.start();
  await using other = await World.start();
  const contexts = new Map([["shoes", world.context()], ["hats", other.context()]]);
  const bearer = (tenant: string) => ({ token: `token-of-${tenant}-0123456789`, tenant });
  const tokens = ["shoes", "hats"].map((tenant) =>
    staticToken(bearer(tenant).token, new Identity({ subject: tenant, kind: "static token", tenant }))
  );
  const tenants = new Tenants({ list: [], tokens, claim: undefined });
  const settings = httpSettings("127.0.0.1:0", { token: undefined, hosts: [], origins: [] });
  const server = await serveHttp({ contexts, tenants, log: () => {}, now: Date.now }, settings);
  const heard: string[] = [];
  const connect = async (tenant: string): Promise<Client> => {
    const client = new Client({ name: tenant, version: "1" }, { versionNegotiation: { mode: "legacy" } });
    client.setNotificationHandler("notifications/resources/updated", ({ params }) => {
      heard.push(`${tenant} ${params.uri}`);
    });
    const headers = { authorization: `Bearer ${bearer(tenant).token}` };
    await client.connect(
      new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers } }),
    );
    return client;
  };
  const [shoes, hats] = [await connect("shoes"), await connect("hats")];
  await using planner = await Agent.connect(contexts.get("hats")!);
  const plan = await bidPlan(planner, 0.81);
  const uri = `platform-ads://plans/${plan.plan_id}`;
  await shoes.subscribeResource({ uri });
  await hats.subscribeResource({ uri });
  await hats.callTool({ name: "apply_plan", arguments: plan });
  await hats.ping();
  await shoes.ping();
  deepEqual(heard, [`hats ${uri}`]);
  await shoes.close();
  await hats.close();
  await server.stop();
});

Deno.test("a tenant of some profiles sees no other, and has no tool whose requests could name one", async () => {
  await using world = await World.start();
  const all = world.emulator.state.profiles();
  const [own, other] = [all[0]!, all[1]!];
  await using agent = await Agent.connect(world.context({ profiles: [own.id] }));
  const names = (await agent.client.listTools()).tools.map(({ name }) => name);
  ok(
    !names.some((name) => /clean_room/.test(name)) && !names.includes("call_operation") &&
      !names.includes("plan_call") && !names.includes("list_labels"),
  );
  ok(names.includes("list_entities") && names.includes("plan_update"));
  const { data } = await agent.call("list_profiles");
  deepEqual(data.rows.map((row: { profile_id: string }) => row.profile_id), [own.id]);
  equal((await agent.call("list_entities", { market: own.id, entity: "sp_campaigns" })).isError, false);
  for (const market of [other.id, other.record["countryCode"] as string]) {
    const refused = await agent.call("list_entities", { market, entity: "sp_campaigns" });
    equal(refused.isError, true);
    ok(refused.text.includes(own.id), "it lists the candidates that may be seen");
    const foreign = all.slice(1).map(({ id }) => id).filter((id) => id !== market);
    ok(!foreign.some((id) => refused.text.includes(id)), refused.text);
  }
  await using whole = await Agent.connect(world.context());
  const { data: planned } = await whole.call("plan_update", {
    market: other.id,
    entity: "sp_campaigns",
    items: [{ campaignId: await firstCampaign(whole, other.id), state: "PAUSED" }],
  });
  const { plan_id, fingerprint } = planned;
  deepEqual((await agent.call("list_plans")).data.rows, [], "its plans are not listed");
  const read = await agent.call("get_plan", { plan_id });
  equal(read.isError, true);
  match(read.text, /beyond those that this server is limited to/);
  await rejects(agent.client.readResource({ uri: `platform-ads://plans/${plan_id}` }));
  const applied = await agent.call("apply_plan", { plan_id, fingerprint });
  equal(applied.isError, true, "a plan for another profile that lies in the folder is not applied");
  match(applied.text, /Cannot find a profile/);
  deepEqual(world.writes(), []);
});

Deno.test("a tenant of one profile reaches no other marketplace by global kinds, plan files or reports", async () => {
  await using world = await World.start();
  await using whole = await Agent.connect(world.context());
  const marketplaces = { US: 20, DE: 15 };
  const campaign = { name: "Everywhere", state: "ENABLED", targetingType: "MANUAL", marketplaces };
  const global = { market: "US", entity: "sp_global_campaigns" };
  const { plan_id: made, fingerprint: print } =
    (await whole.call("plan_create", { ...global, items: [campaign] })).data;
  const { data: created } = await whole.call("apply_plan", { plan_id: made, fingerprint: print });
  const [{ campaignId }] = (await whole.call("list_entities", { ...global, limit: 1 })).data.rows;
  ok(created !== undefined && campaignId !== undefined);
  const raise = { ...global, items: [{ campaignId, marketplaces: { DE: 99 } }] };
  const { plan_id, fingerprint } = (await whole.call("plan_update", raise)).data;
  const changes = () =>
    world.emulator.requests().filter(({ path }) => /\/(create|update|delete)\//.test(path)).length;
  const sent = changes();

  const us = world.emulator.state.profiles().find(({ record }) => record.countryCode === "US")!;
  await using agent = await Agent.connect(world.context({ profiles: [us.id] }));
  const beyond = /beyond those that this client is limited to/;
  for (
    const [tool, args] of [
      ["list_entities", { ...global, limit: 1 }],
      ["plan_update", raise],
      ["plan_create", { ...global, items: [{ ...campaign, name: "Second" }] }],
      ["plan_archive", { ...global, ids: [campaignId] }],
      ["apply_plan", { plan_id, fingerprint }],
    ] as const
  ) {
    const { isError, text } = await agent.call(tool, args);
    equal(isError, true, `${tool}: ${text}`);
    match(text, beyond, tool);
  }
  equal(changes(), sent, "nothing is written");
});

async function firstCampaign(agent: Agent, market: string): Promise<string> {
  const { data } = await agent.call("list_entities", {
    market,
    entity: "sp_campaigns",
    states: ["ENABLED"],
    limit: 1,
  });
  return data.rows[0].campaignId;
}
