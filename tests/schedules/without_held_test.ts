import { deepEqual, match } from "../support/assert.ts";
import type { ProfileClient } from "../../src/client/profile_client.ts";
import type { HeldElsewhere } from "../../src/plans/model/experiment.ts";
import { withoutHeld } from "../../src/automation/schedules/without_held.ts";
import type { Movable } from "../../src/automation/schedules/scheduled_entities.ts";

const holder = { planId: "p1", until: "2026-10-28" };

function profile(held: HeldElsewhere): ProfileClient {
  return { profileId: "9", heldElsewhere: () => Promise.resolve(held) } as unknown as ProfileClient;
}

function keyword(id: string, campaignId: string, schedule: string): Movable {
  const schedules = [{ name: schedule, move: "bid" as const, grid: [] }];
  return {
    kind: "sp.keywords",
    id,
    move: "bid",
    label: id,
    live: 1,
    fields: { campaignId, adGroupId: `g${campaignId}` },
    schedules,
  };
}

const MOVABLES = [
  keyword("1", "a", "nights"),
  keyword("2", "a", "nights"),
  keyword("3", "b", "rules"),
  keyword("4", "b", "rules"),
];

async function left(held: HeldElsewhere, bases: readonly string[] = []): Promise<string[]> {
  const state = {
    bases: () => Promise.resolve(bases.map((id) => ({ kind: "sp.keywords", id, move: "bid" }))) as never,
  };
  const { movables, kept } = await withoutHeld(profile(held), MOVABLES, { state, onPlatform: ["rules"] });
  deepEqual(movables.length + kept.length, MOVABLES.length);
  for (const { why } of kept) {
    match(why, /^plan p1 holds it back for comparison until 2026-10-28$/);
  }
  return kept.map(({ id }) => id);
}

Deno.test("what an experiment holds back by its id, ad group, campaign or profile is left alone", async () => {
  deepEqual(await left(new Map()), []);
  deepEqual(await left(new Map([["1", holder]])), ["1"]);
  deepEqual(await left(new Map([["ga", holder]])), ["1", "2"]);
  deepEqual(await left(new Map([["a", holder]])), ["1", "2"]);
  deepEqual(await left(new Map([["9", holder]])), ["1", "2", "3", "4"]);
  deepEqual(await left(new Map([["8", holder]])), []);
});

Deno.test("one held-back keyword keeps rules of the platform out of its campaign, and what was moved before goes on", async () => {
  deepEqual(await left(new Map([["3", holder]])), ["3", "4"]);
  deepEqual(await left(new Map([["1", holder], ["2", holder]]), ["2"]), ["1"]);
  deepEqual(await left(new Map([["3", holder]]), ["3", "4"]), []);
});
