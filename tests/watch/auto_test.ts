import { deepEqual, equal, match, ok } from "../support/assert.ts";
import { type Emulated, emulated } from "../support/emulated.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { PlanStore } from "../../src/plans/store/plan_store.ts";
import { FolderLedger, parsePolicy } from "../../src/plans/policy/mod.ts";
import { Warehouse } from "../../src/store/mod.ts";
import { parseWatch, runWatch, type WatchResult, WatchState } from "../../src/automation/watch/mod.ts";
import { ALERT, raised } from "./sample_alert.ts";
import { WIDE_POLICY } from "../support/judging.ts";
import { long } from "../support/long.ts";

const PAUSE =
  "version: 1\nrules: { rest: { over: campaign, when: cost7d > 200, propose: { job: pause, auto: true } } }";
interface Scene extends Emulated {
  readonly plans: PlanStore;
  readonly state: WatchState;
  readonly store: Warehouse;
  look(rules?: string, signal?: AbortSignal): Promise<WatchResult>;
  /** Writes of campaigns that the platform has seen. */
  writes(): number;
}

async function scene(
  policy: ((campaignIds: readonly string[]) => string) | undefined,
  run: (at: Scene) => Promise<void>,
  fetch?: typeof globalThis.fetch,
): Promise<void> {
  await using folder = await temporaryFolder();
  const now = (): number => Date.parse("2026-09-30T12:00:00Z");
  const emulator = { quirks: { reportSeconds: 0 } };
  let ids: string[] = [];
  if (policy !== undefined) {
    await using first = await emulated({ emulator });
    ids = (await first.us.sp.campaigns.list({ states: ["ENABLED"] })).map(({ campaignId }) => campaignId);
  }
  await using at = await emulated({
    emulator,
    client: {
      ...(fetch === undefined ? {} : { fetch }),
      ...(policy === undefined ? {} : {
        policy: parsePolicy(`version: 1\n${policy(ids)}`, {
          ledger: new FolderLedger(folder.file("ledger"), { now }),
          now,
        }),
      }),
    },
  });
  const place = folder.file("ads.sqlite");
  await using store = await Warehouse.open(place, { now: at.time.now });
  await store.sync(at.us, { reports: ["sp_campaigns"], start: "2026-09-20" });
  await using state = await WatchState.open(place);
  const plans = PlanStore.open(folder.file("plans"), { now });
  await run(Object.assign(Object.create(at), {
    plans,
    state,
    store,
    look: (rules = PAUSE, signal?: AbortSignal) =>
      runWatch(at.us, {
        file: parseWatch(rules, "watch.yaml"),
        store,
        state,
        plans: [plans],
        write: () => {},
        signal,
      }),
    writes: () =>
      at.emulator.requests().filter(({ method, path }) => method === "PUT" && path.endsWith("/sp/campaigns"))
        .length,
  }) as Scene);
}

Deno.test("a rule with auto applies nothing without a policy, and nothing that the policy does not name", async () => {
  for (const policy of [undefined, () => "allow_auto: [other]", () => "max_changes: 1000"]) {
    await scene(policy, async ({ look, plans, writes }) => {
      const { raised } = await look();
      equal(writes(), 0);
      match(raised[0]!.text, /which waits for approval: no policy names rest under allow_auto/);
      equal((await plans.status(raised[0]!.planId!)).state, "open");
    });
  }
});

const PROPOSED = PAUSE.replace(", auto: true", "");

Deno.test("a campaign that was paused and enabled in the judged days is left alone by the proposal", () =>
  scene(undefined, async ({ look, us, emulator, time, store, plans }) => {
    const later = async (days: number) => {
      emulator.clock.advance(days * 86_400);
      time.advance(days * 86_400);
      await store.sync(us, { reports: ["sp_campaigns"], start: "2026-09-20" });
    };
    const [first] = (await look(PROPOSED)).raised;
    const ids = (await plans.get(first!.planId!)).changes.map(({ id }) => id!);
    const [kept, ...others] = ids;
    ok(others.length > 0);
    await us.sp.campaigns.pause([kept!]);
    await later(1);
    await us.sp.campaigns.enable([kept!]);
    await later(4);
    const again = await look(PROPOSED.replace("rest:", "later:").replace("> 200", "> 100"));
    ok(again.raised.some(({ key }) => key === kept), "the rule finds it");
    const plan = await plans.get(again.raised[0]!.planId!);
    ok(plan.changes.length > 0);
    equal(plan.changes.some(({ id }) => id === kept), false);
  }));

for (const policy of [undefined, () => WIDE_POLICY.replace("version: 1\n", "")]) {
  const under = policy === undefined ? "" : " (under a policy)";
  Deno.test(`a proposal without auto waits for a person, who applies and undoes it${under}`, () =>
    scene(policy, async ({ look, plans, us, writes }) => {
      const { raised: [alert] } = await look(PROPOSED);
      equal(writes(), 0);
      const plan = await plans.get(alert!.planId!);
      equal((await plans.status(plan.id)).state, "open");
      equal((await plans.apply(plan, us, { approvedBy: "ann" })).result.ok, true);
      const states = async () =>
        [...await us.sp.campaigns.getMany(plan.changes.map(({ id }) => id!))].map(([, { state }]) => state);
      ok((await states()).every((state) => state === "PAUSED"));
      await plans.rollBack(plan, us);
      ok((await states()).every((state) => state === "ENABLED"));
    }));
}

