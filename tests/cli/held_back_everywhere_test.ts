import assert from "node:assert/strict";
import { connect } from "../../src/interfaces/mcp/connect.ts";
import { McpContext } from "../../src/interfaces/mcp/context/mcp_context.ts";
import { type McpSettings, readSettings } from "../../src/interfaces/mcp/context/settings.ts";
import { Agent } from "../mcp/support/agent.ts";
import { type Emulated, emulated } from "./support/emulated.ts";
import { type CliRun, runCli } from "./support/run_cli.ts";

interface Campaign {
  readonly campaignId: string;
  readonly name: string;
  readonly budget: { readonly budget: number };
}

interface Planned {
  readonly changes: readonly { readonly id: string; readonly campaignId?: string }[];
  readonly warnings: readonly string[];
}

interface Scene extends Emulated {
  readonly tried: (line: string) => Promise<CliRun>;
  readonly run: (line: string) => Promise<CliRun>;
  /** Reads a plan of a folder in which no experiment is. */
  readonly planned: (line: string) => Promise<Planned>;
  readonly campaigns: () => Promise<Map<string, Campaign>>;
  /** Campaigns that a plan in another folder holds back for four weeks. */
  readonly held: readonly string[];
}

/** An account with an experiment on the budgets of its campaigns, begun in a folder that later commands do not name. */
async function scene(
  work: (scene: Scene) => Promise<void>,
  before: (run: Scene["run"], at: Emulated) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  await using at = await emulated({
    clock: { now: "2026-09-30T19:00:00Z", frozen: true },
    quirks: { reportSeconds: 0 },
  });
  const env = { ...at.env, PLATFORM_ADS_STORE: `${at.folder}/ads.sqlite` };
  const tried = (line: string): Promise<CliRun> =>
    runCli(line.replaceAll("~", at.folder), { env, now: () => at.emulator.clock.now() });
  const run = async (line: string): Promise<CliRun> => {
    const done = await tried(line);
    assert.equal(done.code, 0, `${line}\n${done.stdout}${done.stderr}`);
    return done;
  };
  const campaigns = async (): Promise<Map<string, Campaign>> => {
    const { stdout } = await run("list campaigns -m US --state enabled --json");
    return new Map((JSON.parse(stdout) as Campaign[]).map((one) => [one.campaignId, one]));
  };
  await before(run, at);
  const rows = [...(await campaigns()).values()].slice(0, 8).map(({ campaignId, budget }) =>
    `${campaignId},${budget.budget + 1}`
  );
  await at.write("budgets.csv", `id,budget.budget\n${rows.join("\n")}\n`);
  await Deno.mkdir(`${at.folder}/first`);
  await run(`plan update campaigns ~/budgets.csv -m US --hold-back 40% --seed s --out ~/first/p.json`);
  const { experiment } = JSON.parse(await Deno.readTextFile(`${at.folder}/first/p.json`));
  await run("plan apply ~/first/p.json --yes --accept-risk");
  assert.equal(experiment.held.length, 3);
  await Deno.mkdir(`${at.folder}/second`);
  let count = 0;
  await work({
    ...at,
    env,
    tried,
    run,
    campaigns,
    held: experiment.held,
    planned: async (line) => {
      const name = `~/second/${count++}.json`;
      await run(`${line} --out ${name}`);
      return JSON.parse(await Deno.readTextFile(name.replace("~", at.folder))) as Planned;
    },
  });
}

const HELD = /left alone: plan \S+ holds (it|them) back for comparison until 2026-10-28/;

