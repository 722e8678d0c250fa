import { deepEqual, equal, match, ok } from "../../support/assert.ts";
import { LeakChecker } from "../../mcp/support/leak_checker.ts";
import { ManyTenants } from "../../mcp/support/many_tenants.ts";
import { TenantAgent } from "../../mcp/support/tenant_agent.ts";
import { amount } from "../support/size.ts";
import { long } from "../../support/long.ts";

const TENANTS = amount(4, 50);

/** What one tenant made that another may try to reach. */
interface Made {
  readonly agent: TenantAgent;
  readonly planId: string;
  readonly fingerprint: string;
  readonly resultUri: string;
  readonly profileId: string;
  readonly keywordId: string;
}

long();
Deno.test(`${TENANTS} tenants of one server at once: nothing of one reaches another`, async (t) => {
  await using world = await ManyTenants.start(TENANTS);
  const checker = new LeakChecker();
  for (const { name, own } of world.tenants) {
    ok(own.size > 100, `${name} has ${own.size} ids`);
    checker.add(name, own);
  }
  const agents = await Promise.all(
    world.tenants.map((tenant, index) =>
      TenantAgent.connect(tenant, { url: world.url, checker, mode: index % 4 < 2 ? "auto" : "legacy" })
    ),
  );
  for (const { session, tenant } of agents) if (session !== undefined) checker.add(tenant.name, [session]);

  let made: Made[] = [];
  await t.step("each reads, plans, applies, keeps results and saves them, all at once", async () => {
    made = await Promise.all(agents.map((agent) => work(agent, checker)));
  });

  await t.step("each tries to reach what the next one has", async () => {
    await Promise.all(made.map((one, index) => attack(one.agent, made[(index + 1) % made.length]!)));
  });

  await t.step("a session of another tenant does not exist", async () => {
    for (const { session, tenant } of agents.filter(({ session }) => session !== undefined)) {
      const other = world.tenants.find(({ name }) => name !== tenant.name)!;
      for (const method of ["POST", "GET", "DELETE"]) {
        const response = await fetch(world.url, {
          method,
          headers: {
            authorization: `Bearer ${other.token}`,
            accept: "application/json, text/event-stream",
            "content-type": "application/json",
            "mcp-session-id": session!,
          },
          ...(method === "POST" ? { body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' } : {}),
        });
        checker.check(other.name, await response.text(), `${method} with the session of ${tenant.name}`);
        equal(response.status, 404, method);
      }
    }
  });

  await t.step("every line of the log names its tenant and nothing of another", () => {
    const lines = world.log.filter((line) => !line.startsWith("Listening on "));
    ok(lines.length >= TENANTS);
    for (const line of lines) {
      const tenant = /^\[(tenant-\d+)\] /.exec(line)?.[1];
      ok(tenant !== undefined, line);
      checker.check(tenant, line, "the log");
    }
  });

  await t.step("every line of the audit log names its tenant and nothing of another", async () => {
    const lines = (await Deno.readTextFile(`${world.folder}/audit.jsonl`)).trim().split("\n");
    ok(lines.length > TENANTS * 10, `${lines.length} lines`);
    for (const line of lines) checker.check(JSON.parse(line).who.tenant, line, "the audit log");
  });

  await t.step("each has its own files", async () => {
    for (const { name } of world.tenants) {
      const plans = `${world.folder}/.local/state/platform-ads/tenants/${name}/plans`;
      for (const folder of [plans, `${world.folder}/saved/${name}`]) {
        for await (const { name: file, isFile } of Deno.readDir(folder)) {
          if (isFile) checker.check(name, await Deno.readTextFile(`${folder}/${file}`), `${folder}/${file}`);
        }
      }
    }
  });

  for (const agent of agents) await agent[Symbol.asyncDispose]();
  deepEqual(checker.leaks, []);
  ok(checker.seen > TENANTS * 100, `it saw ${checker.seen} ids where they belong`);
  console.log(`${checker.characters} characters looked through, ${checker.seen} ids where they belong`);
});

async function work(agent: TenantAgent, checker: LeakChecker): Promise<Made> {
  const { name } = agent.tenant;
  const profiles = await agent.call("list_profiles");
  const profileId: string = profiles.data.rows[0].profile_id;
  const market = profileId;
  const campaigns = await agent.call("list_entities", { market, entity: "sp_campaigns", limit: 3 });
  const keywords = await agent.call("list_entities", { market, entity: "sp_keywords", limit: 100 });
  const { keywordId } = keywords.data.rows.find(({ bid = 0.77 }: { bid?: number }) => bid !== 0.77);
  const resultUri: string = campaigns.data.result_uri ?? keywords.data.result_uri;
  ok(resultUri, "a result is kept");
  checker.add(name, [resultUri.slice(resultUri.lastIndexOf("/") + 1)]);
  const planned = await agent.call("plan_update", {
    market,
    entity: "sp_keywords",
    items: [{ keywordId, bid: 0.77 }],
  });
  const { plan_id: planId, fingerprint } = planned.data;
  ok(planId, planned.text);
  checker.add(name, [planId, fingerprint]);
  const [counted, saved, history, applied] = await Promise.all([
    agent.call("query_result", { from: resultUri, columns: ["count(*) AS rows"] }),
    agent.call("save_result", { result_uri: resultUri, file: "rows.json" }),
    agent.call("get_change_history", { market, since: "-3" }),
    agent.call("apply_plan", { plan_id: planId, fingerprint }),
  ]);
  for (const answer of [counted, saved, history, applied]) equal(answer.isError, false, answer.text);
  checker.add(name, [applied.data.rollback_plan_id]);
  const listed = await agent.call("list_plans", { all: true });
  deepEqual(
    listed.data.rows.map(({ plan_id: id }: { plan_id: string }) => id).sort(),
    [planId, applied.data.rollback_plan_id].sort(),
  );
  const { resources } = await agent.client.listResources();
  ok(resources.some(({ uri }) => uri.endsWith(planId)));
  await agent.client.readResource({ uri: `platform-ads://plans/${planId}` });
  await agent.client.readResource({ uri: resultUri });
  return { agent, planId, fingerprint, resultUri, profileId, keywordId };
}

/** Tries what another tenant's ids would give, were anything shared; what comes back is looked through as well. */
async function attack(agent: TenantAgent, other: Made): Promise<void> {
  const { planId, fingerprint, resultUri, profileId, keywordId } = other;
  const calls: [string, Record<string, unknown>][] = [
    ["get_plan", { plan_id: planId }],
    ["get_plan", { plan_id: `../../${other.agent.tenant.name}/plans/${planId}` }],
    ["apply_plan", { plan_id: planId, fingerprint }],
    ["query_result", { from: resultUri }],
    ["save_result", { result_uri: resultUri, file: "stolen.json" }],
    ["list_entities", { market: profileId, entity: "sp_campaigns" }],
    ["query_reports", { sql: `ATTACH '../stores/${other.agent.tenant.name}.sqlite' AS other` }],
    ["plan_update", { market: profileId, entity: "sp_keywords", items: [{ keywordId, bid: 0.2 }] }],
  ];
  for (const [name, args] of calls) {
    const answer = await agent.call(name, args);
    equal(answer.isError, true, `${name} ${JSON.stringify(args)}: ${answer.text}`);
  }
  for (const uri of [`platform-ads://plans/${planId}`, resultUri]) {
    const found = await agent.client.readResource({ uri }).then(
      () => "read",
      (error: Error) => error.message,
    );
    match(found, /not found/i);
  }
}
