import { deepEqual, equal, ok } from "../support/assert.ts";
import { commandTree } from "../../src/interfaces/cli/command_tree.ts";
import { commandSpelling, fieldWords } from "../../src/interfaces/cli/shell/options/field_options.ts";
import { ROUTES } from "../../src/interfaces/console/api/routes.ts";
import { serveConsole } from "../../src/interfaces/console/serve_console.ts";
import { approvalKeyFiles } from "../../src/plans/approve/approval_key.ts";
import { PlanStore } from "../../src/plans/store/plan_store.ts";
import { signIn } from "../console/support/console_world.ts";
import { StoreAccess } from "../../src/interfaces/mcp/context/store_access.ts";
import { everyTool } from "../../src/interfaces/mcp/server/tool_list.ts";
import { JSON_SPELLING } from "../../src/operations/model/field_schema.ts";
import { type Field, inputFrom } from "../../src/operations/model/field.ts";
import { checkInput } from "../../src/operations/model/check_input.ts";
import { type AnyOperation, toolName } from "../../src/operations/model/operation.ts";
import { OPERATIONS } from "../../src/operations/table.ts";
import { type Alert, WatchState } from "../../src/automation/watch/mod.ts";
import { long } from "../support/long.ts";
import { settingsOf } from "../cli/support/emulated.ts";
import { runCli } from "../cli/support/run_cli.ts";
import { Agent } from "../mcp/support/agent.ts";
import { World } from "../mcp/support/world.ts";

type Input = Readonly<Record<string, unknown>>;

/** Options of commands that are about profiles, stores and files, which other interfaces choose in other ways. */
const OF_COMMANDS = [
  "account-name",
  "allow-missing",
  "check",
  "encoding",
  "skip-denied",
  "account-type",
  "all-profiles",
  "except",
  "expect",
  "as-of",
  "from-files",
  "limit",
  "market",
  "no-sync",
  "out",
  "profiles",
  "store",
  "touch-experiments",
  "why",
  "write-map",
  "yes",
  "accept-risk",
  "enqueue",
  "look",
  "roll-back",
  "only-plan",
];

/** Arguments of tools about the rows of an answer, and the plan that an agent has seen. */
const OF_TOOLS = ["market", "limit", "offset", "fields", "fingerprint", "skip_denied"];

/** Fields of the console's routes about the person before the page, and the plan that they have seen. */
const OF_PAGES = ["fingerprint", "accepted", "shown", "passphrase"];

/** Operations that need no store. */
const OF_THE_ACCOUNT = [
  "list",
  "account history",
  "account product-problems",
  "plan update",
  "plan create",
  "plan archive",
  "plan call",
  "plan from-history",
  "ops job run",
];

/** Operations on a plan, which is of one profile. */
const OF_A_PLAN = ["plan outcome", "plan apply", "plan resume", "plan undo"];

/** Operations that fetch twelve weeks of reports, whose examples are for the long lane. */
const OF_MANY_DAYS = ["plan goals"];

/** Fields without which nothing else of an operation is looked at. */
const REQUIRED: Readonly<Record<string, Input>> = {
  "list": { entity: "sp_campaigns" },
  "plan call": { operation: "sponsored-brands-v3:archiveTarget", path_params: { targetId: "1" } },
  "plan from-history": { since: "-1" },
  "plan outcome": { plan_id: "none" },
  "ops job run": { operation: "v1-exports:CampaignExport" },
  "plan goals": { goals: "version: 1\ngoals: { all: { aim: sales, acos: 25% } }" },
  "plan goals show": { goals: "version: 1\ngoals: { all: { aim: sales, acos: 25% } }" },
  "plan goals outcome": { goals: "version: 1\ngoals: { all: { aim: sales, acos: 25% } }" },
  "plan apply": { plan_id: "none" },
  "plan resume": { plan_id: "none" },
  "plan undo": { plan_id: "none" },
};

