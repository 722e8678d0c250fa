import { PlatformAds } from "../../mod.ts";
import { Emulator } from "../../src/emulator/mod.ts";
import { accountImage, differences } from "../../src/interfaces/arena/account/account_image.ts";
import { PolicyDocument } from "../../src/plans/policy/policy_document.ts";
import { deepEqual, ok } from "../support/assert.ts";
import { long } from "../support/long.ts";
import { hasPostgres, makeStore, testServer } from "../support/postgres.ts";
import { SeededRandom } from "../support/seeded_random.ts";
import { DOORS_BY_USE, PLAIN_DOORS } from "./judge/doors.ts";
import { drawnAccount, drawnMarkets } from "./judge/drawn_account.ts";
import { policyText } from "./judge/drawn_policy.ts";
import type { Limits } from "./judge/forbidden.ts";
import { foundIn, SOURCE_HOLES } from "./judge/holes.ts";
import { type PlantedHole, playDay } from "./judge/play_day.ts";
import { publishedWrites } from "./judge/published_writes.ts";
import { amount, SEED, WHOLE_SUITE } from "./support/size.ts";

/** Plays until so many moves were made, and fails at the first that passes what it must not. */
async function play(wanted: number, doors: readonly string[], queue?: string): Promise<void> {
  const writes = await publishedWrites();
  const changed: Record<string, number> = {};
  for (let day = 0, moves = 0; moves < wanted; day++) {
    const played = await playDay(SEED + day, writes, { doors, queue, moves: Math.min(50, wanted / 3) });
    moves += played.moves;
    deepEqual(played.violations, [], played.scene.join("\n"));
    for (const [door, count] of Object.entries(played.changed)) changed[door] = (changed[door] ?? 0) + count;
  }
  const all = Object.values(changed).reduce((sum, count) => sum + count, 0);
  ok(all > wanted / 20, `${all} moves changed the account: ${JSON.stringify(changed)}`);
}

/** The moves until a planted fault is found, and the violation; fails where 2,000 do not find it. */
async function found(
  hole: PlantedHole,
  doors: readonly string[] = DOORS_BY_USE,
): Promise<{ moves: number; by: string }> {
  const writes = await publishedWrites();
  for (let day = 0, moves = 0; moves < 2000; day++) {
    const played = await playDay(SEED + day, writes, { hole, doors });
    moves += played.moves;
    if (played.violations.length > 0) return { moves, by: played.violations[0]! };
  }
  throw new Error("It was not found within 2,000 moves");
}

Deno.test("no write, plan or plan file passes what the policy forbids, or changes what was not shown", () =>
  play(30, PLAIN_DOORS));

/** Limits of a policy file that can be forgotten, with a value for each. */
const FORGETTABLE: Limits = {
  maxBid: [1, 1],
  maxEffectiveBid: [1, 1],
  maxBudget: [1, 1],
  maxIncrease: 0.1,
  maxDecrease: 0.1,
  maxPlacement: 0.1,
  maxSpendIncrease: [1, 1],
  maxArchives: 1,
  maxChanges: 1,
  cooling: 1,
  protectedIds: ["1"],
  protectedName: "Brand",
  protectedKinds: ["portfolios"],
  protectedLabel: ["1"],
  allowedKinds: ["portfolios"],
  maxFactor: 1,
  scheduleHours: "closed",
  hours: "closed",
  freeze: "closed",
  ruled: "creates",
};

Deno.test("the drawn policies have every key of a policy file that may hold a write back", () => {
  const random = new SeededRandom(1);
  const text = policyText(FORGETTABLE, { random, markets: drawnMarkets(random) });
  const drawn = text.split("\n").map((line) => line.split(":")[0]);
  const lifts = ["allow_operations", "allow_auto", "exceptions"];
  const others = ["approval", "labels_file", "levels", "tests"];
  deepEqual([...drawn, ...lifts, ...others].sort(), Object.keys(PolicyDocument.shape).sort());
});

Deno.test("labels that the unified wire keeps beside a target are part of that target", async () => {
  const random = new SeededRandom(1);
  const markets = drawnMarkets(random);
  const emulator = await Emulator.start({ listen: false, account: drawnAccount(random, markets) });
  const ads = new PlatformAds(emulator.credentials, {
    platform: emulator.platform,
    fetch: (input, init) => emulator.fetch(input, init),
  });
  const us = await ads.profile(markets[0].country);
  const before = accountImage(emulator);
  const key = [...before.keys()].find((one) => one.startsWith(`${us.profileId} sp.keywords `))!;
  const target = { targetId: key.split(" ")[2], tags: [{ key: "season", value: "summer" }] };
  await us.call("v1-sp-targets:SPUpdateTarget" as string, { targets: [target] } as never, { check: "off" });
  const found = differences(before, accountImage(emulator)).map((one) => [one.key, one.path]);
  deepEqual(found, [[key, "tags"]]);
  await emulator.stop();
});

Deno.test("a value that is sent and was not shown is found, where every limit allows it", async () => {
  const meddles = (body: string) =>
    body.replace(/"bid":(\d+(?:\.\d+)?)/g, (_, bid) => `"bid":${Math.round(bid * 70) / 100}`);
  const { by } = await found({ meddles }, ["planUpdate"]);
  ok(/was not shown$/.test(by), by);
});

long();
Deno.test("a bid of ten times as much on its way is found", async () => {
  const meddles = (body: string) =>
    body.replace(/"(bid|defaultBid)":(\d+(?:\.\d+)?)/g, (_, name, bid) => `"${name}":${bid * 10}`);
  await found({ meddles }, PLAIN_DOORS);
});

long();
Deno.test("no write by any way passes what the policy forbids, or changes what was not shown", async () => {
  const server = hasPostgres ? await testServer() : undefined;
  try {
    await play(amount(200, 10_000), DOORS_BY_USE, server && await makeStore(server));
  } finally {
    await server?.stop();
  }
});

const FORGOTTEN = Object.keys(FORGETTABLE) as (keyof Limits)[];

long();
Deno.test("a policy that forgets one of its limits is found", async (test) => {
  for (const forgets of WHOLE_SUITE ? FORGOTTEN : ["maxBudget", "maxIncrease", "hours"] as const) {
    await test.step(forgets, async () => {
      const { moves, by } = await found({ forgets });
      console.log(`${forgets} is missed after ${moves} moves: ${by}`);
    });
  }
});

// A copy of the project and up to 2,000 moves for each: `deno task reliability` does that.
if (WHOLE_SUITE) {
  long();
  Deno.test("each fault that once was in the code is found when it is planted again", async (test) => {
    const server = hasPostgres ? await testServer() : undefined;
    for (const hole of SOURCE_HOLES) {
      await test.step(hole.name, async () => {
        const queue = server && await makeStore(server);
        const found = await foundIn(hole, { seed: SEED, moves: 2000, queue });
        ok(found !== undefined, "not within 2,000 moves");
        console.log(`${hole.name}: found after ${found.moves} moves: ${found.by}`);
      });
    }
    await server?.stop();
  });
}
