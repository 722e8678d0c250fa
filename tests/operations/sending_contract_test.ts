import { deepEqual, equal, match, ok } from "../support/assert.ts";
import { ChangePlan } from "../../mod.ts";
import type { PlanStore as Plans } from "../../src/plans/store/plan_store.ts";
import { PlanStore } from "../../src/plans/store/plan_store.ts";
import { OPERATIONS } from "../../src/operations/table.ts";
import { settingsOf } from "../cli/support/emulated.ts";
import { withoutPolicy } from "../support/without_policy.ts";
import { type Input, interfaces } from "./support/interfaces.ts";

type Interfaces = Awaited<ReturnType<typeof interfaces>>;

/** What an interface answered to an order to send. */
interface Answer {
  readonly isDone: boolean;
  readonly text: string;
  /** Exit code of the command, kind of the route's error. */
  readonly code?: unknown;
}

/** An interface that sends plans. */
interface Sender {
  readonly name: "command" | "tool" | "route";
  readonly store: Plans;
  apply(plan: ChangePlan, more?: Input): Promise<Answer>;
  /** Absent where only people may. */
  resume?(plan: ChangePlan): Promise<Answer>;
  undo?(plan: ChangePlan): Promise<Answer>;
}

function senders(at: Interfaces): readonly [command: Sender, tool: Sender, route: Sender] {
  const own = PlanStore.open(at.world.planFolder);
  const command = async (name: string, { id }: ChangePlan, more: Input = {}): Promise<Answer> => {
    const operation = OPERATIONS.find((one) => one.name === `plan ${name}`)!;
    const { code, stdout, stderr } = await at.adsctl(operation, { plan_id: id, ...more }, [
      "--yes",
      "--json",
    ]);
    return { isDone: code === 0, text: stdout + stderr, code };
  };
  const route = async (name: string, { id, fingerprint }: ChangePlan, more: Input = {}) => {
    const { status, data } = await at.page.ask(`/api/plans/${id}/${name}`, { fingerprint, ...more });
    const answer: Answer = {
      isDone: status === 200 && data.ok !== false,
      text: JSON.stringify(data),
      code: data.error?.code,
    };
    return { ...answer, data };
  };
  return [
    {
      name: "command",
      store: own,
      apply: (plan, more) => command("apply", plan, more),
      resume: (plan) => command("resume", plan),
      undo: (plan) => command("undo", plan),
    },
    {
      name: "tool",
      store: own,
      apply: async ({ id, fingerprint }, more = {}) => {
        const { isError, text } = await at.agent.call("apply_plan", { plan_id: id, fingerprint, ...more });
        return { isDone: !isError, text };
      },
    },
    {
      name: "route",
      store: at.consolePlans,
      apply: (plan, more) => route("apply", plan, more),
      resume: (plan) => route("resume", plan),
      undo: async (plan) => {
        const { data: { plan_id: undo } } = await route("undo", plan);
        return await route("apply", await at.consolePlans.get(undo));
      },
    },
  ];
}

/** A keyword of its own for each plan, which raises its bid. */
async function plansFor(at: Interfaces, store: Plans, count: number) {
  const ca = await (await at.context.ads()).profile("CA");
  const keywords = (await ca.sp.keywords.list({ states: ["ENABLED"] })).filter(({ bid }) =>
    bid !== undefined
  );
  const bidOf = async (keywordId: string) => (await ca.sp.keywords.get(keywordId))?.bid;
  return await Promise.all(
    keywords.slice(-count).map(async ({ keywordId, bid = 0 }, index) => {
      const after = Math.round(100 * bid + 1 + index) / 100;
      const plan = await ca.sp.keywords.planUpdate([{ keywordId, bid: after }]);
      const path = await store.save(plan);
      return { ca, plan, path, keywordId, before: bid, after, bid: () => bidOf(keywordId) };
    }),
  );
}

