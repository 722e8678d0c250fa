import { writeFileSync } from "node:fs";
import { planBids, Rollout } from "../../../src/account/mod.ts";
import type { ChangePlan, ProfileClient } from "../../../mod.ts";
import { addDays, dayIn } from "../../../src/base/time/calendar.ts";
import { PlanStore } from "../../../src/plans/store/plan_store.ts";
import { addComment } from "../../../src/plans/store/plan_comments.ts";
import { loadSchedules, ScheduleState, tickSchedules } from "../../../src/automation/schedules/mod.ts";
import { ServiceState } from "../../../src/automation/service/mod.ts";
import { Warehouse } from "../../../src/store/mod.ts";
import { type Alert, WatchState } from "../../../src/automation/watch/mod.ts";
import type { ConsoleWorld } from "./console_world.ts";

const DAY = 86_400_000;
const LONG = `Spring clearance ${"of everything that is made of wood, ".repeat(7)}`.slice(0, 255);

/** What {@linkcode fillWorkplace} made. */
export interface Workplace {
  /** An agent's plan of bids with figures beside each. */
  readonly bids: ChangePlan;
  /** A plan that was applied five weeks ago and held a part back. */
  readonly experiment: ChangePlan;
  readonly alert: Alert;
}

/** Fills a console as weeks of work do: figures of keywords, plans, an experiment, alerts, schedules, a service. */
export async function fillWorkplace(world: ConsoleWorld): Promise<Workplace> {
  const { us, time, storePlace } = world;
  const keywords = (await us.sp.keywords.list({ states: ["ENABLED"] })).filter(({ bid }) =>
    bid !== undefined
  );
  const others = keywords.filter(({ campaignId }) => campaignId !== keywords[0]?.campaignId).slice(40, 120);
  const experiment = await appliedExperiment(world, others);
  const lowered = new Set(experiment.changes.map(({ id }) => id));
  await storeKeywords(us, {
    place: storePlace,
    keywords: [...new Set([...keywords.slice(0, 80), ...others])],
    now: time.now,
    since: 35,
    lowered,
  });
  await schedules(world);
  await service(world);
  await rollout(world);
  await using store = await Warehouse.open(storePlace, { now: time.now });
  const { plan: bids } = await planBids(us, {
    store,
    sync: false,
    kinds: ["sp.keywords"],
    where: "acos30d > 0.3 && clicks30d >= 5",
    change: "-15%",
    note: "Bids towards 30 % ACOS, week 39",
  });
  if (bids === undefined) throw new Error("no keyword has an ACOS above 30 %");
  await world.agentPlans.save(bids);
  await addComment(world.agentPlans.path, bids.id, {
    at: new Date(time.now()).toISOString(),
    by: "a person in the console",
    text: "The event of 17 September is in these days. Are the steps still right without it?",
  });
  // Some of it is changed before a person reads it: two bids by hand, two to what the plan wants.
  const drifted = bids.changes.slice(3, 7).map(({ id, after }, at) => ({
    keywordId: id ?? "",
    bid: at < 2 ? 1.47 : Number(after["bid"]),
  }));
  await (await us.sp.keywords.planUpdate(drifted)).apply(us);
  const alert = await alerts(world, bids.id);
  return { bids, experiment, alert };
}

type Keyword = Awaited<ReturnType<ProfileClient["sp"]["keywords"]["list"]>>[number];

