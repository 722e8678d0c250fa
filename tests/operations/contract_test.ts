import { deepEqual, equal, ok } from "../support/assert.ts";
import { EXIT } from "../../src/interfaces/cli/shell/io/cli_error.ts";
import { commandTree } from "../../src/interfaces/cli/command_tree.ts";
import { commandSpelling } from "../../src/interfaces/cli/shell/options/field_options.ts";
import { ROUTES } from "../../src/interfaces/console/api/routes.ts";
import { everyTool } from "../../src/interfaces/mcp/server/tool_list.ts";
import { type AnyOperation, JSON_SPELLING } from "../../src/operations/model/operation.ts";
import { type Field, inputFrom, requestFields } from "../../src/operations/model/field.ts";
import { fieldShape } from "../../src/operations/model/field_schema.ts";
import { checkInput } from "../../src/operations/model/check_input.ts";
import { toolName } from "../../src/operations/model/operation.ts";
import { OPERATIONS } from "../../src/operations/table.ts";
import { ScheduleState } from "../../src/automation/schedules/mod.ts";
import { type Alert, WatchState } from "../../src/automation/watch/mod.ts";
import { parseWorkflow } from "../../src/account/runs/workflow_file.ts";
import { planWorkflows } from "../../src/account/runs/plan_workflows.ts";
import { long } from "../support/long.ts";
import { type Input, interfaces, routePath } from "./support/interfaces.ts";
import { REFUSED } from "./support/refused_inputs.ts";
import { wrongValues } from "./support/wrong_value.ts";

/** Options of commands that are about profiles, stores and files, which other interfaces choose in other ways. */
const OF_COMMANDS = [
  "account-name",
  "allow-missing",
  "check",
  "encoding",
  "account-type",
  "all-profiles",
  "except",
  "expect",
  "fail-on-gaps",
  "folder",
  "history",
  "currency",
  "rates",
  "rules",
  "chart",
  "as-of",
  "force",
  "save-map",
  "example",
  "full",
  "errors",
  "from-files",
  "limit",
  "market",
  "no-sync",
  "out",
  "profiles",
  "store",
  "touch-experiments",
  "why",
  "write",
  "write-map",
  "yes",
  "accept-risk",
  "enqueue",
  "look",
  "roll-back",
  "only-plan",
  "no-entities",
  "add-account",
  "workflows",
  "room",
  "jobs",
  "advertiser",
  "again",
  "cron",
  "state",
  "plans",
  "last",
  "file",
];

/** Arguments of tools about the rows of an answer, and the plan that an agent has seen. */
const OF_TOOLS = [
  "market",
  "limit",
  "offset",
  "part",
  "fields",
  "fingerprint",
  "sort_by",
  "wait_seconds",
  "markets",
];

/** Fields of the console's routes about the person before the page, and the plan that they have seen. */
const OF_PAGES = ["fingerprint", "accepted", "shown", "passphrase", "profiles", "give_up"];

/** Operations that fetch twelve weeks of reports, whose examples are for the long lane. */
const OF_MANY_DAYS = ["plan goals"];

const NIGHTS = "version: 1\nschedules: { nights: { move: bid, grid: [{ factor: 0.5 }] } }\n";

const RULES = "version: 1\nrules: { spends: { over: campaign, when: cost7d > 0 } }\n";

/** Arguments of commands alone, such as folders of plans. */
const OTHER_ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  "plan experiments": ["<folders...>"],
};

/** Operations that take files of this machine, and one whose place in the console has no fields. */
const WITHOUT_PAGE = ["auto plan schedules", "sheet plan", "import"];

/** True for the plan that the address of a route names. */
function isInPath(operation: AnyOperation, field: string): boolean {
  return field === "plan_id" && routePath(operation).includes("/:id");
}

