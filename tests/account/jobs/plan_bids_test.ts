import { deepEqual, equal, match, ok, rejects } from "../../support/assert.ts";
import {
  bestTargets,
  BID_PRESETS,
  costWithoutSales,
  countReasons,
  planBids,
} from "../../../src/account/mod.ts";
import { entityFigures } from "../../../src/store/mod.ts";
import { storedWorld } from "./stored_world.ts";
import { long } from "../../support/long.ts";

const WHERE = "acos30d < 0.20 && clicks30d >= 10";

Deno.test("bids of keywords and targets that meet a condition rise, up to the highest", async () => {
  await using at = await storedWorld();
  const { world: { us, asked }, store } = at;
  asked();
  const options = {
    store,
    where: WHERE,
    change: "+10%",
    max: 1.5,
    onSync: (line: string) => at.said.push(line),
  };
  const { plan, leftOut, considered, figures } = await planBids(us, options);
  equal(asked().filter((line) => /^(PUT|DELETE)/.test(line)).length, 0, "nothing is sent");
  ok(plan.changes.length > 20);
  equal(plan.changes.length + leftOut.length, considered, "every entity is in the plan or left out");
  match(at.said.join(), /The store lacks targeting from 2026-08-17 to 2026-09-15: fetching/);
  deepEqual(
    { first: figures?.firstDay, last: figures?.lastDay, synced: figures?.synced },
    { first: "2026-08-17", last: "2026-09-15", synced: true },
  );
  equal(plan.note, `Bids +10% where ${WHERE}, days to 2026-09-15 (lag 14)`);
  ok(plan.money !== null && plan.money.perDay.high > 0);

  const entities = plan.changes.map(({ kind, id }) => ({ kind, id: id! }));
  const known = await entityFigures(store, { profileId: us.profileId, today: "2026-09-16", entities });
  const defaults = new Map((await us.sp.adGroups.list()).map((one) => [one.adGroupId, one.defaultBid]));
  const keywords = await us.sp.keywords.getMany(
    plan.changes.filter(({ kind }) => kind === "sp.keywords").map(({ id }) => id!),
  );
  for (const { kind, id, before, after } of plan.changes) {
    const { acos30d, clicks30d } = known.get(id!)!;
    ok(acos30d! < 0.2 && clicks30d! >= 10, `${kind} ${id} meets the condition`);
    const own = before["bid"] ?? defaults.get(keywords.get(id!)?.adGroupId ?? "");
    equal(after["bid"], Math.min(1.5, Math.round(Number(own) * 110 + 1e-9) / 100), `${kind} ${id}`);
  }
  const kinds = new Set(plan.changes.map(({ kind }) => kind));
  deepEqual([...kinds].sort(), ["sb.keywords", "sp.keywords", "sp.targets"]);
  ok(
    plan.changes.some(({ kind, before }) => kind === "sp.keywords" && (before["bid"] ?? null) === null),
    "an inherited bid is raised too",
  );
  match(plan.warnings.join(), /\d+ without their own bid get one, based on their ad group's default bid/);
  const reasons = countReasons(leftOut);
  for (const reason of ["no_match", "unknown_figure", "at_maximum"]) {
    ok((reasons.get(reason) ?? 0) > 0, reason);
  }
  const [unknown] = leftOut.filter(({ reason }) => reason === "unknown_figure");
  match(unknown!.message, /acos30d is unknown: it had no sales/);
  const unsold = costWithoutSales(leftOut);
  const costs = await entityFigures(store, {
    ...{ profileId: us.profileId, today: "2026-09-16" },
    entities: leftOut.flatMap(({ kind, id, reason }) =>
      reason === "unknown_figure" && id !== null ? [{ kind, id }] : []
    ),
  });
  const paid = [...costs.values()].filter(({ cost30d = 0, acos30d }) => acos30d === undefined && cost30d > 0);
  ok(unsold !== undefined && unsold.count > 5);
  equal(unsold.count, paid.length);
  equal(unsold.cost, Number(paid.reduce((sum, { cost30d = 0 }) => sum + cost30d, 0).toFixed(2)));
});

Deno.test("a plan of bids is applied and undone, also where the bid was inherited", async () => {
  await using at = await storedWorld();
  const { world: { us }, store } = at;
  const { plan } = await planBids(us, { store, where: WHERE, change: "+10%", kinds: ["sp.keywords"] });
  const result = await plan.apply(us, { checkDrift: true });
  equal(result.ok, true, result.summary());
  const undo = result.rollbackPlan();
  equal((await undo.apply(us)).ok, true);
  const again = await planBids(us, { store, where: WHERE, change: "+10%", kinds: ["sp.keywords"] });
  equal(again.plan.fingerprint, plan.fingerprint, "the account is as it was");
  equal(again.figures?.synced, false, "the days are stored now");
});

Deno.test("a fall of bids stops at the lowest, and never raises one that is below it", async () => {
  await using at = await storedWorld();
  const { world: { us }, store } = at;
  const { plan, leftOut } = await planBids(us, {
    store,
    where: "bid > 0",
    change: "-50%",
    min: 0.6,
    kinds: ["sp.keywords"],
  });
  ok(plan.changes.length > 0);
  for (const { after } of plan.changes) ok(Number(after["bid"]) >= 0.6);
  ok(leftOut.some(({ reason }) => reason === "at_minimum"));
  const stopped = leftOut.filter(({ reason }) => reason === "not_running").map(({ message }) => message);
  deepEqual([...new Set(stopped)].sort(), [
    "It is paused",
    "Its ad group is archived",
    "Its ad group is paused",
    "Its campaign is paused",
  ]);
  const placed = await planBids(us, {
    store,
    where: "adGroup.bid > 0 && campaign.budget > 0",
    change: "-50%",
    kinds: ["sp.keywords"],
  });
  ok(placed.plan.changes.length > 0, "the default bid and the budget of where it is are known");
});

Deno.test("an unknown figure in the condition is refused with the nearest name, before anything is read", async () => {
  await using at = await storedWorld();
  const { world: { us, asked }, store } = at;
  asked();
  await rejects(planBids(us, { store, where: "acos31d < 1", change: "+1%" }), /Did you mean "acos30d"\?/);
  await rejects(
    planBids(us, { store, where: "clicks30d > 1", change: "10 %%" }),
    /expected a change such as \+10%/,
  );
  await rejects(
    planBids(us, { store, where: "clicks30d > 1", change: "+1%", max: 2.505 }),
    /USD has 2 decimals/,
  );
  await rejects(
    planBids(us, { store, where: "clicks30d > 1", change: "+1%", max: 5000 }),
    /Cannot use 5000 USD as the max of bids: US takes 0.02 to 1000/,
  );
  deepEqual(asked(), []);
});

Deno.test("without a sync, days that are not stored are an error that says how to fetch them", async () => {
  await using at = await storedWorld();
  const { world: { us }, store } = at;
  await rejects(
    planBids(us, { store, where: WHERE, change: "+10%", sync: false }),
    /lacks targeting from 2026-08-17 to 2026-09-15.*sync\(\) of US with the reports targeting/,
  );
});

Deno.test("bids of Brands targets are changed by the figures of their own rows", async () => {
  await using at = await storedWorld({ holds: ["sp_targeting", "sb_targeting"] });
  const { world: { us }, store } = at;
  const options = { store, change: "+10%", kinds: ["sb.targets"] } as const;
  const { plan, figures, considered } = await planBids(us, { ...options, where: "impressions30d > 0" });
  deepEqual([figures?.reports], [["sb_targeting"]]);
  const targets = await us.sb.targets.list();
  equal(considered, targets.length);
  ok(plan.changes.length > 0);
  for (const { kind, id, after } of plan.changes) {
    const bid = targets.find(({ targetId }) => targetId === id)?.bid;
    deepEqual([kind, after["bid"]], ["sb.targets", Math.round(Number(bid) * 110 + 1e-9) / 100]);
  }
  const [{ id } = { id: "" }] = plan.changes;
  const { rows } = await store.query(
    "SELECT DISTINCT ad_product, keyword FROM performance WHERE keyword_id = ?",
    [id],
  );
  const product = targets.find(({ targetId }) => targetId === id)?.expressions[0]?.value;
  deepEqual(
    rows,
    [{ ad_product: "SPONSORED_BRANDS", keyword: `asin="${product}"` }],
    "in the ready view too",
  );
});

Deno.test("a condition that nothing meets gives an empty plan", async () => {
  await using at = await storedWorld({ holds: ["sp_targeting", "sb_targeting"] });
  const { world: { us }, store } = at;
  const { plan, leftOut, considered } = await planBids(us, {
    store,
    where: "clicks7d > 1000000",
    change: "+10%",
  });
  equal(plan.changes.length, 0);
  equal(leftOut.length, considered);
});

Deno.test("conditions on sales leave out the days whose orders still come in, others do not", async () => {
  await using at = await storedWorld({ holds: ["sp_targeting", "sb_targeting"] });
  const { world: { us }, store } = at;
  const options = { store, change: "+10%", kinds: ["sp.keywords"] } as const;
  const lastDay = async (where: string, lag?: number): Promise<string | undefined> =>
    (await planBids(us, { ...options, where, lag })).figures?.lastDay;
  equal(await lastDay("orders7d == 0"), "2026-09-15");
  equal(await lastDay("figures.sales7d > 1000000"), "2026-09-15");
  equal(await lastDay("orders7d == 0", 0), "2026-09-29");
  equal(await lastDay("clicks7d > 1000000"), "2026-09-29");
  equal(await lastDay("clicks7d > 1000000", 3), "2026-09-26");
  await rejects(planBids(us, { ...options, where: "true", lag: -1 }), /Cannot use -1 as lag/);

  // Sales of the newest days alone make no target one of the best.
  const ids = await bestTargets(us, { store, count: 1000, days: 7 });
  const { rows } = await store.query(
    `SELECT DISTINCT "keywordId" AS id FROM sp_targeting WHERE "sales14d" > 0
     AND date BETWEEN '2026-09-09' AND '2026-09-15'`,
  );
  const sold = new Set(rows.map(({ id }) => String(id)));
  const sp = await us.sp.keywords.list();
  deepEqual(
    ids.filter((id) => sp.some(({ keywordId }) => keywordId === id)).filter((id) => !sold.has(id)),
    [],
  );
  equal(
    sp.filter(({ keywordId }) => sold.has(keywordId)).every(({ keywordId }) => ids.includes(keywordId)),
    true,
  );
});

long();
Deno.test("a keyword with few clicks is judged by an estimate, which stands beside its change", async () => {
  await using at = await storedWorld({ holds: ["sp_targeting", "sb_targeting"] });
  const { world: { us }, store } = at;
  const changed = async (where: string, only: { ids?: string[]; campaignIds?: string[] } = {}) => {
    const { plan } = await planBids(us, { store, where, change: "-10%", kinds: ["sp.keywords"], ...only });
    return plan.changes;
  };
  const dear = await changed("acos30d.est > 25%");
  ok(dear.length > 5);
  for (const { id, evidence } of dear) {
    const { acos, low, high } = evidence?.estimate ?? { acos: NaN, low: NaN, high: NaN };
    ok(acos > 0.25 && low <= acos && acos <= high, `${id} ${JSON.stringify(evidence)}`);
  }
  const surely = new Set((await changed("acos30d.low > 25%")).map(({ id }) => id));
  ok(surely.size < dear.length && [...surely].every((id) => dear.some((one) => one.id === id)));
  // Three clicks or fewer without an order: whatever they cost, they are not surely dear.
  const few = await changed("orders30d == 0 && clicks30d >= 1 && clicks30d <= 3 && acos30d.est > 0");
  ok(few.length > 0 && few.every(({ evidence }) => evidence?.acos === undefined));
  const estimates = few.flatMap(({ evidence }) => evidence?.estimate ?? []);
  equal(estimates.length, few.length);
  ok(estimates.every(({ acos, high }) => Number.isFinite(acos) && high > acos));
  // Judged beside all others, also where only one is to change.
  const [first] = dear;
  deepEqual((await changed("acos30d.est > 25%", { ids: [first!.id!] }))[0]?.evidence, first!.evidence);
  const { campaignId } = (await us.sp.keywords.getMany([first!.id!])).get(first!.id!)!;
  const ofCampaign = await changed("acos30d.est > 25%", { campaignIds: [campaignId] });
  deepEqual(ofCampaign.find(({ id }) => id === first!.id)?.evidence, first!.evidence);
  ok(ofCampaign.every((one) => dear.some(({ id }) => id === one.id)));
  ok(ofCampaign.length < dear.length, "only those of the campaign are changed");
});

Deno.test("ids that the profile does not have are left out by name", async () => {
  await using at = await storedWorld();
  const { world: { us }, store } = at;
  const options = { store, where: "bid > 0", change: "-10%", ids: ["99"], campaignIds: ["98"] };
  const { plan, leftOut } = await planBids(us, options);
  equal(plan.changes.length, 0);
  deepEqual(leftOut.map(({ reason, label }) => [reason, label]), [
    ["not_found", "keyword or target 99"],
    ["not_found", "campaign 98"],
  ]);
});

long();
Deno.test("no preset changes a bid for a few clicks, and no order alone is no reason where the others sell well", async () => {
  await using at = await storedWorld({ holds: ["sp_targeting", "sb_targeting"] });
  const { world: { us }, store } = at;
  const planned = async (where: string) =>
    (await planBids(us, { store, where, change: "-10%", kinds: ["sp.keywords"] })).plan.changes;
  for (const { where } of Object.values(BID_PRESETS)) {
    for (const { evidence, label } of await planned(where)) {
      ok(
        (evidence?.clicks ?? 0) >= 10 || (evidence?.orders ?? 0) >= 2,
        `${label} ${JSON.stringify(evidence)}`,
      );
      ok(evidence?.estimate !== undefined, "each is judged by an estimate");
    }
  }
  const unsold = await planned("orders30d == 0 && clicks30d >= 15 && acos30d.est > 0");
  const lowered = new Set((await planned(BID_PRESETS["no-sales"].where)).map(({ id }) => id));
  ok(lowered.size > 0 && lowered.size < unsold.length, `${lowered.size} of ${unsold.length}`);
  for (const { id, evidence } of unsold) equal(lowered.has(id), evidence!.estimate!.acos > 0.3);
});
