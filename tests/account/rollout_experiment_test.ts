import { deepEqual, equal, match, ok, rejects, throws } from "../support/assert.ts";
import fc from "fast-check";
import { ChangePlan } from "../../mod.ts";
import { Rollout } from "../../src/account/mod.ts";
import { drawnProfiles } from "../../src/account/rollout/rollout_experiment.ts";
import { addDays, eachDay } from "../../src/base/time/calendar.ts";
import { drawProfiles } from "../../src/plans/review/hold_back_profiles.ts";
import { compareOutcome } from "../../src/store/figures/experiment_outcome.ts";
import { planPower, Warehouse } from "../../src/store/mod.ts";
import { figuresOf } from "../statistics/support.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { long } from "../support/long.ts";

const COUNTRIES = ["US", "JP", "DE", "UK"];

/** A plan of one profile that raises a bid; an amount of Japan is 150 times one of the others. */
function planOf(at: number, spend: number): ChangePlan {
  const countryCode = COUNTRIES[at % COUNTRIES.length]!;
  const cost = spend * (countryCode === "JP" ? 150 : 1);
  const evidence = { from: "2026-05-01", to: "2026-05-30", clicks: spend, cost };
  return new ChangePlan({
    profileId: String(1000 + at),
    countryCode,
    changes: [{
      op: "update",
      kind: "sp.keywords",
      id: String(at),
      label: "shoes",
      before: { bid: 1 },
      after: { bid: 1.1 },
      evidence,
    }],
  });
}
const plansOf = (count: number): ChangePlan[] =>
  Array.from({ length: count }, (_, at) => planOf(at, 10 + at));

Deno.test("profiles are drawn by the seed, each once, about the share, whatever their order", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 8, max: 60 }),
      fc.constantFrom(0.25, 0.4, 0.5),
      fc.string({ minLength: 1, maxLength: 8 }).filter((text) => /^[\w-]+$/.test(text)),
      (count, share, seed) => {
        const plans = plansOf(count);
        const { held, strata, unit } = drawProfiles(plans, { share, seed });
        equal(unit, "profile");
        equal(held.length, Math.round(count * share));
        deepEqual(Object.keys(strata).sort(), plans.map(({ profileId }) => profileId).sort());
        ok(held.every((id) => Object.hasOwn(strata, id)));
        const turned = drawProfiles(plans.toReversed(), { share, seed });
        deepEqual([[...turned.held].sort(), turned.strata], [[...held].sort(), strata]);
      },
    ),
    { seed: 1, numRuns: 100 },
  );
  // Spend in yen is no larger than the same number of clicks elsewhere.
  const { strata } = drawProfiles(plansOf(32), { share: 0.25, seed: "s" });
  const ofJapan = plansOf(32).filter(({ countryCode }) => countryCode === "JP").map(({ profileId }) =>
    strata[profileId]
  );
  ok(new Set(ofJapan).size > 2, String(ofJapan));
});

Deno.test("a rollout keeps no plan of a profile that it holds back, and its draw is under every fingerprint", async () => {
  await using folder = await temporaryFolder();
  const plans = plansOf(12);
  const rollout = await Rollout.create(`${folder.path}/r`, plans, {
    holdBack: { share: 0.25, seed: "s", weeks: 3 },
  });
  const entries = await rollout.entries();
  const { experiment } = entries[0]!.plan;
  deepEqual([entries.length, experiment?.held.length, experiment?.weeks], [9, 3, 3]);
  for (const { plan } of entries) {
    deepEqual(plan.experiment, experiment);
    ok(!experiment!.held.includes(plan.profileId));
    ok(plans.every(({ fingerprint }) => fingerprint !== plan.fingerprint));
  }
  deepEqual(
    rollout.data.left_out.map(({ profile_id, reason }) => [profile_id, reason]),
    experiment!.held.map((id) => [id, "Held back for comparison"]),
  );
  const drawn = await drawnProfiles(rollout);
  deepEqual([drawn?.profiles.currencies.size, drawn?.profiles.kinds], [12, ["sp.keywords"]]);

  // Somebody takes a profile out of the file, or who was held back out of a plan.
  const file = `${folder.path}/r/rollout.json`;
  const text = await Deno.readTextFile(file);
  await Deno.writeTextFile(file, JSON.stringify({ ...JSON.parse(text), left_out: [] }));
  await rejects(
    drawnProfiles(await Rollout.open(`${folder.path}/r`)),
    /lacks randomly chosen profile \d+/,
  );
  await Deno.writeTextFile(file, text);
  const [{ plan_id: id } = { plan_id: "" }] = rollout.data.plans;
  const plan = `${folder.path}/r/plan-${id}.json`;
  const whole = await Deno.readTextFile(plan);
  await Deno.writeTextFile(plan, whole.replaceAll(experiment!.held[0]!, "999"));
  await rejects((await Rollout.open(`${folder.path}/r`)).entries(), /edited|changed after/);

  const few = Rollout.create(`${folder.path}/few`, plansOf(3), { holdBack: { share: 0.25 } });
  await rejects(
    few,
    /Cannot hold back 25 % of 3 profiles: too few for a random split.*the option holdBack\.unit: keyword/,
  );
  throws(() => drawProfiles(plans, { share: 1 }), /share of 1/);
  throws(
    () => drawProfiles([...plans, entries[0]!.plan], { share: 0.25 }),
    /already holds back some of its changes/,
  );
  const without = await Rollout.create(`${folder.path}/plain`, plans);
  equal(await drawnProfiles(without), undefined);
});