Deno.test("plans of files, calls, history and folders leave alone what an experiment of another folder holds back", async () => {
  await scene(async ({ folder, held, run, planned, campaigns, write, emulator }) => {
    const [id] = held;
    const each = async (line: string, wanted: RegExp = HELD): Promise<void> => {
      const left = await planned(line);
      assert.ok(!left.changes.some((one) => held.includes(one.id)), line);
      assert.match(left.warnings.join("\n"), wanted, line);
      const touched = await planned(`${line} --touch-experiments`);
      assert.ok(touched.changes.length > left.changes.length, line);
    };
    await each("plan update campaigns ~/budgets.csv -m US");
    const body = await write(
      "body.json",
      JSON.stringify({ campaigns: [{ campaignId: id, budget: { budget: 77, budgetType: "DAILY" } }] }),
    );
    await each(`plan call sponsored-products:UpdateSponsoredProductsCampaigns -m US --body @${body}`);
    const rule = await write("rule.json", JSON.stringify({ optimizationRuleIds: ["1"] }));
    const tie = `plan call AssociateOptimizationRulesToCampaign -m US --check off --body @${rule}`;
    await each(`${tie} -p campaignId=${id}`);

    await run(`account pull ~/account -m US`);
    const name = (await campaigns()).get(id!)!.name;
    for await (const entry of Deno.readDir(`${folder}/account/sp`)) {
      const path = `${folder}/account/sp/${entry.name}`;
      const text = await Deno.readTextFile(path);
      if (!text.includes(name)) continue;
      await Deno.writeTextFile(path, text.replace(/^state: ENABLED$/m, "state: PAUSED"));
    }
    await each("plan from ~/account -m US");

    emulator.advance(7200);
    await run(`plan update campaigns ~/budgets.csv -m US --touch-experiments --out ~/spoil.json`);
    await run("plan apply ~/spoil.json --yes --accept-risk");
    emulator.advance(60);
    await each("plan from-history -m US --since -1h");
  });
});

Deno.test("a plan made before an experiment says what it would void when it is shown, and can be applied", async () => {
  await scene(async ({ folder, held, run, tried, campaigns }) => {
    const message = /advise: plan \S+ holds it back for comparison until 2026-10-28, and sending this voids/g;
    const told = (text: string): number => text.replace(/\s+/g, " ").match(message)?.length ?? 0;
    const early = (await run("plan show ~/early.json")).stdout;
    assert.equal(told(early), 1, "a finding is said once");
    assert.equal(early.match(/\(HELD_BACK_ELSEWHERE\)/g)?.length, held.length);
    const record = [...Deno.readDirSync(`${folder}/first/.plans`)].find(({ name }) =>
      name.endsWith("experiment.json")
    )!;
    const path = `${folder}/first/.plans/${record.name}`;
    const whole = await Deno.readTextFile(path);
    await Deno.writeTextFile(path, whole.replace('"share"', '"shared"'));
    const shown = await run("plan show ~/early.json");
    assert.match(
      shown.stdout.replace(/\s+/g, " "),
      /advise: Cannot read held-back entities: .* was edited or is damaged/,
    );
    assert.equal((await tried("plan update campaigns ~/budgets.csv -m US")).code, 2, "new plans wait for it");
    await Deno.writeTextFile(path, whole);
    const own = (await run("plan show ~/first/p.json")).stdout;
    assert.equal(told(own), 0, "a plan holds nothing back from itself");
    await tried("plan apply ~/early.json --yes --accept-risk --skip-drifted");
    const budgets = budgetsOf(await campaigns());
    assert.ok(held.every((id) => budgets.get(id) === 5), "and is sent where the person goes on");
  }, async (run, { write }) => {
    const { stdout } = await run("list campaigns -m US --state enabled --json");
    const rows = (JSON.parse(stdout) as Campaign[]).slice(0, 8).map(({ campaignId }) => `${campaignId},5`);
    await write("early.csv", `id,budget.budget\n${rows.join("\n")}\n`);
    await run("plan update campaigns ~/early.csv -m US --out ~/early.json");
  });
});

const DAYTIME = (factor: number): string =>
  `version: 1\nschedules: { all: { move: budget, grid: [{ hours: "00-24", factor: ${factor} }] } }\n`;

const budgetsOf = (campaigns: ReadonlyMap<string, Campaign>): Map<string, number> =>
  new Map([...campaigns].map(([id, { budget }]) => [id, budget.budget]));

Deno.test("a schedule that begins during an experiment leaves alone what it holds back, and says so", async () => {
  await scene(async ({ held, tried, run, campaigns, write }) => {
    await write("s.yaml", DAYTIME(2));
    const before = budgetsOf(await campaigns());
    const week = await run("auto plan schedules ~/s.yaml -m US");
    assert.match(week.stderr, /3 entities are not changed, because experiments hold them back/);
    const dry = await tried("auto run schedules ~/s.yaml -m US --dry-run");
    assert.match(dry.stdout + dry.stderr, /plan \S+ holds it back for comparison until 2026-10-28/);
    await tried("auto run schedules ~/s.yaml -m US");
    const after = budgetsOf(await campaigns());
    for (const [id, budget] of before) {
      assert.equal(after.get(id), held.includes(id) ? budget : budget * 2, id);
    }
    await tried("auto run schedules ~/s.yaml -m US --touch-experiments");
    const touched = budgetsOf(await campaigns());
    for (const id of held) assert.equal(touched.get(id), before.get(id)! * 2);
  });
});