/** Inputs that are refused before anything is read, by operation. */
const REFUSED: Readonly<Record<string, readonly Input[]>> = {
  "plan bids": [
    {},
    { change: "+5%" },
    { where: "clicks30d > 3" },
    { change: "+5%", best: 3, worst: 3 },
    { change: "+5%", best: 3, labels: ["Core range"] },
    { change: "+5%", where: "acos31d < 0.2" },
    { change: "lots", where: "clicks30d > 3" },
    { preset: "winners", entities: ["keyword groups"] },
    { preset: "winners", hold_back: 1.2 },
  ],
  "plan budgets": [{ change: "lots" }, { seed: "x" }],
  "plan harvest": [{ hold_back: 0 }],
  "plan negatives": [{ hold_back_weeks: 3 }],
  "plan update": [
    { entity: "sp_campains", items: [{ campaignId: "1", name: "x" }] },
    { entity: "sp_campaigns", items: [{ campaignId: "1", name: "x" }], seed: "x" },
  ],
  "plan create": [{ entity: "sp_campains", items: [{ name: "x" }] }],
  "plan archive": [{ entity: "sp_campains", ids: ["1"] }],
  "plan call": [
    { operation: "sponsored-display:updateCampains" },
    { operation: "sponsored-brands-v3:archiveTarget" },
    { operation: "sponsored-display:updateCampaigns", headers: { Authorization: "x" } },
  ],
  "list": [
    { entity: "sp_campains" },
    { entity: "sp_campaigns", states: ["PAUSED"], all_states: true },
    { entity: "sp_campaigns", labels: ["Core range"], campaign_ids: ["1"] },
    { entity: "sp_campaigns", states: ["PAUSD"] },
    { entity: "sp_keywords", campaign_name: "SP*", campaign_ids: ["1"] },
    { entity: "portfolios", campaign_name: "SP*" },
  ],
  "ops job run": [
    { operation: "rule-based-audiences:createQueryBasedAudience" },
    { operation: "v1-exports:CampaignExport", body: "{" },
    { operation: "v1-exports:CampaignExport", paths: ["instance"] },
  ],
  "account history": [{ since: "lately" }, { until: "2026-13-01" }, { changes: ["BID_AMONT"] }],
  "auto alerts": [{ since: "lately" }],
  "report compare": [{ start: "lately" }, { before_start: "last week" }],
  "plan from-history": [{ since: "lately" }, { since: "-1", entity_types: ["KEYWORDS"] }],
};

/** Inputs of operations whose examples would need entities of the account. */
const SAMPLES: Readonly<
  Record<string, (campaign: string, adGroup: string, plan: string) => readonly Input[]>
> = {
  "plan outcome": (_campaign, _adGroup, plan) => [{ plan_id: plan, days: 1 }, { plan_id: plan, margin: 0.3 }],
  "plan update": (campaignId) => [
    { entity: "sp_campaigns", items: [{ campaignId, name: "Renamed" }], note: "A better name" },
  ],
  "plan create": (campaignId, adGroupId) => [{
    entity: "sp_negative_keywords",
    items: [{
      campaignId,
      adGroupId,
      keywordText: "free",
      matchType: "NEGATIVE_EXACT",
      state: "ENABLED",
    }],
  }],
  "plan archive": (_, adGroupId) => [{ entity: "ad_groups", ids: [adGroupId] }],
  "plan call": (campaignId) => [
    {
      operation: "sponsored-products:UpdateSponsoredProductsCampaigns",
      body: { campaigns: [{ campaignId, name: "Called" }] },
      note: "By its operation",
      check: "strict",
    },
  ],
  "list": (campaignId) => [
    { entity: "sp_keywords", campaign_ids: [campaignId], states: ["ENABLED"] },
    { entity: "sp_campaigns", all_states: true, name: "sp*" },
    { entity: "sp_keywords", campaign_name: "sp*" },
  ],
};

type Row = Readonly<Record<string, unknown>>;