/** Fields without which nothing else of an operation is looked at. */
const REQUIRED: Readonly<Record<string, Input>> = {
  "list": { entity: "sp_campaigns" },
  "report": { report: "campaigns" },
  "plan call": { operation: "sponsored-brands-v3:archiveTarget", path_params: { targetId: "1" } },
  "ops call": { operation: "sponsored-display:listCampaigns" },
  "plan from-history": { since: "-1" },
  "query": { sql: "SELECT 1 AS one" },
  "account diff": { files: { "sp/spring.yaml": "name: Spring" } },
  "plan from": { files: { "sp/spring.yaml": "name: Spring" } },
  "account copy": { campaign_ids: ["none"], to: "US" },
  "plan outcome": { plan_id: "none" },
  "account pull": { folder: "pulled" },
  "sheet pull": { file: "bulk.xlsx" },
  "sheet plan": { file: "Product,Entity,Operation" },
  "sheet result": { file: "Product,Entity,Operation", plan_id: "none" },
  "import": { files: ["Product,Entity,Operation"] },
  "ops search": { text: "campaigns" },
  "ops show": { operation: "advertising-billing:getInvoice" },
  "ops job run": { operation: "v1-exports:CampaignExport" },
  "report create": { report: "sp_targeting" },
  "report clean-room run": { query: "reach" },
  "report clean-room drift": { files: [{ name: "reach.sql", text: "SELECT 1 AS one FROM x" }] },
  "account bids new": { asins: ["B0EXAMPLE1"], keywords: ["shoes:BROAD"] },
  "plan goals": { goals: "version: 1\ngoals: { all: { aim: sales, acos: 25% } }" },
  "plan goals show": { goals: "version: 1\ngoals: { all: { aim: sales, acos: 25% } }" },
  "plan goals outcome": { goals: "version: 1\ngoals: { all: { aim: sales, acos: 25% } }" },
  "plan power": { plan_id: "none" },
  "plan held-back": { plan_id: "none" },
  "plan part": { plan_id: "none" },
  "plan approve": { plan_id: "none" },
  "plan apply": { plan_id: "none" },
  "plan resume": { plan_id: "none" },
  "plan undo": { plan_id: "none" },
  "auto mark": { ids: ["none"] },
  "auto status": { service: "version: 1\nprofiles: all\ntimers: { sync: hourly }" },
  "auto base": { id: "1" },
  "auto test": { rules: RULES },
  "auto plan schedules": { schedules: NIGHTS },
  "auto show pacing": { pacing: "version: 1\nbudgets: { all: { amount: 3000 } }" },
  "auto plan pacing": { pacing: "version: 1\nbudgets: { all: { amount: 3000 } }" },
  "auto learn": { name: "nights", schedules: NIGHTS },
  "auto outcome": { name: "nights", schedules: NIGHTS },
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
  "account bids keywords": (campaignId, adGroupId) => [
    { campaign_ids: [campaignId] },
    { ad_group_ids: [adGroupId], theme: "BFCM_HOLIDAY" },
  ],
  "account bids targets": () => [{}],
  "auto test": () => [{ rules: RULES }, { rules: RULES, rule: "spends", from: "-3", to: "-1" }],
  "auto plan pacing": () => [{ pacing: "version: 1\nbudgets: { all: { amount: 30 } }" }],
  "sync": () => [{ reports: ["campaigns"], start: "-3", entities: false, accept_shrink: true }],
  "plan list": () => [{}, { all: true }],
  "list": (campaignId) => [
    { entity: "sp_keywords", campaign_ids: [campaignId], states: ["ENABLED"] },
    { entity: "sp_campaigns", all_states: true, name: "sp*" },
    { entity: "sp_keywords", campaign_name: "sp*" },
  ],
};

/** Query of an example, which a clean room stores. */
const BUYERS = "/* ---\nparameters: { minimum: INTEGER }\n--- */\n" +
  "SELECT SUM(clicks) AS clicks FROM sponsored_ads_traffic WHERE clicks >= CUSTOM_PARAMETER('minimum')";

type Row = Readonly<Record<string, unknown>>;

/** The part of a report's row that a tool's usual columns have. */
function reportRow({ date, campaignId, clicks, clickThroughs }: Row): unknown {
  return [date, campaignId, clicks, clickThroughs];
}

/** Tools leave out fields that list_entities gives. */
const BIDS = ({ keywordId, targetId, expression, value, low = null, suggested = null, high = null }: Row) => [
  keywordId ?? targetId ?? value,
  targetId === undefined ? undefined : expression,
  low,
  suggested,
  high,
];

