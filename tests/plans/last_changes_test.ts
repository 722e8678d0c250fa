import { equal } from "../support/assert.ts";
import { type AmountChange, LastChanges } from "../../src/plans/model/amount_changes.ts";

const JUDGED = { start: "2026-09-10", end: "2026-10-09" };

function changed(day: string, before?: string | null, after?: string | null): AmountChange {
  const at = Date.parse(`${day}T12:00:00Z`);
  return {
    id: "9",
    part: "bid",
    at,
    ...before === undefined ? {} : { before },
    ...after === undefined ? {} : { after },
  };
}

for (
  const [what, changes, day] of [
    ["none", [], undefined],
    ["one before the days", [changed("2026-09-09", "1", "2")], undefined],
    ["one on the first of the days", [changed("2026-09-10", "1", "2")], "2026-09-10"],
    ["one on the last of the days", [changed("2026-10-09", "1", "2")], "2026-10-09"],
    ["one after the days", [changed("2026-10-10", "1", "2")], "2026-10-10"],
    ["one after the days that was taken back", [
      changed("2026-10-12", "2", "1.0"),
      changed("2026-10-10", "1", "2"),
    ], undefined],
    [
      "one that was taken back in part",
      [changed("2026-10-10", "1", "2"), changed("2026-10-12", "2", "1.5")],
      "2026-10-12",
    ],
    ["a state that was taken back", [
      changed("2026-10-10", "ENABLED", "PAUSED"),
      changed("2026-10-12", "paused", "enabled"),
    ], undefined],
    ["a bid that was given and taken away", [
      changed("2026-10-10", null, "2"),
      changed("2026-10-12", "2", null),
    ], undefined],
    ["one whose value before is not known", [
      changed("2026-10-10", undefined, "2"),
      changed("2026-10-12", "2", "1"),
    ], "2026-10-12"],
    [
      "two of which one lies within",
      [changed("2026-10-01", "2", "1"), changed("2026-10-12", "1", "2")],
      "2026-10-12",
    ],
  ] as const
) {
  Deno.test(`last change not in the judged days: ${what}`, () => {
    equal(new LastChanges(changes, "UTC").dayNotIn(JUDGED, "9", ["bid"]), day);
  });
}

Deno.test("changes of other parts and entities do not count", () => {
  const changes = [changed("2026-10-10", "1", "2")];
  equal(new LastChanges(changes, "UTC").dayNotIn(JUDGED, "9", ["budget"]), undefined);
  equal(new LastChanges(changes, "UTC").dayNotIn(JUDGED, "8", ["bid"]), undefined);
});