/** Rows of a command and of a tool, which name some of their fields in other ways. */
const ROWS: Readonly<Record<string, readonly [command: (row: Row) => unknown, tool: (row: Row) => unknown]>> =
  {
    "list": [(row) => row, (row) => row],
    "account history": [
      ({ time, entityId, changeType, newValue = null }) => [time, entityId, changeType, newValue],
      ({ time, entity_id: id, change, after }) => [time, id, change, after],
    ],
    "account product-problems": [(row) => row, (row) => row],
    "report waste": [
      ({ search_term: term, clicks, cost }) => [term, clicks, cost],
      ({ search_term: term, clicks, cost }) => [term, clicks, cost],
    ],
    "auto alerts": [({ id, day, title }) => [id, day, title], ({ id, day, title }) => [id, day, title]],
    "ops job run": [({ campaignId }) => campaignId, ({ campaignId }) => campaignId],
    "report compare": [
      ({ by, name, cost_change: change, acos_after: acos }) => [by, name, change, acos],
      ({ by, name, cost_change: change, acos_after: acos }) => [by, name, change, acos],
    ],
  };

/** A server and adsctl on one emulator with one store. */
async function interfaces() {
  const world = await World.start({ quirks: { reportSeconds: 0 } });
  const place = `${world.folder}/ads.sqlite`;
  const now = (): number => world.emulator.clock.now();
  const context = world.context({}, { now, store: new StoreAccess(place, { now }) });
  const agent = await Agent.connect(context);
  const env = settingsOf(world.emulator, world.folder);
  const stopping = new AbortController();
  const consolePlans = PlanStore.open(`${world.folder}/console-plans`, { now });
  const console = await serveConsole({
    ads: await context.ads(),
    folders: [{ maker: "person", store: consolePlans }],
    key: approvalKeyFiles(`${world.folder}/config`),
    storePlace: place,
    files: {
      schedules: `${world.folder}/schedules.yaml`,
      pacing: `${world.folder}/pacing.yaml`,
      service: `${world.folder}/service.yaml`,
    },
    readOnly: false,
    now,
    stop: stopping.signal,
  });
  const page = await signIn({ console });
  return {
    world,
    context,
    agent,
    adsctl: async (operation: AnyOperation, input: Input, more: readonly string[] = []) =>
      await runCli([
        ...operation.name.split(" "),
        ...await argumentsOf(operation, input, world.folder),
        ...(OF_A_PLAN.includes(operation.name) ? [] : ["-m", "CA"]),
        ...(OF_THE_ACCOUNT.includes(operation.name) || operation.effect === "send" ? [] : ["--store", place]),
        ...fieldWords(operation.input, input),
        ...more,
      ], { env, now }),
    tool: (operation: AnyOperation, input: Input) =>
      agent.call(toolName(operation), {
        ...(OF_A_PLAN.includes(operation.name) ? {} : { market: "CA" }),
        ...input,
      }),
    consolePlans,
    page,
    route: (operation: AnyOperation, input: Input) =>
      page.ask(routePath(operation).replace(":profile", "CA"), input),
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      await console.close();
      await agent.client.close();
      await context.stop();
      await world[Symbol.asyncDispose]();
    },
  };
}

/** The console has a route for each operation that makes or sends a plan, and for reads that take the text of a file. */
function routePath({ name, effect }: AnyOperation): string {
  return effect === "send"
    ? `/api/plans/:id/${name.split(" ")[1]}`
    : `/api/profiles/:profile/${name.replaceAll(" ", "/")}`;
}

