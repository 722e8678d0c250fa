import { deepEqual, equal, notDeepEqual, ok } from "../support/assert.ts";
import { Emulator, type JsonObject } from "../../src/emulator/mod.ts";
import { checkKeywordText } from "../../src/emulator/core/keyword_text.ts";
import { bidRange, budgetRange } from "../../src/emulator/core/marketplaces.ts";
import { Caller } from "./caller.ts";
import { pick, write } from "./products.ts";
import { IdMaker } from "../../src/emulator/state/emulator_state.ts";

const KINDS = [
  "portfolios",
  "sp.campaigns",
  "sp.ad_groups",
  "sp.keywords",
  "sp.targets",
  "sp.negative_keywords",
  "sp.negative_targets",
  "sp.campaign_negative_keywords",
  "sp.campaign_negative_targets",
  "sp.product_ads",
];

async function withDemo(use: (emulator: Emulator) => void, seed = "demo"): Promise<void> {
  const emulator = await Emulator.start({ seed });
  try {
    use(emulator);
  } finally {
    await emulator.stop();
  }
}

function everything(emulator: Emulator): Record<string, readonly JsonObject[]>[] {
  return emulator.state.profiles().map((profile) =>
    Object.fromEntries(KINDS.map((kind) => [kind, profile.collection(kind).all()]))
  );
}

Deno.test("the demo account is big enough to be interesting", () =>
  withDemo((emulator) => {
    const profiles = emulator.state.profiles();
    deepEqual(profiles.map(({ record }) => record.countryCode), [
      "US",
      "CA",
      "MX",
      "UK",
      "DE",
      "DE",
      "JP",
      "AU",
    ]);
    const count = (kind: string) => profiles.reduce((sum, profile) => sum + profile.collection(kind).size, 0);
    ok(count("sp.campaigns") >= 40);
    ok(count("sp.keywords") >= 3000);
    for (const profile of profiles) {
      for (const kind of KINDS) {
        ok(profile.collection(kind).size > 0, `${profile.record.countryCode} has ${kind}`);
      }
      const states = new Set(
        profile.collection("sp.campaigns").all().map((campaign) => campaign.state),
      );
      deepEqual([...states].sort(), ["ARCHIVED", "ENABLED", "PAUSED"]);
    }
  }));

Deno.test("ids are unique over all kinds and profiles, and a good share lies past 2^53", () =>
  withDemo((emulator) => {
    const ids = everything(emulator).flatMap((kinds) =>
      KINDS.flatMap((kind) => {
        const { idField } = emulator.state.profiles()[0]!.collection(kind);
        return kinds[kind]!.map((entity) => String(entity[idField]));
      })
    );
    equal(new Set(ids).size, ids.length);
    const big = ids.filter((id) => BigInt(id) > 2n ** 53n).length / ids.length;
    ok(big > 0.2 && big < 0.3, `the share is ${big}`);
  }));

Deno.test("the demo account obeys the platform's own rules", () =>
  withDemo((emulator) => {
    for (const profile of emulator.state.profiles()) {
      const { countryCode } = profile.record;
      const [low, high] = bidRange(countryCode, "sp");
      const budget = budgetRange(countryCode, "sp");
      const isAllowed = (bid: unknown) => bid === undefined || (Number(bid) >= low && Number(bid) <= high);
      for (const kind of ["sp.keywords", "sp.negative_keywords", "sp.campaign_negative_keywords"]) {
        for (const { keywordText, matchType, bid } of profile.collection(kind).all()) {
          equal(
            checkKeywordText(String(keywordText), { matchType: String(matchType), countryCode }),
            undefined,
          );
          ok(isAllowed(bid));
        }
      }
      for (const campaign of profile.collection("sp.campaigns").all()) {
        const amount = Number((campaign.budget as JsonObject).budget);
        ok(amount >= budget[0] && amount <= budget[1]);
      }
      for (const kind of KINDS) {
        const collection = profile.collection(kind);
        for (const entity of collection.all()) {
          if (entity.state !== "ARCHIVED") equal(collection.rivalOf(entity), undefined, `${kind} is unique`);
          for (
            const [field, parent] of [["campaignId", "sp.campaigns"], ["adGroupId", "sp.ad_groups"]] as const
          ) {
            if (entity[field] !== undefined) {
              ok(profile.collection(parent).get(String(entity[field])), `${kind} has its ${field}`);
            }
          }
        }
      }
    }
  }));

Deno.test("names are in several scripts, one holds an emoji, and none an escape sequence unless asked for", () =>
  withDemo((emulator) => {
    const names = everything(emulator).flatMap((kinds) =>
      kinds["sp.campaigns"]!.map((campaign) => String(campaign.name))
    );
    ok(!names.some((name) => name.includes("\u001b")));
    for (const part of ["🎒", "抹茶", "Größe", "Sábanas"]) {
      ok(names.some((name) => name.includes(part)), `a name holds ${JSON.stringify(part)}`);
    }
  }));

Deno.test("one seed always gives the same account, another seed another one", async () => {
  const snapshots: unknown[] = [];
  for (const seed of ["demo", "demo", "other"]) {
    await withDemo((emulator) => snapshots.push(JSON.stringify(everything(emulator))), seed);
  }
  equal(snapshots[0], snapshots[1]);
  notDeepEqual(snapshots[0], snapshots[2]);
});

Deno.test("new ids never repeat those of the demo account", () => {
  const ids = new IdMaker(7);
  const numbers = [...Array(20_000).keys(), ...Array.from({ length: 20_000 }, (_, index) => 2 ** 40 + index)];
  equal(new Set(numbers.map((number) => ids.at(number))).size, numbers.length);
});

Deno.test("emulators of one process do not see each other's changes, nor do they after a reset", async () => {
  await using one = await Caller.start();
  await using two = await Caller.start();
  const keywords = (caller: Caller) =>
    caller.emulator.state.profile(caller.profile("US"))!.collection("sp.keywords");
  const before = keywords(two).all().slice();
  const { keywordId } = pick(one, "sp.keywords", ({ state }) => state === "ENABLED");
  const { success } = await write(one, ["PUT", "sp.keywords"], [{ keywordId, bid: 0.77 }]);
  equal(success.length, 1);
  equal(keywords(one).get(String(keywordId))!.bid, 0.77);
  deepEqual(keywords(two).all(), before);
  one.emulator.reset();
  deepEqual(keywords(one).all(), before);
});