/** Ten weeks of twenty-four profiles with a season, in which the changed ones of some countries gain after the last stage. */
async function stored(
  changed: ReadonlySet<string>,
  effect: number,
  countries: readonly string[] = COUNTRIES,
): Promise<Warehouse> {
  const store = await Warehouse.open(`${Deno.makeTempDirSync()}/ads.sqlite`);
  const { normal } = figuresOf("profiles");
  for (const { profileId, countryCode, changes } of plansOf(24)) {
    const [start, end] = ["2026-05-01", "2026-07-09"];
    const gains = changed.has(profileId) && countries.includes(countryCode);
    const usual = 40 * changes[0]!.evidence!.clicks!;
    const rows = [...eachDay({ start, end })].map((date) => {
      const gain = gains && date >= "2026-06-04" ? 1 + effect : 1;
      const season = date >= "2026-06-01" ? 1.3 : 1;
      const clicks = Math.round(usual * season * gain * Math.exp(0.05 * normal()));
      const money = countryCode === "JP" ? 150 : 1;
      return {
        date,
        campaignId: profileId,
        clicks,
        cost: clicks * money,
        sales14d: clicks * 5 * money,
        purchases14d: clicks,
      };
    });
    await store.replace({ profileId, countryCode, report: "sp_campaigns", start, end }, rows);
  }
  return store;
}

long();
Deno.test("changed profiles are compared with held-back ones, over several currencies and stages", async () => {
  await using folder = await temporaryFolder();
  const rollout = await Rollout.create(`${folder.path}/r`, plansOf(24), {
    holdBack: { share: 0.34, seed: "s" },
  });
  const { plan, profiles } = (await drawnProfiles(rollout))!;
  const changed = new Set(rollout.data.plans.map(({ profile_id: id }) => id));
  const request = {
    plan,
    day: "2026-06-01",
    today: "2026-07-24",
    days: 28,
    rollout: {
      ...profiles,
      changed,
      touched: new Set<string>(),
      changedByOthers: new Set<string>(),
      othersKnownUntil: null,
      lastDay: "2026-06-03",
    },
  };
  for (const [effect, verdict] of [[0.3, "more"], [-0.2, "less"], [0, "no_difference"]] as const) {
    await using store = await stored(changed, effect);
    const found = await compareOutcome(store, { ...request, margin: 0.3 });
    equal(found.verdict, verdict, found.reason);
    for (const figure of ["sales", "clicks", "cost"] as const) {
      const { effect: measured, low, high } = found.effects[figure]!;
      ok(Math.abs(measured - effect) < 0.03 && low <= effect && effect <= high!, `${figure} ${measured}`);
    }
    deepEqual([found.treated, found.held], [16, 8]);
    deepEqual(found.after, { start: "2026-06-04", end: "2026-07-01" }, "after the last stage");
    deepEqual(found.before, { start: addDays("2026-06-01", -28), end: "2026-05-31" });
    equal(found.profit_per_day, null, "amounts of several currencies have no sum");
  }
  // Yen count for no more than the clicks that they pay for: what happens elsewhere is seen in sales too.
  {
    await using store = await stored(changed, 0.4, ["US", "DE", "UK"]);
    const { effects } = await compareOutcome(store, request);
    for (const figure of ["sales", "cost"]) {
      ok(Math.abs(effects[figure]!.effect - effects["clicks"]!.effect) < 0.02, JSON.stringify(effects));
    }
    ok(effects["sales"]!.effect > 0.2, JSON.stringify(effects));
  }
  await using store = await stored(changed, 0.3);
  const [held] = plan.experiment!.held;
  const touched = await compareOutcome(store, {
    ...request,
    rollout: {
      ...request.rollout,
      touched: new Set([held!]),
      changedByOthers: new Set(["1"]),
      othersKnownUntil: "2026-07-02",
    },
  });
  deepEqual([touched.voided, touched.held], [[held], 7]);
  deepEqual([touched.changed_by_others, touched.others_known_until], [["1"], "2026-07-02"]);
  const early = await compareOutcome(store, { ...request, today: "2026-06-20" });
  equal(early.verdict, "too_early");
  match(early.reason, /ask again from 2026-06-25 on/);
  const undone = (undoneOn: string) => compareOutcome(store, { ...request, undoneOn });
  match((await undone("2026-06-08")).reason, /^It was undone on 2026-06-08, before 7 days had passed$/);
  deepEqual((await undone("2026-06-20")).after, { start: "2026-06-04", end: "2026-06-19" });
  deepEqual((await undone("2026-07-20")).after, { start: "2026-06-04", end: "2026-07-01" });
  const none = { ...request.rollout, changed: new Set<string>() };
  match(
    (await compareOutcome(store, { ...request, rollout: none })).reason,
    /^All plans of its rollout were undone$/,
  );
  const alone = await compareOutcome(store, { ...request, rollout: undefined });
  equal(alone.verdict, "not_known");
  match(alone.reason, /measure the outcome of its folder/);
  const more = new Map([...profiles.currencies, ["7", "USD"]]);
  const missing = await compareOutcome(store, {
    ...request,
    rollout: { ...request.rollout, currencies: more },
  });
  deepEqual([missing.verdict, missing.missing.length], ["not_known", 2]);
  match(missing.missing[0]!, /^campaigns of profile 7 from /);

  const power = await planPower(store, {
    plan,
    today: "2026-07-24",
    weeks: 2,
    rollout: profiles,
    figure: "clicks",
    effect: 0.3,
  });
  ok(power.power > 0.9 && power.unit === "profile" && power.units === 24, JSON.stringify(power));
  await rejects(planPower(store, { plan, today: "2026-07-24" }), /measure the power of its folder/);
});