Deno.test("a rule that the policy names applies its plan, leaves what a person must see, says so, and is undone by one command", () =>
  scene(
    ([first]) => `allow_auto: [rest]\nprotect: { ids: ["${first}"] }\nlevels: { protect: approve }`,
    async (at) => {
      const { raised } = await at.look();
      const [{ planId, text }] = raised as [WatchResult["raised"][0]];
      match(
        text,
        /Applied automatically, as the policy allows: plan \S+: update sp\.campaigns: [1-9]\d* succeeded, 0 failed/,
      );
      match(text, new RegExp(`To undo it: undo\\(\\) of "${planId}"`));
      match(text, /Proposed: plan \S+ with 1 change, which waits for approval: .*protect/i);
      const plan = await at.plans.get(planId!);
      const states = async () =>
        [...await at.us.sp.campaigns.getMany(plan.changes.map(({ id }) => id!))].map(([, { state }]) =>
          state
        );
      ok((await states()).every((state) => state === "PAUSED"));
      ok(raised.every((alert) => alert.planId === planId));
      equal((await at.look()).raised.length, 0);
      equal(at.writes(), 1);
      await at.plans.rollBack(plan, at.us);
      ok((await states()).every((state) => state === "ENABLED"));
    },
  ));

Deno.test("a plan that the default warnings want a person for is not applied by itself, whatever the policy names", () =>
  scene(() => "allow_auto: [rest]", async ({ look, writes }) => {
    const { raised } = await look(PAUSE.replace("cost7d > 200", "cost7d > 0"));
    equal(writes(), 0);
    match(raised[0]!.text, /waits for approval: This stops \d+ of \d+ live campaigns/);
  }));

Deno.test("limits of the day hold for plans that are applied by themselves; what is beyond them waits for a person", () =>
  scene(
    () => "allow_auto: [rest]\nmax_changes: 3",
    async ({ look, writes, plans, us }) => {
      const all = await us.sp.campaigns.list({ states: ["ENABLED"] });
      const [one] = all.map(({ name }) => JSON.stringify(name));
      const only = (condition: string): string =>
        PAUSE.replace("cost7d > 200", `'cost7d > 200 && ${condition}'`);
      const first = await look(only(`campaign == ${one}`));
      match(first.raised[0]!.text, /Applied automatically/);
      equal(writes(), 1);
      const second = await look(only(`campaign != ${one} `));
      const plan = await plans.get(second.raised[0]!.planId!);
      equal(plan.changes.length, 3, "so many are allowed alone, and not on the same day");
      equal(writes(), 1);
      match(second.raised[0]!.text, /waits for approval: .*max_changes|waits for approval: .*changes/i);
      equal((await plans.status(second.raised[0]!.planId!)).state, "open");
    },
  ));

long();
Deno.test("a look that is killed while its plan is sent makes no second one: the next look finishes the same", async () => {
  const stop = new AbortController();
  let isCut = true;
  await scene(
    () => "allow_auto: [rest]",
    async ({ look, state, writes, plans, us }) => {
      await look(PAUSE, stop.signal).then(() => ok(false, "it was cut off"), () => {});
      equal((await state.waiting(us.profileId, Date.now() + 1e9)).length, 0, "it is not delivered half made");
      isCut = false;
      const before = writes();
      const { delivered } = await look();
      ok(delivered > 0);
      const listed = await plans.list();
      deepEqual(listed.filter((one) => "plan" in one && one.plan.reverses === null).length, 1);
      const [alert] = await state.list({ profileId: us.profileId });
      match(alert!.text, /Applied automatically/);
      ok(writes() <= before + 1);
      const campaigns = await us.sp.campaigns.list({ states: ["ENABLED"] });
      ok(!campaigns.some(({ campaignId }) => campaignId === alert!.key), "it is paused");
    },
    async (input, init) => {
      const request = new Request(input, init);
      const isWrite = request.method === "PUT";
      const response = await fetch(request);
      if (isWrite && isCut) stop.abort();
      return response;
    },
  );
});

Deno.test("alerts that no longer hold are closed, however many are newer", () =>
  scene(undefined, async ({ look, state, us: { profileId } }) => {
    const alert = (index: number) =>
      raised({ ...ALERT, id: `${index}`, key: `${index}`, profileId, rule: "rest" }, []);
    await state.raise(Array.from({ length: 1001 }, (_, index) => alert(index)));
    const { unjudged } = await look(
      "version: 1\nrules: { rest: { over: campaign, when: cost7d > 1000000 } }",
    );
    deepEqual(unjudged, []);
    deepEqual(await state.list({ profileId, state: ["new", "seen", "snoozed"] }), []);
  }));