async function storeKeywords(
  { profileId, countryCode, timeZone }: ProfileClient,
  { place, keywords, now, since, lowered }: {
    place: string;
    keywords: readonly Keyword[];
    now: () => number;
    /** Days ago on which the bids of `lowered` went down, and their clicks and costs with them. */
    since: number;
    lowered: ReadonlySet<string | null>;
  },
): Promise<void> {
  await using store = await Warehouse.open(place, { now });
  const today = dayIn(timeZone, now());
  const range = { start: addDays(today, -75), end: addDays(today, -1) };
  const rows = Array.from({ length: 75 }, (_, day) => addDays(range.start, day)).flatMap((date, day) =>
    keywords.map(({ keywordId, adGroupId, campaignId, keywordText, matchType }, at) => {
      const isLower = day > 75 - since && lowered.has(keywordId);
      // As good as random, and the same each time.
      const draw = (salt: number): number =>
        ((at + 1) * 2_654_435_761 + (day + 1) * 40_503 * salt) % 997 / 997;
      const clicks = 2 + Math.floor(draw(7) * 6) - (isLower ? 1 : 0);
      const cost = Math.round(clicks * (isLower ? 0.85 : 1) * (0.6 + (at % 9) / 10) * 100) / 100;
      const orders = draw(31) < (isLower ? 0.3 : 0.34) ? 1 : 0;
      return {
        date,
        campaignId,
        campaignName: `Campaign ${campaignId}`,
        adGroupId,
        adGroupName: "One",
        keywordId,
        keyword: keywordText,
        matchType,
        impressions: clicks * 30,
        clicks,
        cost,
        purchases14d: orders,
        sales14d: Math.round(orders * (6 + at % 11) * 100) / 100,
      };
    })
  );
  await store.replace({ profileId, countryCode, report: "sp_targeting", ...range }, rows);
}

/** A plan that lowered bids and held a quarter back, as if it had been applied five weeks ago. */
async function appliedExperiment(
  { us, plans, time }: ConsoleWorld,
  keywords: readonly Keyword[],
): Promise<ChangePlan> {
  const draft = us.plan();
  for (const { keywordId, bid = 1 } of keywords) {
    draft.update("sp.keywords", { keywordId, bid: Math.round(bid * 90) / 100 });
  }
  const plan = await draft.build({
    note: "Lower bids of wasters",
    holdBack: { share: 0.25, seed: "4711", unit: "keyword" },
  });
  const past = PlanStore.open(plans.path, { now: () => time.now() - 35 * DAY });
  await past.save(plan);
  await past.apply(plan, us);
  return plan;
}

async function alerts({ us, time, storePlace }: ConsoleWorld, planId: string): Promise<Alert> {
  const { profileId, countryCode } = us;
  const [campaign] = await us.sp.campaigns.list({ states: ["ENABLED"] });
  const today = dayIn(us.timeZone, time.now());
  const make = (id: string, more: Partial<Alert>): Alert => ({
    id,
    at: new Date(time.now() - 3_600_000).toISOString(),
    profileId,
    countryCode,
    rule: "sales_stopped",
    over: "campaign",
    severity: "urgent",
    key: String(campaign?.campaignId),
    subject: String(campaign?.name),
    day: addDays(today, -1),
    since: addDays(today, -4),
    title: `${countryCode}: ${campaign?.name} had 157 clicks and no order`,
    text: `Seen: ${addDays(today, -4)} to ${addDays(today, -1)} (orders of these days may still arrive)
Since ${addDays(today, -4)}, 4 days in a row
It costs 41.80 USD a day
clicks of 3 days: 157; orders of 3 days: 0
Changed in the three days before:
  ${addDays(today, -5)} budget 40 -> 60 by somebody else
  ${addDays(today, -6)} plan "Bids, week 38" lowered 4 bids
To do: look whether its products can be bought`,
    facts: { campaign_id: String(campaign?.campaignId), clicks3d: 157, orders3d: 0, cost_a_day: 41.8 },
    planId,
    ...more,
  });
  const first = make("7f2c04190001", {});
  const all = [
    first,
    make("7f2c04190002", {
      rule: "budget_out",
      severity: "warning",
      title: `${countryCode}: 4 campaigns are out of budget before the evening`,
      planId: null,
      over: "market",
      key: "",
      subject: "",
      facts: {},
    }),
    make("7f2c04190003", {
      rule: "late_sync",
      severity: "note",
      title: `${countryCode}: ${LONG}`,
      planId: null,
      over: "reports",
      key: "sp_search_terms",
      subject: LONG,
      facts: {},
      day: addDays(today, -3),
    }),
  ];
  await using state = await WatchState.open(storePlace);
  await state.raise(all.map((alert) => ({ alert, quietDays: 1, channels: [], isComplete: true })));
  return first;
}