/** Rows of a command and of a tool, which name some of their fields in other ways. */
const ROWS: Readonly<Record<string, readonly [command: (row: Row) => unknown, tool: (row: Row) => unknown]>> =
  {
    "list": [(row) => row, (row) => row],
    "account history": [
      (
        { time, entityId, changeType, newValue = null, what = null, campaignId = null },
      ) => [time, entityId, changeType, newValue, what, campaignId],
      (
        { time, entity_id: id, change, after, what = null, campaign_id: campaignId = null },
      ) => [time, id, change, after, what, campaignId],
    ],
    "account product-problems": [(row) => row, (row) => row],
    "ops search": [({ id }) => id, ({ id }) => id],
    "account labels": [(row) => row, (row) => row],
    "report": [reportRow, reportRow],
    "account bids keywords": [BIDS, BIDS],
    "account bids targets": [BIDS, BIDS],
    "account bids new": [BIDS, BIDS],
    "figures": [(row) => row, (row) => row],
    "store coverage": [
      (
        { country_code: country, report, first_day: first, days, rows, expires },
      ) => [country, report, first, days, rows, expires],
      ({ country, report, first_day: first, days, rows, expires = false }) => [
        country,
        report,
        first,
        days,
        rows,
        expires,
      ],
    ],
    "query": [(row) => row, (row) => row],
    "report waste": [
      ({ search_term: term, clicks, cost }) => [term, clicks, cost],
      ({ search_term: term, clicks, cost }) => [term, clicks, cost],
    ],
    "plan list": [
      ({ id, state, profile_id: profile, counts, next }) => [id, state, profile, counts, next ?? undefined],
      ({ plan_id: id, state, profile_id: profile, counts, next }) => [id, state, profile, counts, next],
    ],
    "auto alerts": [({ id, day, title }) => [id, day, title], ({ id, day, title }) => [id, day, title]],
    "auto status schedules": [
      ({ state: _, ...row }) => row,
      ({ left_alone: _, run: _run, last_tick: _tick, ...row }) => row,
    ],
    "auto plan schedules": [
      ({ risk_by_hour: _, factors, campaign, ...week }) => [
        { ...week, campaign },
        Math.max(...(factors as number[][]).flat()),
      ],
      ({ highest_factor: factor, ...week }) => [week, factor],
    ],
    "auto show pacing": [
      ({ line: _, weights: _weights, campaigns: _campaigns, ...amount }) => amount,
      (amount) => amount,
    ],
    "ops job run": [({ campaignId }) => campaignId, ({ campaignId }) => campaignId],
    "report clean-room instances": [
      ({ instanceId, name, region }) => [instanceId, name, region],
      ({ instanceId, name, region }) => [instanceId, name, region],
    ],
    "report clean-room workflows": [({ sql }) => sql, ({ sql }) => sql],
    "report clean-room drift": [({ source: _, ...row }) => row, ({ source: _, ...row }) => row],
    "report clean-room run": [(row) => row, (row) => row],
    "report compare": [
      ({ by, name, cost_change: change, acos_after: acos }) => [by, name, change, acos],
      ({ by, name, cost_change: change, acos_after: acos }) => [by, name, change, acos],
    ],
  };

/** The first rows of each list: tools give fewer of them. */
function cut(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, one) => Array.isArray(one) ? one.slice(0, 10) : one);
}

/** Types whose values have a form that the name of a field does not tell. */
const WITH_A_FORM: readonly Field["type"][] = ["day", "moment", "span", "document", "files"];

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
    const isArgument = (one: string): boolean => /^</.test(field(one));
    const flags = Object.keys(fields).filter((one) => !isArgument(one)).map(field).sort();
    deepEqual(
      own.filter((flag) => flags.includes(flag) || !OF_COMMANDS.includes(flag.slice(2))).sort(),
      flags,
      name,
    );
    deepEqual(
      command.registeredArguments.map((one) => `<${one.name()}${one.variadic ? "..." : ""}>`),
      [
        ...OTHER_ARGUMENTS[name] ?? [],
        ...Object.keys(fields).filter(isArgument).map(field),
      ],
      name,
    );
    equal(tool === undefined, operation.isForPeople === true, name);
    if (tool !== undefined) {
      equal(tool.description.replace(/ SQL: (SQLite|PostgreSQL)\.$/, ""), brief);
      const listed = Object.keys(requestFields(fields)).filter((one) => !fields[one]?.isRare);
      const { properties = {} } = tool.inputSchema() as { properties?: Record<string, unknown> };
      const ofTool = Object.keys(properties).filter((one) => !OF_TOOLS.includes(one));
      deepEqual(ofTool.sort(), listed.sort(), name);
      const shape = fieldShape(fields);
      const mute = Object.keys(shape).filter((one) => !shape[one]!.description);
      // A second day is written as the first one.
      const first = Object.keys(shape).find((one) => WITH_A_FORM.includes(fields[one]!.type));
      deepEqual(mute.filter((one) => fields[one]?.isRare || one === first), [], `${name} describes them`);
    }
    const route = ROUTES.find(({ method, path }) => method === "POST" && path === routePath(operation));
    const hasPage = !WITHOUT_PAGE.includes(name) && (operation.effect !== "read" || "goals" in fields);
    equal(route !== undefined, hasPage, name);
    if (route === undefined) continue;
    const taken = Object.keys(route.takes ?? {}).filter((one) => !OF_PAGES.includes(one));
    // A page always looks at the account first, and leaves nothing in the plan to be refused.
    if (operation.effect === "send") ok(taken.every((one) => one in fields), name);
    else {deepEqual(
        taken,
        Object.keys(requestFields(fields)).filter((one) => !isInPath(operation, one)),
        name,
      );}
  }
});