Deno.test("a schedule that ran before an experiment began goes on in both of its parts", async () => {
  await scene(
    async ({ held, run, campaigns, write }) => {
      const before = budgetsOf(await campaigns());
      await write("s.yaml", DAYTIME(3));
      await run("auto run schedules ~/s.yaml -m US");
      const after = budgetsOf(await campaigns());
      for (const id of held) assert.equal(after.get(id), before.get(id)! * 3);
    },
    async (run, at) => {
      await at.write("s.yaml", DAYTIME(1));
      await run("auto run schedules ~/s.yaml -m US");
    },
  );
});

Deno.test("pacing moves no budget that an experiment holds back, and says so", async () => {
  await scene(async ({ held, tried, run, campaigns, write, planned }) => {
    await run("sync -m US --report sp_campaigns --start -40");
    await write(
      "p.yaml",
      "version: 1\nbudgets: { all: { amount: 300, over: lower, select: { products: [sp] } } }\n",
    );
    const left = await planned("auto plan pacing ~/p.yaml -m US");
    assert.ok(left.changes.length > 3);
    assert.ok(!left.changes.some(({ id }) => held.includes(id)));
    const touched = await planned("auto plan pacing ~/p.yaml -m US --touch-experiments");
    assert.ok(touched.changes.some(({ id }) => held.includes(id)));
    const before = budgetsOf(await campaigns());
    const ran = await tried("auto run pacing ~/p.yaml -m US");
    assert.match(ran.stdout + ran.stderr, /plan \S+ holds it back for comparison until 2026-10-28/);
    const after = budgetsOf(await campaigns());
    for (const id of held) assert.equal(after.get(id), before.get(id));
    assert.ok([...before].some(([id, budget]) => after.get(id)! < budget));
  });
});

Deno.test("the tool server leaves alone what adsctl holds back, but for a tenant, and adsctl what a tool holds back", async () => {
  await scene(async ({ emulator, folder, env, held, run, planned, write }) => {
    const settings = await readSettings([], {
      ...env,
      HOME: folder,
      PLATFORM_ADS_MCP_PLAN_DIR: `${folder}/tools`,
    });
    const contextOf = (own: McpSettings): McpContext =>
      new McpContext({
        settings: own,
        store: undefined,
        audit: undefined,
        now: () => emulator.clock.now(),
        connect: async (context) => (await connect(own, context, { env, log: () => {} })).ads,
      });
    const signal = new AbortController().signal;
    const tenant = contextOf({ ...settings, tenant: "other" });
    assert.equal((await (await tenant.profile("US", signal)).heldElsewhere()).size, 0);
    await tenant.stop();

    const context = contextOf(settings);
    assert.deepEqual(
      new Set((await (await context.profile("US", signal)).heldElsewhere()).keys()),
      new Set(held),
    );
    const listed: { keywordId: string; campaignId: string }[] = JSON.parse(
      (await run("list keywords -m US --state enabled --limit 500 --json")).stdout,
    );
    const keywords = listed.filter(({ campaignId }) => !held.includes(campaignId)).slice(0, 8);
    await using agent = await Agent.connect(context);
    const plan = async (ids: readonly { keywordId: string }[]) =>
      await agent.call("plan_update", {
        market: "US",
        entity: "sp_keywords",
        items: ids.map(({ keywordId }) => ({ keywordId, bid: 0.77 })),
        hold_back: 0.5,
      });
    const inHeld = listed.filter(({ campaignId }) => held.includes(campaignId)).slice(0, 4);
    assert.match((await plan(inHeld)).text, /4 left alone: plan \S+ holds them back/);
    const { data, text } = await plan(keywords);
    assert.match(text, /Held back/);
    await run(`plan apply ~/tools/plan-${data["plan_id"]}.json --yes --accept-risk`);
    const rows = keywords.map(({ keywordId }) => `${keywordId},0.66`).join("\n");
    await write("bids.csv", `id,bid\n${rows}\n`);
    const later = await planned("plan update keywords ~/bids.csv -m US");
    assert.equal(later.changes.length, 4);
    assert.match(later.warnings.join("\n"), /4 left alone/);
  });
});
