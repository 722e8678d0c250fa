import { commandWords } from "../../src/operations/model/command_words.ts";
import { deepEqual, equal, match, ok } from "../support/assert.ts";
import { emulated } from "../support/emulated.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { consumeStream, Warehouse } from "../../src/store/mod.ts";
import { textSource } from "../../src/store/stream/text_source.ts";
import { experimentPath } from "../../src/plans/store/experiment_record.ts";
import { PlanStore } from "../../src/plans/store/plan_store.ts";
import { PlanPlaces } from "../../src/plans/store/plan_places.ts";
import { ScheduleState } from "../../src/automation/schedules/mod.ts";
import { findAlerts, type FindOptions } from "../../src/automation/watch/find_alerts.ts";
import { parseWatch } from "../../src/automation/watch/mod.ts";

const NOW = "2026-09-30T18:30:00Z";

/** An account with an empty store, and a function that judges rules. */
async function world(
  run: (at: {
    readonly us: Awaited<ReturnType<typeof emulated>>["us"];
    readonly store: Warehouse;
    readonly place: string;
    readonly folder: string;
    readonly find: (
      rules: string,
      more?: Partial<FindOptions>,
    ) => ReturnType<typeof findAlerts>;
  }) => Promise<void>,
): Promise<void> {
  await using at = await emulated({
    emulator: { clock: { now: NOW, frozen: true }, quirks: { reportSeconds: 0 } },
  });
  at.time.advance(6.5 * 3600);
  await using folder = await temporaryFolder();
  const place = folder.file("ads.sqlite");
  await using store = await Warehouse.open(place, { now: at.time.now });
  await run({
    us: at.us,
    store,
    place,
    folder: folder.path,
    find: (rules, more) =>
      findAlerts(parseWatch(`version: 1\nrules:\n${rules}`, "watch.yaml").rules, {
        profile: at.us,
        store,
        now: Date.parse(NOW),
        ...more,
      }),
  });
}

Deno.test("today's spent share of a budget is judged with the hour at which the platform counted it", () =>
  world(async ({ find, us }) => {
    const { alerts, unjudged } = await find(`
  any: { over: today, when: budget_used >= 0 && budget > 0 && hour > 5 && hour < 12, say: "{campaign} spent {budget_used} of {budget} at {hour}" }
  late: { over: today, when: hour >= 12 }
`);
    deepEqual(unjudged.filter(({ why }) => !why.includes("more rows")), []);
    ok(alerts.length > 0 && alerts.every(({ rule }) => rule === "any"), "it is 11:30 in the market");
    match(alerts[0]!.title, /^US: .+ spent [\d.]+ % of [\d.,]+ at \d+:\d\d$/);
    match(alerts[0]!.text, /^Counted at \d\d:\d\d in the market$/m);
    const [campaign] = await us.sp.campaigns.list({ ids: [alerts[0]!.key] });
    ok(campaign === undefined || campaign.state === "ENABLED");
  }));

