import { deepEqual, equal, ok } from "../support/assert.ts";
import { READY, watchWorld } from "./watch_world.ts";
import { replayRule } from "../../src/automation/watch/mod.ts";
import { Warehouse } from "../../src/store/mod.ts";
import { longFile } from "../support/long.ts";

longFile();

Deno.test("each of twelve planted faults is found the day after, by its rule and in its place, and not before", async () => {
  await using at = await watchWorld();
  const { world: { us, time }, place, plans } = at;
  const campaigns = at.rows(`SELECT campaignId AS id, max(campaignName) AS name, sum(purchases14d) AS orders,
    sum(clicks) AS clicks, sum(cost) AS cost FROM report_sp_campaigns WHERE date > '2026-08-20' GROUP BY campaignId
    HAVING min(cost) > 0 ORDER BY orders DESC`);
  const [busy] = campaigns as [Record<string, string | number>];
  const id = String(busy["id"]);
  const roomy = String(campaigns.toSorted((a, b) => Number(a["cost"]) - Number(b["cost"]))[0]!["id"]);
  const [keyword] = at.rows(`SELECT keywordId AS id FROM report_sp_targeting
    WHERE date > '2026-08-30' AND keywordId IN (SELECT id FROM entities WHERE kind = 'sp.keywords')
    GROUP BY keywordId ORDER BY sum(clicks) DESC LIMIT 1`);
  const [term] = at.rows(`SELECT searchTerm AS term FROM report_sp_search_terms
    WHERE date BETWEEN '2026-08-17' AND '2026-09-15' GROUP BY searchTerm, campaignId ORDER BY sum(clicks) DESC LIMIT 1`);
  const campaign = (set: string, from: string, to = "2026-09-29"): string =>
    `UPDATE report_sp_campaigns SET ${set} WHERE campaignId = '${id}' AND date BETWEEN '${from}' AND '${to}'`;

  // Somebody else's edit, and a write that is refused: both through the platform.
  const keywords = (await us.sp.keywords.list({ states: ["ENABLED"] })).filter(({ bid }) =>
    bid !== undefined
  );
  const [mine, theirs] = keywords as [typeof keywords[0], typeof keywords[0]];

  const faults: Readonly<Record<string, { readonly sql?: readonly string[]; readonly key: string }>> = {
    spend_jump: {
      sql: ["UPDATE report_sp_campaigns SET cost = cost * 3 WHERE date = '2026-09-29'"],
      key: "",
    },
    spend_stopped: { sql: [campaign("cost = 0, clicks = 0", "2026-09-28")], key: id },
    sales_stopped: {
      sql: [campaign("clicks = clicks + 100, purchases14d = 0, sales14d = 0", "2026-09-27")],
      key: id,
    },
    acos_above_target: { sql: [campaign("sales14d = cost", "2026-08-17", "2026-09-15")], key: id },
    budget_out: {
      sql: [campaign("cost = campaignBudgetAmount", "2026-09-22").replace(id, roomy)],
      key: roomy,
    },
    budget_unused: { sql: [campaign("cost = 1, campaignBudgetAmount = 500", "2026-09-23")], key: id },
    term_wastes: {
      sql: [`UPDATE report_sp_search_terms SET clicks = 50, purchases14d = 0, sales14d = 0
        WHERE searchTerm = '${term!["term"]}' AND date BETWEEN '2026-08-17' AND '2026-09-15'`],
      key: String(term!["term"]),
    },
    bid_above_cpc: {
      sql: [
        `UPDATE report_sp_targeting SET clicks = clicks + 5 WHERE keywordId = '${keyword!["id"]}'`,
        `UPDATE entities SET data = json_set(data, '$.bid', 90) WHERE kind = 'sp.keywords' AND id = '${
          keyword!["id"]
        }'`,
      ],
      key: String(keyword!["id"]),
    },
    day_expires: {
      sql: ["DELETE FROM days WHERE report = 'sp_search_terms' AND date = '2026-07-31'"],
      key: "sp_search_terms",
    },
    sync_late: {
      sql: ["DELETE FROM days WHERE report = 'sp_targeting' AND date >= '2026-09-28'"],
      key: "sp_targeting",
    },
    drift_not_ours: { key: "campaign" },
    writes_refused: { key: "plans" },
  };
  deepEqual(Object.keys(faults).sort(), READY.rules.map(({ name }) => name).sort());

  const has = (found: Awaited<ReturnType<typeof at.find>>, rule: string, key: string): boolean =>
    found.alerts.some((alert) => alert.rule === rule && alert.key.includes(key));
  const quiet = await at.find(place);
  for (const [rule, { sql, key }] of Object.entries(faults)) {
    if (sql === undefined) continue;
    equal(has(quiet, rule, key), false, `${rule} before its fault`);
    const found = await at.find(await at.planted(rule, sql));
    ok(has(found, rule, key), `${rule}: ${JSON.stringify(found.alerts.map(({ rule, key }) => [rule, key]))}`);
  }
  equal(has(quiet, "drift_not_ours", ""), false);
  equal(has(quiet, "writes_refused", ""), false);
  await us.sp.keywords.update([{ keywordId: theirs.keywordId, bid: 1.11 }]);
  const refused = await us.sp.keywords.planUpdate([{ keywordId: mine.keywordId, bid: mine.bid! + 0.03 }]);
  await plans.save(refused);
  await us.sp.keywords.delete([mine.keywordId]);
  await plans.apply(refused, us);
  time.advance(3600);
  at.world.emulator.advance(3600);
  const found = await at.find(place);
  const drift = found.alerts.find(({ rule }) => rule === "drift_not_ours");
  ok(drift !== undefined && drift.subject !== "" && /BID_AMOUNT/.test(drift.text), drift?.text);
  const writes = found.alerts.find(({ rule }) => rule === "writes_refused");
  ok(writes !== undefined && writes.text.includes(refused.id), writes?.text);
});

Deno.test("on quiet figures the rules for what is unusual raise at most one alert a week, on two seeds", async () => {
  for (const seed of [undefined, "seven"]) {
    await using at = await watchWorld({ seed, reports: ["sp_campaigns"] });
    await using store = await Warehouse.open(at.place, { now: at.world.time.now });
    let alerts = 0;
    let days = 0;
    for (const name of ["spend_jump", "spend_stopped", "sales_stopped"]) {
      const rule = READY.rules.find((one) => one.name === name)!;
      const replay = await replayRule(rule, {
        profile: at.world.us,
        store,
        from: "2026-08-05",
        to: "2026-09-30",
      });
      // What the account really did is no false alert: a campaign without cost has stopped.
      const false_ = replay.alerts.filter(({ key, day }) =>
        name !== "spend_stopped" ||
        at.rows(`SELECT coalesce(sum(cost), 0) AS cost FROM report_sp_campaigns WHERE campaignId = '${key}'
          AND date BETWEEN date('${day}', '-1 day') AND '${day}'`)[0]!["cost"] !== 0
      );
      alerts += false_.length;
      days = Math.max(days, replay.days);
    }
    ok(days >= 40, `${days} days were judged`);
    ok(alerts <= days / 7, `${alerts} alerts in ${days} days with seed ${seed}`);
  }
});
