import { deepEqual, ok } from "../support/assert.ts";
import { long } from "../support/long.ts";
import { DOORS_BY_USE, PLAIN_DOORS } from "./judge/doors.ts";
import { foundIn, SOURCE_HOLES } from "./judge/holes.ts";
import { type PlantedHole, playDay } from "./judge/play_day.ts";
import { publishedWrites } from "./judge/published_writes.ts";
import { amount, SEED, WHOLE_SUITE } from "./support/size.ts";

/** Plays until so many moves were made, and fails at the first that passes what it must not. */
async function play(wanted: number, doors: readonly string[]): Promise<void> {
  const writes = await publishedWrites();
  const changed: Record<string, number> = {};
  for (let day = 0, moves = 0; moves < wanted; day++) {
    const played = await playDay(SEED + day, writes, { doors, moves: Math.min(50, wanted) });
    moves += played.moves;
    deepEqual(played.violations, [], played.scene.join("\n"));
    for (const [door, count] of Object.entries(played.changed)) changed[door] = (changed[door] ?? 0) + count;
  }
  const all = Object.values(changed).reduce((sum, count) => sum + count, 0);
  ok(all > wanted / 20, `${all} moves changed the account: ${JSON.stringify(changed)}`);
}

/** Moves until a planted fault is found; `undefined` where 2,000 do not find it. */
async function movesUntilFound(hole: PlantedHole): Promise<number | undefined> {
  const writes = await publishedWrites();
  for (let day = 0, moves = 0; moves < 2000; day++) {
    const played = await playDay(SEED + day, writes, { hole, doors: PLAIN_DOORS });
    moves += played.moves;
    if (played.violations.length > 0) return moves;
  }
  return undefined;
}

Deno.test("no write, plan or plan file passes what the policy forbids, or changes what was not shown", () =>
  play(30, PLAIN_DOORS));

const TENFOLD: PlantedHole = {
  meddles: (body) =>
    body.replace(/"(bid|defaultBid)":(\d+(?:\.\d+)?)/g, (_, name, bid) => `"${name}":${bid * 10}`),
};

long();
Deno.test("a bid of ten times as much on its way is found", async () => {
  ok(await movesUntilFound(TENFOLD) !== undefined);
});

long();
Deno.test("no write by any way passes what the policy forbids, or changes what was not shown", () =>
  play(amount(400, 10_000), DOORS_BY_USE));

const FORGETFUL = [
  ...["maxBid", "maxBudget", "maxIncrease", "maxDecrease", "maxSpendIncrease", "maxArchives", "maxChanges"],
  ...["protectedIds", "protectedName", "allowedKinds"],
] as const;

long();
Deno.test("a policy that forgets one of its limits is found", async (test) => {
  for (const forgets of WHOLE_SUITE ? FORGETFUL : FORGETFUL.slice(2, 4)) {
    await test.step(forgets, async () => {
      const moves = await movesUntilFound({ forgets });
      ok(moves !== undefined, "not within 2,000 moves");
      console.log(`${forgets} is missed after ${moves} moves`);
    });
  }
});

// A copy of the project and up to 2,000 moves for each: `deno task reliability` does that.
if (WHOLE_SUITE) {
  long();
  Deno.test("each fault that once was in the code is found when it is planted again", async (test) => {
    for (const hole of SOURCE_HOLES) {
      await test.step(hole.name, async () => {
        const moves = await foundIn(hole, { seed: SEED, moves: 2000 });
        ok(moves !== undefined, "not within 2,000 moves");
        console.log(`${hole.name}: found after ${moves} moves`);
      });
    }
  });
}