/** The required fields of an input as arguments of a command; entities are a file. */
async function argumentsOf({ input: fields }: AnyOperation, input: Input, folder: string): Promise<string[]> {
  const words: string[] = [];
  for (const [name, { required, type }] of Object.entries(fields)) {
    const value = input[name];
    if (required !== true || value === undefined) continue;
    if (type === "items") {
      words.push(`${folder}/items.json`);
      await Deno.writeTextFile(`${folder}/items.json`, JSON.stringify(value));
    } else if (type === "document") {
      words.push(`${folder}/${name}.yaml`);
      await Deno.writeTextFile(`${folder}/${name}.yaml`, String(value));
    } else if (name === "plan_id") words.push(`${folder}/plans/plan-${value}.json`);
    else words.push(...[value].flat().map(String));
  }
  return words;
}

/** The first rows of each list: tools give fewer of them. */
function cut(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, one) => Array.isArray(one) ? one.slice(0, 10) : one);
}

/** A value that a field cannot have, as a command line and as an argument; `undefined` for types that take any text. */
function wrongValue(
  field: Field,
): { readonly text: string | undefined; readonly value: unknown } | undefined {
  const { type } = field;
  if (type === "json") return undefined;
  if (type === "pairs") return { text: "x", value: 7 };
  if (type === "moment" || type === "day") return { text: "lately", value: "lately" };
  if (type === "choices") return { text: "x", value: ["x"] };
  if (type === "codes") return { text: `${field.known[0]}S`, value: [`${field.known[0]}S`] };
  if (type === "switch") return { text: undefined, value: "perhaps" };
  if (["whole", "amount", "share", "ids", "choice"].includes(type)) {
    return { text: "x", value: type === "ids" ? ["x"] : "x" };
  }
  return type === "table" ? { text: undefined, value: [7] } : { text: undefined, value: { of: 7 } };
}

Deno.test("every operation has the same fields in its command, its tool and its route, and nothing of its own beside them", async () => {
  await using at = await interfaces();
  const commands = new Map((await commandTree()).map(({ path, command }) => [path, command]));
  const tools = new Map(everyTool(at.context).map((tool) => [tool.name, tool]));
  for (const operation of OPERATIONS) {
    const { name, input: fields, summary, brief } = operation;
    const command = commands.get(name);
    const tool = tools.get(toolName(operation));
    ok(command !== undefined, name);
    equal(command.summary(), summary);
    const { field } = commandSpelling(fields);
    const own = command.options.filter(({ helpGroupHeading }) => helpGroupHeading === undefined)
      .map(({ long = "" }) => long);
    const flags = Object.keys(fields).filter((one) => fields[one]?.required !== true).map(field).sort();
    deepEqual(
      own.filter((flag) => flags.includes(flag) || !OF_COMMANDS.includes(flag.slice(2))).sort(),
      flags,
      name,
    );
    deepEqual(
      command.registeredArguments.map((one) => `<${one.name()}${one.variadic ? "..." : ""}>`),
      Object.keys(fields).filter((one) => fields[one]?.required === true).map(field),
      name,
    );
    equal(tool === undefined, operation.isForPeople === true, name);
    if (tool !== undefined) {
      equal(tool.description, brief);
      const listed = Object.keys(fields).filter((one) => !fields[one]?.isRare);
      const { properties = {} } = tool.inputSchema() as { properties?: Record<string, unknown> };
      const ofTool = Object.keys(properties).filter((one) => !OF_TOOLS.includes(one));
      deepEqual(ofTool.sort(), listed.sort(), name);
    }
    const route = ROUTES.find(({ method, path }) => method === "POST" && path === routePath(operation));
    equal(route !== undefined, operation.effect !== "read" || "goals" in fields, name);
    if (route === undefined) continue;
    const taken = Object.keys(route.takes ?? {}).filter((one) => !OF_PAGES.includes(one));
    // A page always looks at the account first, and leaves nothing in the plan to be refused.
    if (operation.effect === "send") ok(taken.every((one) => one in fields), name);
    else deepEqual(taken, Object.keys(fields), name);
  }
});

