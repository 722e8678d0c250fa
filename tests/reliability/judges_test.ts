import { deepEqual, ok } from "../support/assert.ts";
import { publishedWrites } from "./judge/published_writes.ts";
import { type PlantedHole, playDay } from "./judge/play_day.ts";
import { amount, SEED, WHOLE_SUITE } from "./support/size.ts";

Deno.test("no write by any way passes what the policy forbids, or changes what was not shown", async () => {
  const writes = await publishedWrites();
  const wanted = amount(150, 10_000);
  const changed: Record<string, number> = {};
  for (let day = 0, moves = 0; moves < wanted; day++) {
    const played = await playDay(SEED + day, writes);
    moves += played.moves;
    deepEqual(played.violations, [], played.scene.join("\n"));
    for (const [door, count] of Object.entries(played.changed)) changed[door] = (changed[door] ?? 0) + count;
  }
  const all = Object.values(changed).reduce((sum, count) => sum + count, 0);
  ok(all > wanted / 20, `${all} moves changed the account: ${JSON.stringify(changed)}`);
});

const HOLES: Readonly<Record<string, PlantedHole>> = {
  "a bid of ten times as much on its way": {
    meddles: (body) =>
      body.replace(/"(bid|defaultBid)":(\d+(?:\.\d+)?)/g, (_, name, bid) => `"${name}":${bid * 10}`),
  },
  "a policy that forgets max_increase": { forgets: "maxIncrease" },
  ...(WHOLE_SUITE
    ? {
      "a policy that forgets max_bid": { forgets: "maxBid" },
      "a policy that forgets max_budget": { forgets: "maxBudget" },
      "a policy that forgets max_decrease": { forgets: "maxDecrease" },
      "a policy that forgets max_spend_increase_per_day": { forgets: "maxSpendIncrease" },
      "a policy that forgets max_archives": { forgets: "maxArchives" },
      "a policy that forgets max_changes": { forgets: "maxChanges" },
      "a policy that forgets protected ids": { forgets: "protectedIds" },
      "a policy that forgets protected names": { forgets: "protectedName" },
      "a policy that forgets allow_kinds": { forgets: "allowedKinds" },
    } as const
    : {}),
};

Deno.test("planted holes are found", async (test) => {
  const writes = await publishedWrites();
  for (const [name, hole] of Object.entries(HOLES)) {
    await test.step(name, async () => {
      let found = false;
      let moves = 0;
      for (let day = 0; !found && moves < 2000; day++) {
        const played = await playDay(SEED + day, writes, hole);
        moves += played.moves;
        found = played.violations.length > 0;
      }
      ok(found, `not within ${moves} moves`);
    });
  }
});
