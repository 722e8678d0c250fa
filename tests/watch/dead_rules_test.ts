import { deepEqual } from "../support/assert.ts";
import { deadRules, parseWatch } from "../../src/automation/watch/mod.ts";
import { Warehouse } from "../../src/store/mod.ts";
import { READY, watchWorld } from "./watch_world.ts";
import { long } from "../support/long.ts";

const TEXT = `version: 1
channels:
  out: { kind: stdout }
  mail: { kind: email, server_env: MAIL, from: a@example.com, to: b@example.com }
  team: { kind: slack, url_env: TEAM }
rules:
  fine: { over: campaign, when: cost7d > 1 }
  twice: { over: campaign, when: "cost7d>1" }
  unset: { over: campaign, when: cost1d > 1, channel: [mail, team] }
  reached: { over: campaign, when: cost2d > 1, channel: [mail, out] }
  brands: { over: search_term, when: cost30d > 1 && clicks30d > 5 }
  hourly: { over: hours, when: cost1h > 1 }
  busy: { over: campaign, when: clicks7d > 1, min_clicks: 100000000 }
`;

long();
Deno.test("dead rules are named with the first reason: the same as another, unset channels, what is not stored or never known", async () => {
  await using at = await watchWorld();
  const now = at.world.time.now();
  const file = parseWatch(TEXT, "watch.yaml");
  const names = async (env: Record<string, string>, place?: string): Promise<[string, string][]> => {
    await using store = place === undefined
      ? undefined
      : await Warehouse.open(place, { now: at.world.time.now });
    return (await deadRules(file, { store, env, now })).map(({ rule, why }) => [rule, why]);
  };
  const twice = ["twice", "it duplicates fine"] as [string, string];
  deepEqual(await names({}), [twice, ["unset", "its alerts reach no channel: MAIL, TEAM are not set"]]);
  deepEqual(await names({ MAIL: "smtps://x" }), [twice]);
  const cut = await at.planted("cut", [
    "DELETE FROM days WHERE report = 'sp_search_terms'",
    "DELETE FROM report_sp_search_terms",
  ]);
  const found = await names({ TEAM: "https://x" }, cut);
  deepEqual(found.map(([rule]) => rule), ["twice", "brands", "hourly", "busy"]);
  deepEqual(found.map(([, why]) => why.replace(/is \d+$/, "is N")).slice(1), [
    "it is over search_term, and none of its reports is stored: sync() with the report search-terms",
    "no hour is stored: consumeStream() stores them",
    "min_clicks is 100000000, and the most that a row has is N",
  ]);
  const bare = await at.planted("bare", [
    "DELETE FROM entities WHERE kind LIKE '%keywords' OR kind LIKE '%targets'",
  ]);
  await using store = await Warehouse.open(bare, { now: at.world.time.now });
  deepEqual((await deadRules(READY, { store, env: {}, now })).map(({ rule, why }) => [rule, why]), [
    ["bid_above_cpc", "no keyword has a value for bid: sync() with entities reads bids"],
  ]);
  await using whole = await Warehouse.open(at.place, { now: at.world.time.now });
  deepEqual(await deadRules(READY, { store: whole, env: {}, now }), []);
});

Deno.test("a webhook whose secret is not set delivers nothing, so that a rule with it alone is dead", async () => {
  const file = parseWatch(
    `version: 1
channels: { hook: { kind: webhook, url_env: HOOK, secret_env: HOOK_KEY } }
rules: { dear: { over: campaign, when: cost7d > 1 } }
`,
    "watch.yaml",
  );
  const why = async (env: Record<string, string>): Promise<(string | undefined)[]> =>
    (await deadRules(file, { env, now: 0 })).map((dead) => dead.why);
  deepEqual(await why({ HOOK: "https://x" }), ["its alerts reach no channel: HOOK_KEY is not set"]);
  deepEqual(await why({ HOOK: "https://x", HOOK_KEY: "k" }), []);
});