Deno.test("a field of the wrong type is refused by name in every interface before anything is sent", async () => {
  await using at = await interfaces();
  for (const operation of OPERATIONS) {
    if (operation.isForPeople) continue;
    for (const [name, field] of Object.entries(operation.input)) {
      if (operation.effect === "send" && field.isRare) continue;
      const wrong = wrongValue(field);
      if (wrong === undefined) continue;
      const required = REQUIRED[operation.name] ?? {};
      const { isError, text } = await at.tool(operation, { ...required, [name]: wrong.value });
      const said = text.split(". Expected")[0]!;
      ok(isError && said.includes(name) && !said.includes("is not an argument"), `${name}: ${text}`);
      if (operation.effect === "plan") {
        const { status, data } = await at.route(operation, { ...required, [name]: wrong.value });
        ok(status === 400 && data.error.message.includes(name), `${name}: ${JSON.stringify(data)}`);
      }
      if (wrong.text === undefined || field.required) continue;
      const flag = commandSpelling(operation.input).field(name);
      const { code, stderr } = await at.adsctl(operation, required, [flag, wrong.text]);
      equal(code, 2, `${flag}: ${stderr}`);
      ok(stderr.includes(flag), stderr);
    }
  }
  equal(at.world.emulator.requests().length, 0);
});

Deno.test("an input that makes no sense is refused in the same words in every interface, and sends nothing", async () => {
  await using at = await interfaces();
  for (const operation of OPERATIONS) {
    for (const input of REFUSED[operation.name] ?? []) {
      const messageIn = async (spelling: typeof JSON_SPELLING): Promise<string> => {
        const read = inputFrom(operation.input, input);
        try {
          await checkInput(operation, read, spelling);
          return "it was taken";
        } catch (error) {
          return (error as Error).message;
        }
      };
      const about = `${operation.name} ${JSON.stringify(input)}`;
      const { code, stderr } = await at.adsctl(operation, input);
      equal(code, 2, about);
      ok(stderr.includes(await messageIn(commandSpelling(operation.input))), `${about}: ${stderr}`);
      const { isError, text } = await at.tool(operation, input);
      ok(isError && text.includes(await messageIn(JSON_SPELLING)), `${about}: ${text}`);
      if (operation.effect !== "plan") continue;
      const { status, data: answer } = await at.route(operation, input);
      ok([400, 409].includes(status), `${about}: ${status}`);
      equal(answer.error.message, await messageIn(JSON_SPELLING), about);
    }
  }
  equal(at.world.emulator.requests().length, 0);
});

function alertOf(id: string, more: Pick<Alert, "profileId" | "severity">): Alert {
  return {
    id,
    day: "2026-11-20",
    at: "2026-11-20T08:00:00.000Z",
    countryCode: "CA",
    rule: "spend_jump",
    over: "campaign",
    key: id,
    subject: "Shoes",
    since: "2026-11-20",
    title: "Shoes cost twice as much",
    text: "Seen: yesterday",
    facts: {},
    planId: null,
    ...more,
  };
}

