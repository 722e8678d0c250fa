import assert from "node:assert/strict";
import { type Stage, tellStory } from "../../src/interfaces/cli/commands/emulator/story.ts";
import { ADSCTL, inPipe } from "./support/process.ts";
import { long } from "../support/long.ts";

long();
Deno.test("adsctl demo tells the whole story, every step as it says", async () => {
  const { code, stdout, stderr } = await inPipe([...ADSCTL, "demo"]);
  assert.equal(code, 0, stderr);
  for (
    const line of [
      "$ adsctl auth profiles --demo",
      "$ cat bids.csv",
      "BID_OUT_OF_MARKET_PLACE_RANGE",
      "3 succeeded, 1 failed",
    ]
  ) {
    assert.ok(stdout.includes(line), line);
  }
  assert.match(stdout, /# Every step did what it says.*\n$/);
});

/** Plays the commands without doing anything: keywords stay as they are, and commands end as the story wants. */
function stage(overrides: Partial<Stage>): Stage {
  const keywords = Array.from(
    { length: 4 },
    (_, at) => ({ keywordId: `${at}`, campaignId: "1", bid: 1, state: "ENABLED" }),
  );
  let applied = 0;
  return {
    say: () => {},
    write: () => Promise.resolve(),
    read: () => Promise.resolve(JSON.stringify(keywords)),
    show: (line) => Promise.resolve(line.includes("apply raise.json") ? (applied++ === 0 ? 3 : 4) : 0),
    ...overrides,
  };
}

Deno.test("the story fails when a command does not end as it should, or changes nothing", async () => {
  await assert.rejects(tellStory(stage({})), /Two bids are raised.*that is not so/);
  await assert.rejects(tellStory(stage({ show: () => Promise.resolve(1) })), /ended with 1 and not with 0/);
  await assert.rejects(
    tellStory(stage({ read: () => Promise.resolve("[]") })),
    /no campaign with four keywords/,
  );
});
