import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { equal, match, ok } from "../support/assert.ts";
import { ChangePlan } from "../../src/plans/change_plan/change_plan.ts";
import { type Alert, WatchState } from "../../src/automation/watch/mod.ts";
import { addDays, dayIn } from "../../src/base/time/calendar.ts";
import { StoreAccess } from "../../src/interfaces/mcp/context/store_access.ts";
import { PlanStore } from "../../src/plans/store/plan_store.ts";
import { Agent } from "./support/agent.ts";
import { ReportWorld } from "./support/report_world.ts";
import { World } from "./support/world.ts";
import { until } from "../support/until.ts";

function alert(index: number, profileId: string): Alert {
  return {
    id: index.toString(16).padStart(12, "a"),
    at: "2026-09-03T08:00:00.000Z",
    profileId,
    countryCode: "US",
    rule: `rule${index % 4}`,
    over: "campaign",
    severity: index % 3 === 0 ? "urgent" : "note",
    key: String(index),
    subject: "Shoes",
    day: "2026-09-03",
    since: "2026-09-01",
    title: `US: 東京の靴屋さん ${"とても長い名前のキャンペーン ".repeat(6)}${index}\u001b[31m`,
    text: "Seen: yesterday",
    facts: {},
    planId: null,
  };
}

const raised = (index: number, profileId: string) => ({
  alert: alert(index, profileId),
  quietDays: 0,
  channels: [],
  isComplete: true,
});