/** Runs the first examples of each operation in every interface. */
async function ensureSameResults(count: number): Promise<void> {
  await using at = await interfaces();
  const ca = await (await at.context.ads()).profile("CA");
  const [keyword] = await ca.sp.keywords.list({ states: ["ENABLED"] });
  const changed = await ca.sp.keywords.planUpdate([{ keywordId: keyword!.keywordId, bid: 0.71 }]);
  await at.context.plans.save(changed);
  await at.context.plans.apply(changed, ca);
  at.world.emulator.advance(2 * 86_400);
  await ca.sp.keywords.update([{ keywordId: keyword!.keywordId, bid: 0.72 }]);
  await using alerts = await WatchState.open(`${at.world.folder}/ads.sqlite`);
  await alerts.raise(["aaaaaaaaaaaa", "bbbbbbbbbbbb"].map((id, index) => ({
    alert: alertOf(id, { profileId: ca.profileId, severity: index === 0 ? "note" : "urgent" }),
    quietDays: 0,
    channels: [],
    isComplete: true,
  })));
  await alerts.mark(["aaaaaaaaaaaa"], { state: "closed", now: at.world.emulator.clock.now() });
  const before = at.world.writes().length;
  const { data: { rows } } = await at.agent.call("list_entities", { market: "CA", entity: "sp_ad_groups" });
  const { campaignId, adGroupId } = rows[0];
  for (const operation of OPERATIONS.filter(({ effect, isForPeople }) => effect !== "send" && !isForPeople)) {
    if (count === 1 && OF_MANY_DAYS.includes(operation.name)) continue;
    const samples = SAMPLES[operation.name]?.(campaignId, adGroupId, changed.id) ??
      operation.examples.slice(0, count).map(({ input }) => input);
    ok(samples.length > 0, operation.name);
    for (const [index, input] of samples.entries()) {
      const about = `${operation.name} ${JSON.stringify(input)}`;
      const out = `${at.world.folder}/${operation.name.replaceAll(" ", "-")}-${index}.json`;
      const saving = operation.effect === "plan" ? ["--out", out] : [];
      // As many rows of each part as the tool gives.
      if (operation.name === "report compare") saving.push("--limit", "5");
      const { code, stdout, stderr } = await at.adsctl(operation, input, ["--json", ...saving]);
      equal(code, 0, `${about}: ${stderr}`);
      const command = JSON.parse(stdout);
      const { data, isError, text } = await at.tool(operation, input);
      equal(isError, false, `${about}: ${text}`);
      if (operation.name === "plan outcome") {
        const { total_changes: total, ...outcome } = data;
        deepEqual(outcome, command, about);
        equal(total, 1, about);
        continue;
      }
      const [ofCommand, ofTool] = ROWS[operation.name] ?? [];
      if (ofCommand !== undefined && ofTool !== undefined) {
        const rows: unknown[] = data.rows.map(ofTool);
        deepEqual(rows, command.map(ofCommand).slice(0, rows.length), about);
        ok(rows.length > 0 || index > 0, about);
        continue;
      }
      const { status, data: answer } = await at.route(operation, input);
      equal(status, 200, `${about}: ${JSON.stringify(answer)}`);
      if (operation.effect === "read") {
        deepEqual([answer, data], [command, command], about);
        continue;
      }
      equal(answer.considered, command.considered, about);
      deepEqual(answer.left_out, command.left_out_counts, about);
      equal(data.considered, command.considered, about);
      deepEqual(data.left_out, command.left_out_counts, about);
      if (operation.name in SAMPLES) ok(data.total_changes > 0, about);
      for (const name of ["waste", "pressure", "suggestions"]) {
        if (name in command) deepEqual(cut(data[name]), cut(command[name]), about);
      }
      if (data.plan_id === undefined) {
        deepEqual(command.changes ?? [], []);
        equal(answer.plan_id, null, about);
        continue;
      }
      const saved = JSON.parse(await Deno.readTextFile(out));
      const plan = JSON.parse(await Deno.readTextFile(`${at.world.planFolder}/plan-${data.plan_id}.json`));
      deepEqual(plan.changes, saved.changes, about);
      equal(plan.note, saved.note, about);
      const { changes } = JSON.parse((await at.consolePlans.get(answer.plan_id)).toJson());
      deepEqual(changes, saved.changes, about);
    }
  }
  deepEqual(
    at.world.writes().slice(before).filter((request) => !/\/(?:usage|export|search)$/.test(request)),
    [],
  );
}

/** A keyword of its own for each sending, with the plan that raises its bid. */
async function plansFor(
  at: Awaited<ReturnType<typeof interfaces>>,
  store: PlanStore,
  count: number,
) {
  const ca = await (await at.context.ads()).profile("CA");
  const keywords = (await ca.sp.keywords.list({ states: ["ENABLED"] })).filter(({ bid }) =>
    bid !== undefined
  );
  const bidOf = async (keywordId: string) => (await ca.sp.keywords.get(keywordId))?.bid;
  return await Promise.all(
    keywords.slice(-count).map(async ({ keywordId, bid = 0 }, index) => {
      const after = bid + 0.01 + index / 100;
      const plan = await ca.sp.keywords.planUpdate([{ keywordId, bid: after }]);
      await store.save(plan);
      return { ca, plan, keywordId, before: bid, after, bid: () => bidOf(keywordId) };
    }),
  );
}