Deno.test("a plan is applied, refused for drift and undone alike in every interface that sends", async () => {
  await using at = await interfaces();
  for (const { name, store, apply, undo } of senders(at)) {
    const [fresh, moved, other] = await plansFor(at, store, 3);
    ok(fresh !== undefined && moved !== undefined && other !== undefined);
    await moved.ca.sp.keywords.update(
      [moved, other].map(({ keywordId, before }) => ({ keywordId, bid: before + 0.5 })),
    );
    const since = await moved.bid();
    const before = at.world.writes().length;
    const refused = await apply(moved.plan);
    ok(!refused.isDone, name);
    match(refused.text, /changed since it was made[^]*bid\\*" was .* and is/, name);
    equal(refused.code, { command: 4, tool: undefined, route: "DRIFT" }[name]);
    if (name === "tool") {
      ok(
        refused.text.includes(
          `"entity": "keywords", "items": [{"keywordId": "${moved.keywordId}", "bid": …}]`,
        ),
      );
    }
    equal(at.world.writes().length, before, `${name}: nothing is sent`);
    equal((await apply(fresh.plan)).isDone, true, name);
    equal(at.world.writes().length, before + 1, name);
    equal(await fresh.bid(), fresh.after);
    const again = await apply(fresh.plan);
    ok(!again.isDone && /applied/.test(again.text), `${name}: ${again.text}`);
    if (undo !== undefined) {
      equal((await undo(fresh.plan)).isDone, true, name);
      equal(await fresh.bid(), fresh.before);
      const skipped = await apply(moved.plan, { skip_drifted: true });
      ok(!skipped.isDone, skipped.text);
      equal(await moved.bid(), since);
    }
    if (name === "route") continue;
    const insisted = await apply(other.plan, { check_drift: false });
    equal(insisted.isDone, true, insisted.text);
    equal(await other.bid(), other.after);
  }
});

Deno.test("a plan whose file was edited is refused in every interface, and nothing is sent", async () => {
  await using at = await interfaces();
  const before = at.world.writes().length;
  for (const { name, store, apply } of senders(at)) {
    const [{ plan, path } = { plan: undefined, path: "" }] = await plansFor(at, store, 1);
    const text = await Deno.readTextFile(path);
    await Deno.writeTextFile(path, text.replace(/"bid": ?[\d.]+/, '"bid": 99'));
    const { isDone, text: said, code } = await apply(plan!);
    ok(!isDone, name);
    if (name === "route") equal((await at.page.ask("/api/plans")).data.plans[0].state, "unusable");
    match(said, /edited after it was made/, name);
    equal(code, { command: 4, tool: undefined, route: "PLAN_UNUSABLE" }[name]);
  }
  equal(at.world.writes().length, before);
});

Deno.test("a plan that was cut off is not applied again but finished or undone, and nothing is sent twice", async () => {
  await using at = await interfaces();
  for (const { name, store, apply, resume, undo } of senders(at)) {
    if (resume === undefined) continue;
    const [{ plan, path, bid, before, after } = { plan: undefined, path: "" }] = await plansFor(at, store, 1);
    equal((await apply(plan!)).isDone, true);
    const sent = at.world.writes().length;
    // What a killed process leaves: the journal, and no result.
    const cutOff = () => Deno.remove(path.replace(/\/(plan-[^/]*)\.json$/, "/.plans/$1.result.json"));
    await cutOff();
    equal((await store.status(plan!.id)).state, "unfinished");
    equal((await apply(plan!)).isDone, false, name);
    const finished = await resume(plan!);
    equal(finished.isDone, true, `${name}: ${finished.text}`);
    equal((await store.status(plan!.id)).state, "applied", name);
    equal(at.world.writes().length, sent, `${name}: what was done is not sent again`);
    equal(await bid?.(), after);
    await cutOff();
    const undone = await undo!(plan!);
    equal(undone.isDone, true, `${name}: ${undone.text}`);
    equal(await bid?.(), before);
  }
});

withoutPolicy("its plans are applied without an approval");
Deno.test("a call that another plan put back is sent again by no interface, which name that plan", async () => {
  await using at = await interfaces();
  const ads = await at.context.ads();
  const ca = await ads.profile("CA");
  const [{ instanceId } = {}] = await ads.cleanRooms({ region: "NA" });
  const { place } = await ads.cleanRoom(String(instanceId));
  /** Plans and applies a call, and applies a copy of its undo in a store. */
  const putBack = async (name: string, store: Plans, other = store) => {
    const workflow = { workflowId: name, sqlQuery: "SELECT campaign FROM sponsored_ads_traffic" };
    const plan = await ca.planCall<string>("workflow-management-service:createWorkflow", workflow, place);
    await store.save(plan);
    const { rollback } = await store.apply(plan, ca);
    const copy = new ChangePlan({ ...rollback!, id: `${name}-other` });
    await other.save(copy);
    equal((await other.apply(copy, ca)).result.ok, true);
    return { plan, rollback: rollback! };
  };
  const deletes = (): number =>
    at.world.emulator.requests().filter(({ method }) => method === "DELETE").length;
  const reason = (name: string): RegExp =>
    new RegExp(`call workflow.*deleteWorkflow: plan ${name}-other put it back at`);
  for (const { name, store, apply, undo } of senders(at)) {
    const { plan, rollback } = await putBack(name, store);
    const before = deletes();
    const { isDone, text } = undo === undefined ? await apply(rollback) : await undo(plan);
    ok(!isDone, name);
    match(text, reason(name), name);
    equal(deletes(), before, name);
  }
  // The command also looks at the folder of the tool server, as plan list does.
  const elsewhere = PlanStore.open(`${at.world.folder}/elsewhere`);
  const { plan } = await putBack("elsewhere", PlanStore.open(at.world.planFolder), elsewhere);
  const before = deletes();
  const operation = OPERATIONS.find((one) => one.name === "plan undo")!;
  const env = {
    ...settingsOf(at.world.emulator, at.world.folder),
    PLATFORM_ADS_MCP_PLAN_DIR: elsewhere.path,
  };
  const { code, stderr } = await at.adsctl(operation, { plan_id: plan.id }, ["--yes"], { env });
  equal(code, 4, stderr);
  match(stderr, reason("elsewhere"));
  equal(deletes(), before);
});

Deno.test("a plan that would change nothing is saved by no interface", async () => {
  await using at = await interfaces();
  const ca = await (await at.context.ads()).profile("CA");
  const [keyword] = (await ca.sp.keywords.list({ states: ["ENABLED"] })).filter(({ bid }) =>
    bid !== undefined
  );
  const { keywordId, bid } = keyword!;
  const operation = OPERATIONS.find(({ name }) => name === "plan update")!;
  const input = { entity: "keywords", items: [{ keywordId, bid, keywordText: "new text" }] };
  for (const out of [[], ["--out", at.world.folder]]) {
    const { code, stdout, stderr } = await at.adsctl(operation, input, ["--json", ...out]);
    deepEqual([code, JSON.parse(stdout).file], [0, null], stderr);
    match(stderr, /^Nothing to change/m);
    match(stderr, /keywordText/);
  }
  const { data, isError, text } = await at.tool(operation, input);
  deepEqual([isError, data.plan_id], [false, undefined]);
  match(text, /^Nothing to change/);
  match(data.warnings.join(), /cannot change them: keywordText\. It can change state, bid/);
  const { status, data: answer } = await at.route(operation, input);
  deepEqual([status, answer.plan_id], [200, null]);
  for (const store of [PlanStore.open(at.world.planFolder), at.consolePlans]) {
    deepEqual(await store.list(), []);
  }
  deepEqual([...Deno.readDirSync(at.world.folder)].filter(({ name }) => name.startsWith("plan-")), []);
});