Deno.test("the morning review has alerts, plans, drift and outcomes in one prompt of less than 3,000 tokens", async () => {
  await using world = new ReportWorld();
  const context = world.context({ store: true });
  await using agent = await Agent.connect(context);
  const review = async (): Promise<string> => {
    const { messages } = await agent.client.getPrompt({
      name: "morning_review",
      arguments: { market: "US" },
    });
    return (messages[0]!.content as { text: string }).text;
  };
  const empty = await review();
  for (const part of ["Open alerts", "Open plans", "Changes by others", "Plan outcomes"]) {
    ok(empty.includes(`## ${part}`), part);
  }
  match(empty, /## Open alerts\n- none/);

  const us = await context.profile("US", new AbortController().signal);
  const state = await WatchState.open(context.store!.place);
  await state.raise(Array.from({ length: 60 }, (_, index) => raised(index, us.profileId)));
  await state.close();
  for (let index = 0; index < 15; index++) {
    await context.plans.save(
      new ChangePlan({
        profileId: us.profileId,
        countryCode: "US",
        note: `Raise 靴 ${index} `.repeat(20),
        changes: [{
          kind: "sp.keywords",
          op: "update",
          id: String(index + 1),
          before: { bid: 1 },
          after: { bid: 2 },
          label: "shoes",
        }],
      }),
    );
  }
  const full = await review();
  const tokens = encode(full).length;
  ok(tokens < 3000, `${tokens} tokens`);
  match(full, /- urgent US: 東京/);
  match(full, /and \d+ more/);
  ok(!full.includes("\u001b"), "names draw nothing");
  equal(full.match(/^## /gm)?.length, 4);
  match(full, /data, not instructions/);
});

Deno.test("the morning review says as plan_outcome does when what was held back was changed since", async () => {
  await using world = await World.start();
  const { clock } = world.emulator;
  const now = (): number => clock.now();
  const place = `${world.folder}/ads.sqlite`;
  const context = world.context({}, { now, store: new StoreAccess(place, { now }) });
  await using agent = await Agent.connect(context);
  const us = await context.profile("US", new AbortController().signal);
  const keywords = (await us.sp.keywords.list({ states: ["ENABLED"] })).filter(({ bid }) => bid).slice(0, 40);
  const draft = us.plan();
  for (const { keywordId, bid = 1 } of keywords) {
    draft.update("sp.keywords", { keywordId, bid: Math.round(bid * 90) / 100 });
  }
  const plan = await draft.build({ holdBack: { share: 0.25, seed: "7", unit: "keyword" } });
  const held = plan.experiment?.held ?? [];
  const applied = addDays(dayIn(us.timeZone, now()), -26);
  const appliedAt = (days: number): PlanStore =>
    PlanStore.open(world.planFolder, { now: () => now() - days * 86_400_000 });
  await appliedAt(26).save(plan);
  await appliedAt(26).apply(plan, us);
  const range = { start: addDays(applied, -15), end: addDays(applied, 25) };
  const rows = Array.from({ length: 41 }, (_, day) => addDays(range.start, day)).flatMap((date, day) =>
    keywords.map(({ keywordId, adGroupId, campaignId }, at) => {
      const sales = 20 + (at * 7 + day * 3) % 5;
      return {
        date,
        campaignId,
        adGroupId,
        keywordId,
        impressions: 100,
        clicks: 5,
        cost: 4,
        sales14d: date > applied && !held.includes(keywordId) ? sales / 2 : sales,
        purchases14d: 1,
      };
    })
  );
  const { profileId, countryCode } = us;
  await context.store!.useOwn((store) =>
    store.replace({ profileId, countryCode, report: "sp_targeting", ...range }, rows)
  );
  const outcome = async (): Promise<string> => {
    const { messages: [message] } = await agent.client.getPrompt({
      name: "morning_review",
      arguments: { market: "US" },
    });
    const { text } = message!.content as { text: string };
    return text.split("\n").find((line) => line.startsWith(`- ${plan.id}: `)) ?? text;
  };
  match(await outcome(), /: less; cost /);
  const later = await us.sp.keywords.planUpdate(held.map((keywordId) => ({ keywordId, bid: 0.77 })));
  await appliedAt(20).save(later);
  await appliedAt(20).apply(later, us);
  const { data } = await agent.call("plan_outcome", { plan_id: plan.id });
  equal(data["verdict"], "too_small");
  match(await outcome(), /: too small; cost /);
});

Deno.test("rules are tried on stored days without keeping anything, and rules that alerted are counted", async () => {
  await using world = new ReportWorld();
  const context = world.context({ store: true });
  await using agent = await Agent.connect(context);
  const { profileId } = await context.profile("US", new AbortController().signal);
  const state = await WatchState.open(context.store!.place);
  await state.raise([0, 4, 5].map((index) => raised(index, profileId)));
  await state.mark([alert(0, profileId).id], { state: "closed" });
  const own = await agent.call("watch_rules", { market: "US" });
  const [first] = own.data["rows"].filter(({ rule }: { rule: string }) => rule === "rule0");
  equal(`${first.alerts} ${first.open}`, "2 1");
  const [, four] = [0, 4].map((index) => alert(index, profileId).id);
  const snooze = { state: "snoozed", now: world.host.now, until: world.host.now + 86_400_000 } as const;
  await state.mark([four!], snooze);
  const { data: { rows: [snoozed] } } = await agent.call("watch_rules", { market: "US" });
  equal(`${snoozed.alerts} ${snoozed.open}`, "2 0", "a snoozed alert is not open");
  const rules = `version: 1
rules:
  big: { over: campaign, when: cost1d > 1 }
  d: { over: drift, when: changes1d > 0 }
`;
  const tried = await agent.call("test_rules", { market: "US", rules });
  const [big, drift] = tried.data["rows"];
  equal(big.rule, "big");
  match(drift.not_judged, /no history is stored/);
  const wrong = await agent.call("test_rules", { market: "US", rules: rules.replace("cost1d", "cots1d") });
  match(wrong.text, /watch\.yaml:3: .*cots1d/);
  equal((await state.list({ profileId })).length, 3, "nothing was kept");
  await state.close();
});

Deno.test("alerts of profiles that the server does not serve take no place among the newest", async () => {
  await using world = new ReportWorld();
  const context = world.context({ store: true, settings: { profiles: ["US"] } });
  await using agent = await Agent.connect(context);
  const { profileId } = await context.profile("US", new AbortController().signal);
  const state = await WatchState.open(context.store!.place);
  const own = raised(1, profileId);
  const others = Array.from({ length: 1001 }, (_, index) => ({
    ...own,
    alert: { ...alert(index, "1002"), id: `${index}`, at: "2026-09-03T09:00:00.000Z" },
  }));
  await state.raise([own, ...others]);
  await state.close();
  const { contents: [found] } = await agent.client.readResource({ uri: "platform-ads://alerts" });
  equal(JSON.parse((found as { text: string }).text).map(({ id }: Alert) => id).join(), own.alert.id);
});

Deno.test("open alerts are a resource, and clients that watch it hear of new ones", async () => {
  await using world = new ReportWorld();
  const context = world.context({ store: true });
  context.alertSeconds = 0.02;
  await using agent = await Agent.connect(context, { era: "legacy" });
  const { profileId } = await context.profile("US", new AbortController().signal);
  const state = await WatchState.open(context.store!.place);
  await state.raise([raised(1, profileId)]);
  const read = async (): Promise<{ id: string }[]> => {
    const { contents: [found] } = await agent.client.readResource({ uri: "platform-ads://alerts" });
    return JSON.parse((found as { text: string }).text);
  };
  equal((await read()).length, 1);
  const heard: string[] = [];
  context.updates.add((uri) => heard.push(uri));
  await agent.client.subscribeResource({ uri: "platform-ads://alerts" });
  await new Promise((resume) => setTimeout(resume, 100));
  equal(heard.length, 0, "nothing is new");
  let alerts = 1;
  await until(async () => {
    // The first look, which others are compared with, may have come late.
    await state.raise([raised(++alerts, profileId)]);
    return heard.length > 0;
  });
  equal(heard[0], "platform-ads://alerts");
  equal((await read()).length, Math.min(alerts, 50));
  await state.close();
  await context.stop();
});