Deno.test("hours of the stream are judged by campaign, the day so far beside the same hours of the weekday; a stream that is behind judges nothing", () =>
  world(async ({ find, store, us }) => {
    const rule = "  burst: { over: hours, when: cost1h > 5 && cost_today > 2 * cost_today_median }\n";
    match((await find(rule)).unjudged[0]?.why ?? "", /No whole hour of 2026-09-30 is stored/);
    await store.stream.putAccounts([{
      advertiserId: "ENTITY1",
      marketplaceId: "M1",
      profileId: us.profileId,
      countryCode: "US",
      timeZone: us.timeZone,
    }]);
    let id = 0;
    const record = (hour: string, cost: number, campaign: string) =>
      JSON.stringify({
        dataset_id: "sp-traffic",
        idempotency_id: `r${id++}`,
        advertiser_id: "ENTITY1",
        marketplace_id: "M1",
        currency: "USD",
        time_window_start: hour,
        campaign_id: campaign,
        ad_group_id: "2",
        keyword_id: "3",
        keyword_text: "tent",
        clicks: 3,
        impressions: 10,
        cost,
      });
    const take = async (...records: string[]) =>
      void await consumeStream(store, textSource(records.join("\n")), { now: () => Date.parse(NOW) });
    // 15:00 in UTC is 8:00 in the market; the hour under way, 11:00, is not judged yet.
    for (let week = 1; week <= 5; week++) {
      const day = new Date(Date.parse("2026-09-30") - week * 7 * 86_400_000).toISOString().slice(0, 10);
      await take(record(`${day}T15:00:00Z`, 4, "1"), record(`${day}T15:00:00Z`, 4, "2"));
    }
    await take(record("2026-09-30T13:00:00Z", 9, "1"));
    const stale = await find(rule);
    match(stale.unjudged[0]?.why ?? "", /newest stored hour is 06:00/);
    deepEqual(stale.alerts, []);
    // Hours that are not stored can only add to the day.
    const known = await find(
      "  day: { over: hours, when: cost_today > 8 }\n  low: { over: hours, when: cost_today < 10 }\n",
    );
    deepEqual(known.alerts.map(({ rule, key }) => [rule, key]), [["day", "1"]]);
    deepEqual(known.unjudged.map(({ rule }) => rule), ["day", "low"]);
    await take(record("2026-09-30T15:00:00Z", 6, "1"), record("2026-09-30T15:00:00Z", 6, "2"));
    await take(record("2026-09-30T18:00:00Z", 90, "2"));
    const { alerts, unjudged } = await find(rule);
    deepEqual(unjudged, []);
    deepEqual(alerts.map(({ key, facts }) => [key, facts["cost_today"], facts["cost_today_median"]]), [[
      "1",
      15,
      4,
    ]]);
    match(alerts[0]!.text, /cost of the hour: 6\.00 USD/);

    const behind = await find("  behind: { over: stream, when: behind_hours > 2 }\n", {
      now: Date.parse(NOW) + 5 * 3_600_000,
    });
    deepEqual(behind.alerts.map(({ key }) => key), ["sp-traffic"]);
  }));

Deno.test("experiments that ended, operations that end, amounts that schedules leave alone, and timers that fail are facts", () =>
  world(async ({ find, us, place, folder }) => {
    const plans = PlanStore.open(folder);
    await Deno.mkdir(`${folder}/.plans`);
    for (
      const [id, day] of [["20260820-120000-0ld", "2026-08-20"], [
        "20260920-120000-new",
        "2026-09-20",
      ]] as const
    ) {
      await Deno.writeTextFile(
        experimentPath(new PlanPlaces(folder), id),
        JSON.stringify({
          plan_id: id,
          profile_id: us.profileId,
          country_code: "US",
          note: "Lower bids",
          applied_at: `${day}T12:00:00Z`,
          experiment: {
            seed: "a",
            share: 0.5,
            unit: "keyword",
            why: "they are changed",
            weeks: 4,
            held: ["1"],
            strata: { 1: 0, 2: 0 },
          },
        }),
      );
    }
    const ended = await find(
      '  over: { over: experiments, when: ended_days >= 1, say: "{note} ended {ended_days} days ago" }\n',
      { plans: [plans] },
    );
    deepEqual(ended.alerts.map(({ key, title }) => [key, title]), [[
      "20260820-120000-0ld",
      "US: Lower bids ended 13 days ago",
    ]]);
    match(ended.alerts[0]!.text, /planOutcome\(\) of "20260820-120000-0ld"/);

    const ends = await find("  ends: { over: operations, when: ends_days <= 3650 }\n", {
      words: commandWords,
    });
    ok(ends.alerts.length > 0);
    match(ends.alerts[0]!.text, /^adsctl ops sunset FOLDER shows where your programs use it$/m);
    match(ends.alerts[0]!.text, /^It ends on 20\d\d-\d\d-\d\d/m);
    const used = await find("  ends: { over: operations, when: used == 1 && ends_days <= 0 }\n");
    ok(used.alerts.length < ends.alerts.length && used.alerts.every(({ facts }) => facts["used"] === 1));

    {
      await using state = await ScheduleState.open(place);
      const base = {
        kind: "sp.keywords",
        id: "9",
        move: "bid" as const,
        schedule: "nights",
        label: "tent",
        base: 1,
        factor: 0.5,
        wrote: 0.5,
        intends: null,
      };
      await state.keep(us.profileId, [
        { ...base, kept: null, why: "moved" },
        { ...base, id: "10", kept: null, why: "moved" },
      ], Date.parse("2026-09-20T00:00:00Z"));
      const why = "somebody else set it to 2";
      await state.keep(us.profileId, [{ ...base, kept: why, why }], Date.parse("2026-09-28T18:00:00Z"));
    }
    const kept = await find("  kept: { over: schedules, when: kept_days >= 2 }\n");
    deepEqual(kept.alerts.map(({ key, subject }) => [key, subject]), [["sp.keywords 9 bid", "tent"]]);
    match(kept.alerts[0]!.text, /somebody else set it to 2/);

    const timers = "  fails: { over: timers, when: failures >= 2 || hours_since_done > 30 }\n";
    match((await find(timers)).unjudged[0]?.why ?? "", /runs of a service/);
    const run = {
      attempt: 1,
      outcome: "done" as const,
      detail: "fine",
      doneDue: Date.parse(NOW) - 3_600_000,
    };
    const failed = await find(timers, {
      timers: () =>
        Promise.resolve([
          { timer: "drift", ...run },
          { timer: "sync", ...run, outcome: "failed", attempt: 3, detail: "no report" },
          { timer: "entities", ...run, doneDue: Date.parse(NOW) - 40 * 3_600_000 },
        ]),
    });
    deepEqual(failed.alerts.map(({ key }) => key).sort(), ["entities", "sync"]);
    ok(failed.alerts.some(({ text }) => text.includes("Error: no report")));
  }));

