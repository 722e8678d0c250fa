import { deepEqual, equal, match, ok } from "../support/assert.ts";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { ChangePlan } from "../../mod.ts";
import { Rollout } from "../../src/account/mod.ts";
import { formValues } from "../../src/interfaces/console/web/job_forms.js";
import { addDays, dayIn } from "../../src/base/time/calendar.ts";
import { jsonInput } from "../../src/operations/model/field_schema.ts";
import { sumFigures } from "../../src/operations/reads/sum_figures.ts";
import { drawProfiles } from "../../src/plans/review/hold_back_profiles.ts";
import { parseSchedules, weekOf } from "../../src/automation/schedules/mod.ts";
import { figures, Warehouse } from "../../src/store/mod.ts";
import { WatchState } from "../../src/automation/watch/mod.ts";
import { consoleWorld, type SignedIn, signIn } from "./support/console_world.ts";
import { fillStore } from "./support/fill_store.ts";
import { fillWorkplace } from "./support/fill_workplace.ts";

Deno.test("pages of a filled workplace", async (t) => {
  await using world = await consoleWorld();
  await fillStore(world, 120);
  const { bids, experiment, alert } = await fillWorkplace(world);
  const page = await signIn(world);
  const { profileId } = world.us;

  await t.step("what waits is counted, and named with what it is about", async () => {
    deepEqual((await page.ask("/api/counts")).data, { plans: 3, alerts: 2 });
    const { data } = await page.ask("/api/overview");
    deepEqual([data.plans.waiting, data.alerts.count], [3, 2]);
    const [first, second] = data.alerts.first;
    deepEqual([first.severity, first.cost_a_day, second.severity], ["urgent", 41.8, "warning"]);
    deepEqual(data.kept.map((one: Record<string, unknown>) => [one["count"], one["schedule"]]), [[
      1,
      "nights_low",
    ]]);
    deepEqual(data.experiments.map((one: Record<string, unknown>) => one["plan_id"]), [experiment.id]);
    ok(data.events.some((one: Record<string, unknown>) => one["what"] === "alert" && one["id"] === alert.id));
  });

  await t.step("a weekly job is shown as a form, previewed without a plan, and made as one", async () => {
    const { data: { jobs } } = await page.ask("/api/jobs");
    deepEqual(
      jobs.map(({ path, fields }: { path: string; fields: { name: string }[] }) => [path, fields[0]?.name]),
      [
        ["plan/bids", "where"],
        ["plan/budgets", jobs[1].fields[0].name],
        ["plan/harvest", "map"],
        ["plan/negatives", "min_clicks"],
        ["plan/goals", "goals"],
      ],
    );
    const [bids] = jobs;
    const { values, problems } = formValues(bids.fields, {
      where: "acos30d > 0.3 && clicks30d >= 5",
      change: "-20%",
      min: "0,10",
      lag: "0",
      entities: "keywords",
    });
    deepEqual(problems, []);
    const before = (await page.ask("/api/plans")).data.plans.length;
    const path = `/api/profiles/${profileId}/plan/bids`;
    const { data: shown } = await page.ask(`${path}/preview`, values);
    ok(
      shown.changes > 0 && shown.considered > shown.changes && Object.keys(shown.left_out_counts).length > 0,
    );
    equal((await page.ask("/api/plans")).data.plans.length, before, "a preview saves nothing");
    const { data: made } = await page.ask(path, values);
    equal(made.changes, shown.changes);
    const plan = await world.plans.get(made.plan_id);
    deepEqual(
      shown.campaigns.flatMap(({ changes }: { changes: { id: string }[] }) => changes.map(({ id }) => id))
        .sort(),
      plan.changes.map(({ id }) => id).sort(),
    );
    const goals = "version: 1\ngoals: { tents: { aim: sales, acos: 25% } }\n";
    const { data: stands } = await page.ask(`/api/profiles/${profileId}/plan/goals/show`, { goals });
    match(stands.lines[0], /^tents: sales, at most 25 % ACOS; \d+ campaigns, \d+ running bids/);
    equal(stands.goals[0].name, "tents");
    const bad = await page.ask(`${path}/preview`, { where: "acos30d >" });
    deepEqual([bad.status, bad.data.error.code], [400, "BAD_REQUEST"]);
    rmSync(`${world.plans.path}/plan-${made.plan_id}.json`, { force: true });
  });

  await t.step(
    "an alert gives the figures of its campaign by day, and a person snoozes and closes it",
    async () => {
      const path = `/api/alerts/${alert.id}`;
      const { data } = await page.ask(path);
      equal(data.days.length, 28);
      await using store = await Warehouse.open(world.storePlace, { now: world.time.now });
      const { rows } = await figures(store, {
        by: ["campaign"],
        from: "2026-09-20",
        to: "2026-09-20",
        profileIds: [profileId],
      });
      const day = data.days.find(({ date }: { date: string }) => date === "2026-09-20");
      equal(day.cost, rows.find((row) => row["campaign_id"] === alert.key)?.cost);
      const { data: other } = await page.ask("/api/alerts/7f2c04190003");
      equal(other.days, null, "a report has no figures by day");

      const marked = async (how: object) => {
        equal((await page.ask("/api/alerts/mark", { ids: [alert.id], ...how })).status, 200);
        return (await page.ask(path)).data.alert.mark;
      };
      const mark = await marked({ snooze: "3d", reason: " weekend " });
      deepEqual([mark.state, mark.until, mark.reason, mark.by], [
        "snoozed",
        "2026-10-03T12:00:00.000Z",
        "weekend",
        "a person in the console",
      ]);
      const states = async (at: SignedIn = page) =>
        Object.fromEntries(
          (await at.ask("/api/alerts")).data.alerts.map((
            one: { id: string; mark: { state: string } },
          ) => [one.id, one.mark.state]),
        );
      equal((await states())[alert.id], "snoozed");
      equal((await page.ask("/api/counts")).data.alerts, 1);
      world.time.advance(3 * 86_400);
      equal((await states())[alert.id], "new", "a snooze ends by itself");
      await marked({ closed: true });
      equal((await states())[alert.id], "closed");
      await marked({ new: true });
      const missing = await page.ask("/api/alerts/mark", { ids: ["none"], closed: true });
      deepEqual([missing.status, missing.data.error.code], [404, "NO_ALERT"]);
      match(missing.data.error.message, /^Cannot find alert "none" in /);
      await using state = await WatchState.open(world.storePlace);
      equal((await state.list({ profileId })).length, 3, "marks change no alert");
    },
  );

  await t.step("several alerts are marked at once, and say what they are about", async () => {
    const states = async () =>
      (await page.ask("/api/alerts")).data.alerts.map((one: { id: string; mark: { state: string } }) => [
        one.id,
        one.mark.state,
      ]).sort();
    const before = await states();
    const ids = before.map(([id]: string[]) => id);
    const { data } = await page.ask("/api/alerts/mark", {
      ids: [...ids, "none"],
      closed: true,
      reason: "all",
    });
    deepEqual([data.marked.sort(), data.missing], [ids, ["none"]]);
    deepEqual(await states(), ids.map((id: string) => [id, "closed"]));
    for (const wrong of [undefined, [], [5], "all"]) {
      const { status, data } = await page.ask("/api/alerts/mark", { ids: wrong, closed: true });
      deepEqual([status, data.error.code], [400, "BAD_REQUEST"]);
    }
    for (const [id, state] of before) {
      const how = state === "snoozed" ? { snooze: "3d" } : { [state]: true };
      await page.ask("/api/alerts/mark", { ids: [id], ...how });
    }
    deepEqual(await states(), before);
    const { data: { alert: { about, key } } } = await page.ask(`/api/alerts/${alert.id}`);
    equal(about.campaign_id, key);
  });

  await t.step(
    "factors are proposed as a file beside, shown as lines, and taken over by a person",
    async () => {
      const { data } = await page.ask("/api/schedules");
      const [schedule] = data.schedules;
      deepEqual([schedule.name, schedule.factors[0][3], schedule.factors[5][20], schedule.factors[2][12]], [
        "nights_low",
        0.5,
        1.35,
        1,
      ]);
      const before = readFileSync(world.files.schedules, "utf8");
      const factors = schedule.factors.map((row: number[], day: number) =>
        row.map((one, hour) => day === 2 && hour === 12 ? 1.1 : one)
      );
      const path = "/api/schedules/nights_low/grid";
      equal((await page.ask(path, { fingerprint: data.fingerprint, factors: factors.slice(1) })).status, 400);
      equal((await page.ask(path, { fingerprint: "other", factors })).data.error.code, "FILE_CHANGED");
      const tooHigh = factors.map((row: number[]) => row.map(() => 11));
      const refused = await page.ask(path, { fingerprint: data.fingerprint, factors: tooHigh });
      match(refused.data.error.message, /factor of 10 at most/);
      const { data: { proposal } } = await page.ask(path, { fingerprint: data.fingerprint, factors });
      equal(
        readFileSync(world.files.schedules, "utf8"),
        before,
        "the file stays until a person takes it over",
      );
      ok(
        proposal.lines.some((one: { sign: string; text: string }) =>
          one.sign === "+" && one.text.includes("1.1")
        ),
      );
      const { data: shown } = await page.ask("/api/schedules");
      deepEqual([shown.proposal.fingerprint, shown.schedules[0].factors[2][12]], [proposal.fingerprint, 1]);
      const decide = { fingerprint: data.fingerprint, proposal: proposal.fingerprint };
      equal(
        (await page.ask("/api/schedule-proposal", { ...decide, proposal: "other", take: true })).status,
        409,
      );
      await page.ask("/api/schedule-proposal", { ...decide, take: true });
      const after = readFileSync(world.files.schedules, "utf8");
      deepEqual(weekOf(parseSchedules(after, "x").schedules[0]!), factors);
      match(after, /# Nights cost more than they bring/);
      match(after, /foreign_edits: keep # a person decides/);
      equal((await page.ask("/api/schedules")).data.proposal, null);
    },
  );

  await t.step(
    "a schedule that an agent proposes is put beside the others once a person takes it over",
    async () => {
      const place = `${world.agentPlans.path}/schedules.proposed.yaml`;
      const before = readFileSync(world.files.schedules, "utf8");
      writeFileSync(
        place,
        "version: 1\nschedules: { mornings: { move: budget, grid: [{ hours: 06-09, factor: 1.2 }] } }\n",
      );
      const { data } = await page.ask("/api/schedules");
      equal(data.proposal.maker, "agent");
      ok(data.proposal.lines.every(({ sign }: { sign: string }) => sign !== "-"), "nothing of the file goes");
      equal(readFileSync(world.files.schedules, "utf8"), before);
      const decide = { fingerprint: data.fingerprint, proposal: data.proposal.fingerprint, take: true };
      equal((await page.ask("/api/schedule-proposal", decide)).status, 200);
      const after = readFileSync(world.files.schedules, "utf8");
      deepEqual(parseSchedules(after, "x").schedules.map(({ name }) => name), [
        "nights_low",
        "weekends",
        "mornings",
      ]);
      match(after, /# Nights cost more than they bring/);
      equal(existsSync(place), false);
      // Where there is no file yet, the proposal becomes it.
      rmSync(world.files.schedules);
      writeFileSync(
        place,
        "version: 1\nschedules: { mornings: { move: budget, grid: [{ factor: 1.2 }] } }\n",
      );
      const { data: none } = await page.ask("/api/schedules");
      deepEqual([none.fingerprint, none.schedules], [null, []]);
      const first = { fingerprint: null, proposal: none.proposal.fingerprint };
      equal(
        (await page.ask("/api/schedule-proposal", { ...first, fingerprint: "other", take: true })).status,
        409,
      );
      equal((await page.ask("/api/schedule-proposal", { ...first, take: false })).status, 200);
      equal(existsSync(world.files.schedules) || existsSync(place), false);
      writeFileSync(world.files.schedules, before);
    },
  );

  await t.step("a schedule names what it keeps back, and a person adopts it", async () => {
    const path = `/api/schedules/nights_low?profile=${profileId}`;
    const { data } = await page.ask(path);
    equal(data.kept.length, 1);
    match(data.kept[0].why, /somebody else set it to 1.47/);
    ok(data.moved > 10 && data.next.length > 2 && data.effective.length === 24);
    ok(data.effective.every(({ low, high }: { low: number; high: number }) => low <= high));
    equal(data.hours, null, "no stream is stored");
    const decide = { id: data.kept[0].id, schedule: "nights_low", adopt: true };
    const { data: decided } = await page.ask(`/api/profiles/${profileId}/auto/base`, decide);
    equal(decided.base, Number((1.47 / data.kept[0].factor).toFixed(2)));
    equal((await page.ask(path)).data.kept.length, 0);
    const none = await page.ask(`/api/profiles/${profileId}/auto/base`, { ...decide, id: "1" });
    deepEqual([none.status, none.data.error.code], [400, "BAD_REQUEST"]);
    match(none.data.error.message, /^No schedule "nights_low" of this profile moves 1\./);
    equal((await page.ask(`/api/schedules/none?profile=${profileId}`)).status, 404);
  });

  await t.step("an amount is compared with its line, and nothing is said where no file has one", async () => {
    const { data } = await page.ask(`/api/pacing?profile=${profileId}`);
    const [tents] = data.amounts;
    deepEqual([tents.name, tents.amount, tents.line.length, data.decimals], ["tents", 8000, 41, 2]);
    ok(tents.spent > 0 && tents.forecast.low <= tents.forecast.high && tents.needed_today >= 0);
    equal((await page.ask("/api/pacing")).status, 400);
    const text = readFileSync(world.files.pacing, "utf8");
    writeFileSync(world.files.pacing, text.replace("amount: 8000", "amount: none"));
    match(
      (await page.ask(`/api/pacing?profile=${profileId}`)).data.error.message,
      /pacing\.yaml:2: .*amount/,
    );
    rmSync(world.files.pacing);
    equal((await page.ask(`/api/pacing?profile=${profileId}`)).data.amounts, null);
    writeFileSync(world.files.pacing, text);
  });

  await t.step(
    "an experiment is compared with what was held back, as plan outcome does, and by day",
    async () => {
      const { data: { experiments, schedules, problem } } = await page.ask("/api/experiments");
      deepEqual(
        schedules.map((
          one: Record<string, unknown>,
        ) => [one["schedule"], one["state"], one["until"], one["off"]]),
        [["weekends", "running", "2026-11-29", 6]],
      );
      equal(problem, null);
      deepEqual(
        experiments.map((
          one: Record<string, unknown>,
        ) => [one["plan_id"], one["state"], one["held"], one["units"]]),
        [
          [experiment.id, "ended", 20, 80],
        ],
      );
      const { data } = await page.ask(`/api/experiments/${experiment.id}?figure=clicks&margin=0.3`);
      const { comparison } = data.outcome;
      deepEqual([comparison.verdict, data.verdicts.clicks], ["less", "less"]);
      ok(comparison.effects.clicks.high < 0 && comparison.profit_per_day !== null);
      const { days, changed, held, low, high } = data.course;
      const last = days.indexOf(comparison.after.end);
      ok(changed[last] < low[last] && low[last] < high[last], "lowered bids leave the band");
      ok(Math.abs(held[last] - 100) < 15);
      const applied = days.indexOf(data.day);
      deepEqual([changed[applied], held[applied], changed[applied + 3]], [null, null, null]);
      const { clicks, acos, profit } = comparison.amounts;
      ok(Math.abs(clicks.changed / clicks.expected - 1 - comparison.effects.clicks.effect) < 1e-9);
      ok(
        acos.expected > 0 &&
          Math.abs(profit.changed - profit.expected - comparison.profit_per_day.effect) < 1e-9,
      );
      const { state, until, held_changes: changes, held: count } = data.experiment;
      deepEqual([state, until, changes, count], ["ended", addDays(data.day, 28), 20, 20]);
      equal((await page.ask(`/api/experiments/${experiment.id}?figure=acos`)).status, 400);
      equal((await page.ask(`/api/experiments/${experiment.id}?margin=30`)).status, 400);
      equal((await page.ask(`/api/experiments/${bids.id}`)).data.error.code, "NO_EXPERIMENT");
    },
  );

  await t.step(
    "what was held back is planned as an ordinary plan, without what was changed in the meantime",
    async () => {
      const [held] = experiment.experiment?.changes ?? [];
      const { us } = world;
      await (await us.sp.keywords.planUpdate([{ keywordId: held?.id ?? "", bid: 3.33 }])).apply(us);
      const made = await page.ask(`/api/experiments/${experiment.id}/held-back`, {});
      const plan = (await world.plans.list()).find(({ id }) => id === made.data.plan_id);
      ok(plan !== undefined && "plan" in plan && plan.status.state === "open", JSON.stringify(made.data));
      deepEqual(
        new Set(plan.plan.changes.map(({ id }) => id)),
        new Set(experiment.experiment?.held.filter((id) => id !== held?.id)),
      );
      equal(plan.plan.experiment, null);
      match(plan.plan.note ?? "", /^Held-back part of plan \S+: Lower bids of wasters$/);
      match(plan.plan.warnings.join(), /^1 left out, changed since: /);
      equal((await page.ask(`/api/experiments/${bids.id}/held-back`, {})).data.error.code, "NO_EXPERIMENT");
    },
  );

  await t.step("a campaign is out of budget from four days of the last seven, at 95 % of it", async () => {
    const out = async () => (await page.ask("/api/overview")).data.out_of_budget;
    deepEqual(await out(), []);
    await using store = await Warehouse.open(world.storePlace, { now: world.time.now });
    const { profileId } = await world.ads.profile("CA");
    const start = addDays(dayIn("UTC", world.time.now()), -5);
    const put = (costs: readonly number[]) =>
      store.replace(
        {
          ...{ profileId, countryCode: "CA", report: "sp_campaigns" },
          ...{ start, end: addDays(start, costs.length - 1) },
        },
        costs.map((cost, at) => ({
          date: addDays(start, at),
          campaignId: "9",
          cost,
          campaignBudgetAmount: 10,
        })),
      );
    await put([9.5, 9.5, 9.49, 9.5, 3]);
    deepEqual(await out(), []);
    await put([9.5, 9.5, 4, 9.5, 9.5]);
    const [{ weight: _, ...line }, ...more] = await out();
    deepEqual([line, more], [{
      country_code: "CA",
      profile_id: profileId,
      campaigns: 1,
      full_days: 4,
      cost_a_day: 6,
      currency: "CAD",
      decimals: 2,
    }, []]);
  });

  await t.step("the service shows each timer's last run", async () => {
    const { data } = await page.ask("/api/service");
    equal(data.units.length, 6);
    const of = (timer: string) =>
      data.units.find((one: Record<string, unknown>) =>
        one["timer"] === timer && one["country_code"] === "US"
      );
    deepEqual([of("sync").outcome, of("watch").outcome, of("drift").outcome], ["done", "failed", null]);
    equal(of("watch").detail, "Cannot read the store: the disk is full");
    const text = readFileSync(world.files.service, "utf8");
    writeFileSync(world.files.service, text.replace("[US, CA]", "[us]"));
    equal((await page.ask("/api/service")).data.units.length, 3, "as adsctl auto status reads it");
    writeFileSync(world.files.service, text);
  });

  await t.step("figures of the page are those of the library, with their SQL, in one currency", async () => {
    const query = "by=campaign&from=2026-09-01&to=2026-09-20&currency=USD";
    const { data } = await page.ask(`/api/figures?${query}`);
    await using store = await Warehouse.open(world.storePlace, { now: world.time.now });
    const same = await figures(store, {
      by: ["campaign"],
      from: "2026-09-01",
      to: "2026-09-20",
      compare: true,
      profileIds: [profileId],
    });
    deepEqual(
      data.rows.map((row: Record<string, unknown>) => row["cost"]),
      same.rows.map(({ cost }) => cost),
    );
    equal(data.totals[0].cost, same.totals[0]?.cost);
    const { data: run } = await page.ask("/api/store/query", { sql: data.sql });
    const at = run.columns.indexOf("cost");
    deepEqual(
      run.rows.map((row: unknown[]) => row[at]),
      same.rows.map(({ cost }) => cost),
      "the SQL gives the same",
    );
    const days = data.days.reduce((sum: number, row: { cost: number }) => sum + row.cost, 0);
    equal(days.toFixed(2), data.totals[0].cost.toFixed(2));
    deepEqual((await page.ask(`/api/figures?${query.replace("USD", "JPY")}`)).data.rows, []);
    equal((await page.ask(`/api/figures?${query}&convert=true`)).data.error.code, "NO_RATES");
    equal((await page.ask("/api/figures?by=none")).status, 400);
    equal((await page.ask(`/api/figures?${query}&profile=x' OR 1=1`)).data.rows.length, 0);
    equal((await page.ask(`/api/hours?profile=${profileId}&country=US`)).data.hours, null);
    const sums = async (from: string) => (await page.ask(`/api/figures?by=market&from=${from}`)).data;
    const apart = await sums("2026-09-11&to=2026-09-20&compare_from=2026-08-03");
    const then = await sums("2026-08-03&to=2026-08-12");
    deepEqual(apart.before, { start: "2026-08-03", end: "2026-08-12" });
    equal(apart.totals[0].cost_before, then.totals[0].cost);
    deepEqual(apart.days_before, then.days);
    const close = await page.ask("/api/figures?from=2026-09-11&to=2026-09-20&compare_from=2026-09-02");
    equal(
      close.data.error.message,
      "Cannot compare from 2026-09-02: the last possible first day is 2026-09-01",
    );
    const input = await jsonInput(sumFigures, { days: 7 });
    const { figures: own } = await sumFigures.run({ store, now: world.time.now() }, input);
    const week = (await page.ask("/api/figures?days=7&compare_from=year")).data;
    deepEqual([week.period, week.before.start], [own.period, addDays(own.period.start, -364)]);
    for (const wrong of ["days=x", "days=7&from=2026-09-01"]) {
      equal((await page.ask(`/api/figures?${wrong}`)).data.error.code, "BAD_REQUEST", wrong);
    }
    const { plan } = (await page.ask(`/api/plans/${experiment.id}`)).data;
    const applied = await sums("2026-08-01&to=2026-09-20");
    deepEqual(
      applied.applied.map(({ id, note }: { id: string; note: string }) => [id, note]),
      [[experiment.id, plan.note]],
    );
    deepEqual((await sums("2026-09-01&to=2026-09-20")).applied, []);
  });

  await t.step("a comment stands with the plan and changes nothing of it", async () => {
    const path = `/api/plans/${bids.id}`;
    const { data: before } = await page.ask(path);
    equal(before.comments.length, 1);
    await page.ask(`${path}/comment`, { text: "  <b>Why</b> 30 %?\n " });
    const { data } = await page.ask(path);
    deepEqual(data.comments.map(({ text }: { text: string }) => text).slice(1), ["<b>Why</b> 30 %?"]);
    equal(data.plan.fingerprint, before.plan.fingerprint);
    for (const text of ["", "   ", "x".repeat(2001), 5]) {
      equal((await page.ask(`${path}/comment`, { text })).status, 400);
    }
  });

  await t.step("a rollout is listed with its plans", async () => {
    const { data } = await page.ask("/api/plans");
    deepEqual(data.rollouts.map((one: { note: string; plans: unknown[] }) => [one.note, one.plans.length]), [[
      "Autumn bids",
      2,
    ]]);
    const ids = new Set(data.plans.map(({ id }: { id: string }) => id));
    ok(data.rollouts[0].plans.every((one: { plan_id: string }) => ids.has(one.plan_id)));
  });

  await t.step(
    "Explore begins with the profile of the most spend, in sizes of budgets across currencies",
    async () => {
      const { data } = await page.ask("/api/store");
      equal(data.most_spend, profileId);
      const jp = await world.ads.profile("JP");
      const store = await Warehouse.open(world.storePlace, { now: world.time.now });
      const put = async (cost: number) =>
        void await store.replace(
          {
            profileId: jp.profileId,
            countryCode: "JP",
            report: "sp_campaigns",
            start: "2026-09-20",
            end: "2026-09-20",
          },
          [{ date: "2026-09-20", campaignId: "9", cost }],
        );
      // 90,000 yen are 900 of the smallest budgets; the United States spent 8,000 dollars.
      await put(90_000);
      equal((await page.ask("/api/store")).data.most_spend, profileId);
      await put(9_000_000);
      equal((await page.ask("/api/store")).data.most_spend, jp.profileId);
      await put(0);
      await store.close();
    },
  );

  await t.step("a running experiment has days left and a chance to find an effect", async () => {
    const { data: ended } = await page.ask(`/api/experiments/${experiment.id}/power`);
    equal(ended.days_left, 0);
    ok(ended.lines.length > 0);
    const keywords = (await world.us.sp.keywords.list({ states: ["ENABLED"] })).filter(({ bid }) => bid);
    const draft = world.us.plan();
    for (const { keywordId, bid = 1 } of keywords.slice(0, 40)) {
      draft.update("sp.keywords", { keywordId, bid: Math.round(bid * 90) / 100 });
    }
    const running = await draft.build({ holdBack: { share: 0.25, seed: "7", unit: "keyword" } });
    await world.rolloutPlans.save(running);
    const none = await page.ask(`/api/experiments/${running.id}/power`);
    deepEqual([none.status, none.data.error.code], [409, "NO_EXPERIMENT"]);
    await world.rolloutPlans.apply(running, world.us);
    const { data } = await page.ask(`/api/experiments/${running.id}/power`);
    equal(data.days_left, 28);
    match(data.lines[0], /^\d+ % chance to find \+10 % sales in 4 weeks, with 25 % of 40 keywords/);
    const undo = await world.rolloutPlans.rollBack(running, world.us);
    ok(undo);
  });
});

Deno.test("with --read-only nothing of it is changed", async () => {
  await using world = await consoleWorld({ readOnly: true });
  const page = await signIn(world);
  for (
    const path of [
      "/api/alerts/mark",
      "/api/schedules/x/grid",
      "/api/profiles/US/auto/base",
      "/api/schedule-proposal",
      "/api/plans/x/comment",
    ]
  ) {
    deepEqual((await page.ask(path, {})).data.error.code, "READ_ONLY", path);
  }
});

Deno.test("a rollout that holds profiles back is one experiment, compared by the profiles of its folder", async () => {
  await using world = await consoleWorld();
  await fillStore(world, 120);
  const { us, rolloutPlans, time } = world;
  const [keyword] = await us.sp.keywords.list({ states: ["ENABLED"] });
  const own = await us.sp.keywords.planUpdate([{ keywordId: keyword!.keywordId, bid: 0.77 }]);
  const others = Array.from(
    { length: 7 },
    (_, at) => new ChangePlan({ ...own, id: `other-${at}`, profileId: `${at + 1}` }),
  );
  const plans = [own, ...others];
  const seed = ["a", "b", "c", "d", "e", "f"].find((one) =>
    !drawProfiles(plans, { share: 0.25, seed: one }).held.includes(us.profileId)
  );
  const rollout = await Rollout.create(rolloutPlans.path, plans, {
    holdBack: { share: 0.25, seed },
    now: time.now,
  });
  const plan = (await rollout.entries()).find(({ plan }) => plan.profileId === us.profileId)!.plan;
  await rolloutPlans.apply(plan, us);

  const page = await signIn(world);
  const { data: { experiments: [listed, ...more] } } = await page.ask("/api/experiments");
  deepEqual(more, []);
  deepEqual([listed.rollout, listed.country_code, listed.held, listed.units, listed.unit, listed.plan_id], [
    rolloutPlans.path,
    null,
    2,
    8,
    "profiles",
    plan.id,
  ]);
  time.advance(86_400 * 30);
  const { data: { experiments: [ended] } } = await page.ask("/api/overview");
  deepEqual([ended.plan_id, ended.country_code], [plan.id, null], "of all markets there too");
  time.advance(86_400 * 10);
  const { data } = await page.ask(`/api/experiments/${plan.id}`);
  deepEqual([data.rollout, data.outcome.totals], [rolloutPlans.path, { before: null, after: null }]);
  equal(data.outcome.verdict, "not_known");
  // Nothing of the two that were held back is stored.
  match(data.outcome.comparison.reason, /^Days are not stored: campaigns of 2 profiles from /);
  const path = `${rolloutPlans.path}/.plans/plan-${plan.id}.experiment.json`;
  await Deno.writeTextFile(path, "{");
  const { experiments, damaged } = (await page.ask("/api/experiments")).data;
  deepEqual([experiments, damaged], [[], [path]]);
});

Deno.test("without files and a store the pages say so and make neither", async () => {
  await using world = await consoleWorld();
  const page = await signIn(world);
  deepEqual((await page.ask("/api/alerts")).data.alerts, []);
  deepEqual((await page.ask("/api/schedules")).data.schedules, []);
  deepEqual((await page.ask("/api/experiments")).data.experiments, []);
  equal((await page.ask("/api/service")).data.exists, false);
  equal((await page.ask("/api/figures")).data.error.code, "NO_STORE");
  equal((await page.ask("/api/store")).data.exists, false);
});