Deno.test("a field of the wrong type is refused by name in every interface before anything is sent", async () => {
  await using at = await interfaces();
  for (const operation of OPERATIONS) {
    for (const [name, field] of Object.entries(operation.input)) {
      if (operation.effect === "send" && field.isRare) continue;
      const required = REQUIRED[operation.name] ?? {};
      for (const wrong of wrongValues(field)) {
        if (operation.isForPeople !== true && !field.isOfCommands) {
          const { isError, text } = await at.tool(operation, { ...required, [name]: wrong.value });
          const said = text.split(". Expected")[0]!;
          ok(isError && said.includes(name) && !said.includes("is not an argument"), `${name}: ${text}`);
        }
        const hasPage = !field.isOfCommands && !isInPath(operation, name) &&
          !WITHOUT_PAGE.includes(operation.name);
        if (["plan", "store"].includes(operation.effect) && hasPage) {
          const { status, data } = await at.route(operation, { ...required, [name]: wrong.value });
          ok(status === 400 && data.error.message.includes(name), `${name}: ${JSON.stringify(data)}`);
        }
        if (wrong.text === undefined || field.required) continue;
        const flag = commandSpelling(operation.input).field(name);
        const { code, stderr } = await at.adsctl(operation, required, [flag, wrong.text]);
        equal(code, 2, `${operation.name} ${flag}: ${stderr}`);
        ok(stderr.includes(flag), `${operation.name}: ${stderr}`);
      }
    }
  }
  equal(at.world.emulator.requests().length, 0);
});

