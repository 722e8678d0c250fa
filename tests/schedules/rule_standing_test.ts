import { deepEqual, equal, match, ok } from "../support/assert.ts";
import { accountDrift } from "../../src/account/mod.ts";
import { PlanStore } from "../../src/plans/mod.ts";
import {
  parseSchedules,
  rulesOfSchedules,
  type Schedule,
  ScheduleState,
  stopSchedules,
  tickSchedules,
} from "../../src/automation/schedules/mod.ts";
import { type Emulated, emulated } from "../support/emulated.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

interface Scene extends Emulated {
  readonly place: string;
  readonly state: ScheduleState;
  readonly plans: PlanStore;
  readonly campaignId: string;
  tick(increase?: number): ReturnType<typeof tickSchedules>;
  pass(seconds: number): void;
  /** Changes a rule as somebody else does. */
  change(id: string, fields: Record<string, unknown>): Promise<void>;
}

const nights = (campaignId: string, evening: number): readonly Schedule[] =>
  parseSchedules(
    `version: 1
schedules:
  nights: { select: { ids: ["${campaignId}"] }, move: bid, on: platform, grid: [
    { hours: "00-06", factor: 0.5 }, { hours: "18-22", factor: ${evening} }] }\n`,
    "s.yaml",
  ).schedules;

async function scene(work: (scene: Scene) => Promise<void>): Promise<void> {
  await using folder = await temporaryFolder();
  await using world = await emulated();
  const { us, emulator, time } = world;
  const campaignId =
    (await us.sp.campaigns.list()).find(({ targetingType }) => targetingType === "MANUAL")!.campaignId;
  const place = folder.file("ads.sqlite");
  await using state = await ScheduleState.open(place);
  const plans = PlanStore.open(folder.file("plans"), { now: time.now });
  await work({
    ...world,
    place,
    state,
    plans,
    campaignId,
    tick: (increase = 1.5) =>
      tickSchedules(us, { schedules: nights(campaignId, increase), state, plans, now: time.now() }),
    pass: (seconds) => {
      emulator.advance(seconds);
      time.advance(seconds);
    },
    change: async (id, fields) => {
      const { ours } = await readAll(world, id);
      await us.call(
        "sponsored-products:UpdateOptimizationRules",
        { optimizationRules: [{ ...ours, ...fields, optimizationRuleId: id }] } as never,
      );
    },
  });
}

async function readAll({ us }: Pick<Emulated, "us">, id: string): Promise<{ ours: Record<string, unknown> }> {
  const { optimizationRules } = await us.call(
    "sponsored-products:SearchOptimizationRules",
    { maxResults: 300, optimizationRuleFilter: { optimizationRuleId: { values: [id] } } } as never,
  ) as { optimizationRules: Record<string, unknown>[] };
  const { optimizationRuleId: _, ...ours } = optimizationRules[0]!;
  return { ours };
}

Deno.test("rules of schedules are listed with what is wanted, what is live, and who changed them", () =>
  scene(async ({ us, state, plans, tick, change, pass, emulator, time, asked, campaignId, place }) => {
    const drift = async () => {
      const since = time.now() - 1000;
      const { entries } = await accountDrift(us, { since, plans: [plans] });
      return entries.filter(({ kind }) => kind === "sp.optimization_rules");
    };
    asked();
    deepEqual(await rulesOfSchedules(us, state), []);
    deepEqual([await drift(), asked().filter((line) => /optimization/.test(line))], [[], []]);

    await tick();
    const made = await rulesOfSchedules(us, state);
    ok(
      made.length >= 2 && made.every(({ state: is, wanted, live }) => is === "as_wanted" && wanted === live),
    );
    match(made[0]!.live!, /^enabled, \+\d+ %, \d\d:00-\d\d:00$/);
    const ours = await drift();
    deepEqual(ours.map(({ label }) => label).sort(), made.map(({ name }) => name));
    for (const { by, change: what, plan } of ours) {
      deepEqual([by, what, plan?.note], ["plan", "CREATED", "Schedules: rules of nights"]);
    }

    pass(3600);
    equal((await drift()).length, 0, "what was made earlier is no change since");
    const [first, second] = made;
    await change(first!.id!, { status: "PAUSED" });
    const rules = emulator.state.profile(us.profileId)!.collection("sp.optimization_rules");
    const entity = rules.all().find(({ ruleId }) => ruleId === second!.id)!;
    rules.replace({ ...entity, campaignIds: [] });
    const found = await rulesOfSchedules(us, state);
    deepEqual(found.slice(0, 2).map(({ state: is }) => is), ["changed", "not_tied"]);
    const foreign = await drift();
    deepEqual(foreign.map(({ by, change: what, label }) => [by, what, label]), [
      ["other", "RULE", first!.name],
      ["other", "CAMPAIGN_ID", second!.name],
    ]);
    deepEqual([foreign[0]!.before, foreign[0]!.after], [
      first!.live,
      first!.live!.replace("enabled", "paused"),
    ]);
    const campaign = await us.sp.campaigns.get(campaignId);
    equal(foreign[0]!.campaign, campaign!.name);

    // A rule that is gone, for which the catalog has no operation, is missing until the next tick.
    rules.replace({ ...entity, ruleName: "Theirs" });
    equal((await rulesOfSchedules(us, state))[1]!.state, "missing");
    ok(
      (await drift()).some(({ change: what, label, after }) =>
        what === "REMOVED" && label === second!.name && after === null
      ),
    );
    await tick();
    equal((await rulesOfSchedules(us, state))[1]!.state, "as_wanted", "and made again");

    pass(3600);
    await stopSchedules(us, { state: place, plans, now: time.now() });
    const paused = await rulesOfSchedules(us, state);
    deepEqual(new Set(paused.map(({ state: is }) => is)), new Set(["paused", "changed"]));
    ok((await drift()).filter(({ by }) => by === "plan").every(({ after }) => /^paused/.test(String(after))));
  }));

Deno.test("a tick that is cut off before rules change is mended by the next, which takes them for its own", () =>
  scene(async ({ us, state, tick, pass, emulator }) => {
    await tick();
    pass(3600);
    emulator.setFaults([{
      match: { method: "PUT", path: "/sp/rules/optimization" },
      times: 20,
      effects: { response: { status: 500 } },
    }]);
    await tick(1.8).catch(() => {});
    const cut = await rulesOfSchedules(us, state);
    ok(cut.some(({ state: is }) => is === "not_sent"), JSON.stringify(cut));
    ok(cut.every(({ state: is }) => is !== "changed"));
    emulator.setFaults([]);
    pass(600);
    const { rules } = await tick(1.8);
    deepEqual(rules?.refused, []);
    const mended = await rulesOfSchedules(us, state);
    ok(mended.every(({ state: is }) => is === "as_wanted" || is === "paused"), JSON.stringify(mended));
  }));