Deno.test("a plan is applied, refused for drift and undone alike in every interface that sends", async () => {
  await using at = await interfaces();
  const own = PlanStore.open(at.world.planFolder);
  const operation = (name: string) => OPERATIONS.find((one) => one.name === name)!;
  const fingerprint = ({ fingerprint }: { readonly fingerprint: string }) => ({ fingerprint });
  const send = {
    command: async (name: string, id: string, more: readonly string[] = []) => {
      const { code, stdout, stderr } = await at.adsctl(operation(name), { plan_id: id }, [
        "--yes",
        "--json",
        ...more,
      ]);
      return { isDone: code === 0, text: stdout + stderr };
    },
    tool: async (id: string, plan: { readonly fingerprint: string }) => {
      const { isError, text } = await at.agent.call("apply_plan", { plan_id: id, ...fingerprint(plan) });
      return { isDone: !isError, text };
    },
    route: async (name: string, id: string, plan: { readonly fingerprint: string }, more: Input = {}) => {
      const { status, data } = await at.page.ask(`/api/plans/${id}/${name.split(" ")[1]}`, {
        ...fingerprint(plan),
        ...more,
      });
      return { isDone: status === 200 && data.ok !== false, text: JSON.stringify(data), data };
    },
  };
  const senders = [
    { store: own, apply: (id: string) => send.command("plan apply", id) },
    { store: own, apply: (id: string, plan: { readonly fingerprint: string }) => send.tool(id, plan) },
    {
      store: at.consolePlans,
      apply: (id: string, plan: { readonly fingerprint: string }) => send.route("plan apply", id, plan),
    },
  ];
  for (const [index, { store, apply }] of senders.entries()) {
    const [fresh, moved] = await plansFor(at, store, 2);
    ok(fresh !== undefined && moved !== undefined);
    await moved.ca.sp.keywords.update([{ keywordId: moved.keywordId, bid: moved.before + 0.5 }]);
    const since = await moved.bid();
    const before = at.world.writes().length;
    const refused = await apply(moved.plan.id, moved.plan);
    ok(!refused.isDone && /changed/.test(refused.text), `${index}: ${refused.text}`);
    equal(at.world.writes().length, before, `${index}: nothing is sent`);
    equal((await apply(fresh.plan.id, fresh.plan)).isDone, true, `${index}`);
    equal(at.world.writes().length, before + 1, `${index}`);
    equal(await fresh.bid(), fresh.after);
    const again = await apply(fresh.plan.id, fresh.plan);
    ok(!again.isDone && /applied/.test(again.text), `${index}: ${again.text}`);
    if (index === 1) continue;
    if (index === 0) equal((await send.command("plan undo", fresh.plan.id)).isDone, true);
    else {
      const { data: { plan_id: undo } } = await send.route("plan undo", fresh.plan.id, fresh.plan);
      equal((await send.route("plan apply", undo, await store.get(undo))).isDone, true);
    }
    equal(await fresh.bid(), fresh.before);
    const skipped = index === 0
      ? await send.command("plan apply", moved.plan.id, ["--skip-drifted"])
      : await send.route("plan apply", moved.plan.id, moved.plan, { skip_drifted: true });
    ok(!skipped.isDone, skipped.text);
    equal(await moved.bid(), since);
  }
});

Deno.test("the first example gives the same plan or rows in every interface, with the same defaults", () =>
  ensureSameResults(1));

long();
Deno.test("every example gives the same plan or rows in every interface", () => ensureSameResults(Infinity));