Deno.test("an input that makes no sense is refused in the same words in every interface, and sends nothing", async () => {
  await using at = await interfaces();
  for (const operation of OPERATIONS) {
    for (const [input, named] of REFUSED[operation.name] ?? []) {
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
      ok((await messageIn(JSON_SPELLING)).includes(named), about);
      const { code, stderr } = await at.adsctl(operation, input);
      equal(code, 2, about);
      ok(stderr.includes(await messageIn(commandSpelling(operation.input))), `${about}: ${stderr}`);
      if (operation.isForPeople !== true) {
        const { isError, text } = await at.tool(operation, input);
        ok(isError && text.includes(await messageIn(JSON_SPELLING)), `${about}: ${text}`);
      }
      if (!["plan", "store"].includes(operation.effect) || WITHOUT_PAGE.includes(operation.name)) continue;
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
  const room = await (await at.context.ads()).cleanRoom("Fernpfad Outdoor US");
  await (await planWorkflows(ca, room, [parseWorkflow(BUYERS, "buyers.sql")])).apply(ca);
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
  await using schedules = await ScheduleState.open(`${at.world.folder}/ads.sqlite`);
  const base = {
    kind: "sp.keywords",
    move: "bid",
    schedule: "nights",
    base: 1,
    factor: 0.5,
    wrote: 0.5,
  } as const;
  await schedules.keep(ca.profileId, [
    { ...base, id: "1", label: "shoes", intends: null, kept: null, why: "started" },
    { ...base, id: "2", label: "boots", intends: null, kept: "somebody else set it to 9", why: "started" },
  ], at.world.emulator.clock.now());
  const before = at.world.writes().length;
  const { data: { rows } } = await at.agent.call("list_entities", { market: "CA", entity: "sp_ad_groups" });
  const { campaignId, adGroupId } = rows[0];
  for (const operation of OPERATIONS.filter(({ effect, isForPeople }) => effect !== "send" && !isForPeople)) {
    if (count === 1 && OF_MANY_DAYS.includes(operation.name)) continue;
    // Each interface plans it beside the whole, which is in one folder; tests of its own compare them.
    if (operation.name === "plan part") continue;
    const samples = SAMPLES[operation.name]?.(campaignId, adGroupId, changed.id) ??
      operation.examples.slice(0, count).map(({ input }) => input);
    ok(samples.length > 0, operation.name);
    for (const [index, input] of samples.entries()) {
      const about = `${operation.name} ${JSON.stringify(input)}`;
      const out = `${at.world.folder}/${operation.name.replaceAll(" ", "-")}-${index}.json`;
      const saving = operation.effect === "plan" && !(operation.name in ROWS) ? ["--out", out] : [];
      // As many rows of each part as the tool gives.
      if (operation.name === "report compare") saving.push("--limit", "5");
      const { code, stdout, stderr } = await at.adsctl(operation, input, ["--json", ...saving]);
      const differs = ["account diff", "report clean-room drift"].includes(operation.name);
      equal(code, differs ? EXIT.differences : 0, `${about}: ${stderr}`);
      const command = JSON.parse(stdout);
      const { data, isError, text } = await at.tool(operation, input);
      equal(isError, false, `${about}: ${text}`);
      if (operation.name === "plan outcome") {
        const { total_changes: total, ...outcome } = data;
        deepEqual(outcome, command, about);
        equal(total, 1, about);
        continue;
      }
      if (operation.name === "account diff") {
        deepEqual(data, command, about);
        equal(data.creates.length, 3, about);
        continue;
      }
      if (operation.name === "ops show") {
        const { data: page } = await at.page.ask(`/api/operations/${input["operation"]}`);
        const { schema: _, ...published } = command;
        deepEqual(
          [page.operation, data.operation, data.path],
          [published, published.id, published.path],
          about,
        );
        continue;
      }
      if (operation.name === "ops call") {
        const { profileId: profile } = ca;
        const { data: called } = await at.page.ask(`/api/operations/${input["operation"]}/call`, {
          profile,
          ...input,
        });
        ok(command.payload.invoiceSummaries.length > 0, about);
        deepEqual([cut(data.result), called.response], [cut(command), command], about);
        continue;
      }
      if (operation.effect === "store") {
        const { outcomes } = command;
        ok(outcomes.length > 0 && outcomes.every(({ rows }: Row) => Number(rows) > 0), about);
        const days = ({ report, start, end, rows }: Row): unknown => [report, start, end, rows];
        deepEqual(data.outcomes.map(days), outcomes.map(days), about);
        const { state, rows, problems } = await at.routeOfSync(input);
        const sum = outcomes.reduce((all: number, { rows }: Row) => all + Number(rows), 0);
        deepEqual([state, rows, problems], ["done", sum, []], about);
        continue;
      }
      if (operation.name === "auto test") {
        const days = [...new Set(command.map(({ day }: Row) => day))].slice(-10).join(", ");
        const [row] = data.rows;
        deepEqual([row.rule, row.alerts, row.days], ["spends", command.length, days], about);
        ok(stderr.includes(`spends: ${command.length} alert`), about);
        ok(stderr.includes(`in ${row.judged_days} days`), `${about}: ${stderr}`);
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
        // A page also gets the lines that a command prints without --json.
        const { lines: _, ...shown } = answer;
        deepEqual([shown, data], [command, command], about);
        continue;
      }
      equal(answer.considered, command.considered, about);
      deepEqual(answer.left_out_counts, command.left_out_counts, about);
      deepEqual(answer.left_out ?? [], command.left_out?.slice(0, 500) ?? [], about);
      equal(data.considered, command.considered, about);
      deepEqual(data.left_out_counts, command.left_out_counts, about);
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
    at.world.writes().slice(before).filter((request) =>
      !/\/(?:usage|export|search|workflowExecutions|attribution\/report|advertiserAccounts|query\/label\w+)$/
        .test(request)
    ),
    [],
  );
}

Deno.test("the first example gives the same plan or rows in every interface, with the same defaults", () =>
  ensureSameResults(1));

long();
Deno.test("every example gives the same plan or rows in every interface", () => ensureSameResults(Infinity));