Deno.test("what cannot be read keeps its own rule from being judged, and no other", () =>
  world(async ({ find, us }) => {
    const broken = Object.create(us, {
      history: { value: { list: () => Promise.reject(new Error("history is away")) } },
    });
    const { alerts, unjudged } = await find(
      "  drift: { over: drift, when: changes1d > 0 }\n  ends: { over: operations, when: ends_days < 9999 }\n",
      { profile: broken },
    );
    ok(alerts.length > 0);
    equal(unjudged.find(({ rule }) => rule === "drift")?.why, "history is away");
  }));

Deno.test("ends of rates say less of few clicks: acos30d.low needs more than one lucky order to be high", () =>
  world(async ({ find, store, us }) => {
    await store.sync(us, { reports: ["sp_campaigns"], start: "2026-08-10", end: "2026-09-15" });
    const read = async (rule: string) =>
      new Map(
        (await find(`  r: { over: campaign, ${rule} }\n`)).alerts.map(({ key, facts }) => [key, facts]),
      );
    const all = await read("when: acos30d.low < acos30d && acos30d < acos30d.high && cvr30d.low > 0");
    ok(all.size > 0);
    for (const { acos30d, acos30d_low: low, acos30d_high: high, clicks_longest: clicks } of all.values()) {
      ok(Number(low) <= Number(acos30d) && Number(acos30d) <= Number(high), `${low} ${acos30d} ${high}`);
      ok(Number(clicks) > 0);
    }
    const spread = [...all.values()].map((facts) => ({
      clicks: Number(facts["clicks_longest"]),
      width: Number(facts["acos30d_high"]) / Number(facts["acos30d_low"]),
    })).sort((a, b) => a.clicks - b.clicks);
    ok(spread[0]!.width > spread.at(-1)!.width, JSON.stringify(spread));
    const costs = await find("  r: { over: campaign, when: 'cost30d > 0 && acos30d >= 0' }\n");
    ok(costs.alerts.length > 0);
    for (const { facts, text } of costs.alerts) {
      equal(facts["cost_a_day"], Number(facts["cost30d"]) / 30);
      ok(text.includes(`It costs ${Number(facts["cost_a_day"]).toFixed(2)}`), text);
    }
    const text = await find(
      "  r: { over: campaign, when: \"campaign == 'acos30d.low' || acos30d_low > 5\" }\n",
    );
    deepEqual(text.alerts, []);
  }));