async function schedules({ us, files, storePlace, plans, time }: ConsoleWorld): Promise<void> {
  writeFileSync(
    files.schedules,
    `# Nights cost more than they bring.
version: 1
schedules:
  nights_low:
    select: { names: ["SP | Trail Tent 2P | Exact"], products: [sp] }
    move: bid
    foreign_edits: keep # a person decides
    grid:
      - { days: [mon, tue, wed, thu, fri], hours: "00-06", factor: 0.5 }
      - { days: [mon, tue, wed, thu, fri], hours: "06-09,22-24", factor: 0.8 }
      - { days: [mon, tue, wed, thu, fri], hours: "17-22", factor: 1.25 }
      - { days: [sat, sun], hours: "00-07", factor: 0.5 }
      - { days: [sat, sun], hours: "18-23", factor: 1.35 }
  weekends:
    select: { names: ["none"] }
    move: budget
    experiment: { from: 2026-09-07, weeks: 12, seed: s }
    grid: [{ days: [sat, sun], factor: 1.2 }]
`,
  );
  writeFileSync(
    files.pacing,
    "version: 1\nbudgets: { tents: { amount: 8000, from: 2026-09-10, to: 2026-10-20, select: { names: ['SP | Trail Tent*'] } } }\n",
  );
  const file = await loadSchedules(files.schedules);
  const parts = { schedules: file.schedules, state: storePlace, plans };
  await tickSchedules(us, { ...parts, now: time.now() });
  await using state = await ScheduleState.open(storePlace);
  const [base] = (await state.bases(us.profileId)).filter(({ kind }) => kind === "sp.keywords");
  const plan = await us.sp.keywords.planUpdate([{ keywordId: base?.id ?? "", bid: 1.47 }]);
  await plan.apply(us);
  await tickSchedules(us, { ...parts, now: time.now() });
}

async function service({ us, files, storePlace, time }: ConsoleWorld): Promise<void> {
  writeFileSync(
    files.service,
    "version: 1\nprofiles: [US, CA]\ntimers:\n  sync: nightly 04:00\n  drift: hourly\n  watch: hourly\n",
  );
  writeFileSync(files.service.replace(/service\.yaml$/, "watch.yaml"), "version: 1\nrules: {}\n");
  await using state = await ServiceState.open(storePlace);
  const now = time.now();
  const done = async (
    timer: string,
    hours: number,
    outcome: "done" | "failed",
    detail: string,
  ): Promise<void> => {
    const unit = { profileId: us.profileId, timer };
    const due = now - hours * 3_600_000;
    await state.begin(unit, { due, attempt: 1, now: due });
    await state.end(unit, { due, attempt: 1, outcome, detail, now: due + 18_400 });
  };
  await done("sync", 1, "done", "11 reports, 1 day restated");
  await done("watch", 1, "failed", "Cannot read the store: the disk is full");
}

/** A rollout over two profiles. */
async function rollout({ ads, us, rolloutPlans, time }: ConsoleWorld): Promise<void> {
  const made: ChangePlan[] = [];
  for (const profile of [us, await ads.profile("CA")]) {
    const [keyword] = await profile.sp.keywords.list({ states: ["ENABLED"] });
    made.push(await profile.sp.keywords.planUpdate([{ keywordId: keyword?.keywordId ?? "", bid: 0.77 }]));
  }
  await Rollout.create(rolloutPlans.path, made, { note: "Autumn bids", now: time.now });
}
