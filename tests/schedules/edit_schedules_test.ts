import fc from "fast-check";
import { deepEqual, equal, match, ok, throws } from "../support/assert.ts";
import {
  editGrid,
  gridOf,
  parseSchedules,
  putSchedules,
  weekOf,
} from "../../src/automation/schedules/mod.ts";

const factor = fc.constantFrom(0.5, 0.75, 1, 1.25, 2);

Deno.test("the grid of any week is that week again, in hours and in quarters", () => {
  for (const steps of [24, 96] as const) {
    const week = fc.array(fc.array(factor, { minLength: steps, maxLength: steps }), {
      minLength: 7,
      maxLength: 7,
    });
    fc.assert(
      fc.property(week, (factors) => {
        const grid = gridOf(factors);
        deepEqual(weekOf({ name: "a", move: "bid", grid }, { step: steps === 24 ? 60 : 15 }), factors);
      }),
      { numRuns: 60, seed: 3 },
    );
  }
  deepEqual(gridOf(Array.from({ length: 7 }, () => Array.from({ length: 24 }, () => 1))), [{ factor: 1 }]);
  throws(() => gridOf([[1]]), /expected seven days of 24 hours/);
});

Deno.test("editing a grid leaves the rest of the file as it was written, and refuses what would not be valid", () => {
  const text = `# ours
version: 1
schedules:
  nights:
    move: bid # not budgets
    grid:
      - { hours: "00-06", factor: 0.5 }
    min: 0.05
  days: { move: bid, grid: [{ factor: 1.2 }] }
`;
  const edited = editGrid(
    text,
    {
      name: "nights",
      grid: [{ days: ["sat"], hours: "01-02", factor: 0.7 }],
      comment: ["two lines", "of figures"],
    },
    "s.yaml",
  );
  match(edited, /^# ours\nversion: 1\n/);
  match(edited, /move: bid # not budgets\n/);
  match(edited, /# two lines\n +# of figures\n +- \{ days: \[ ?sat ?\], hours: 01-02, factor: 0\.7 \}\n/);
  const [nights, days] = parseSchedules(edited, "s.yaml").schedules;
  deepEqual([nights!.grid.length, nights!.min, days!.grid[0]!.factor], [1, 0.05, 1.2]);
  const inOneLine = editGrid(text, { name: "days", grid: [{ factor: 2 }], comment: ["seen"] }, "s.yaml");
  equal(parseSchedules(inOneLine, "s.yaml").schedules[1]!.grid[0]!.factor, 2);
  ok(inOneLine.includes("# seen"));
  throws(
    () => editGrid(text, { name: "noon", grid: [{ factor: 2 }] }, "s.yaml"),
    /s\.yaml: it has no schedule "noon"/,
  );
  throws(
    () => editGrid(text, { name: "days", grid: [{ factor: 2 }, { hours: "00-01", factor: 3 }] }, "s.yaml"),
    /each hour takes one factor/,
  );
});

Deno.test("proposed schedules take the place of those of their names, and leave the others and all comments alone", () => {
  const present = `# Mine.
version: 1
schedules:
  nights: # quiet
    move: bid
    grid: [{ hours: "00-06", factor: 0.5 }]
  days: { move: budget, grid: [{ factor: 1.2 }] } # busy
`;
  const proposed =
    "version: 1\nschedules:\n  nights:\n    move: bid\n    grid: # learned\n      - { factor: 0.7 }\n" +
    "  tops: { move: placement_top, grid: [{ factor: 2 }] }\n";
  const text = putSchedules(present, proposed, "s.yaml");
  const { schedules } = parseSchedules(text, "s.yaml");
  deepEqual(schedules.map(({ name, grid }) => [name, grid[0]!.factor]), [["nights", 0.7], ["days", 1.2], [
    "tops",
    2,
  ]]);
  for (const comment of ["# Mine.", "# busy", "# learned"]) ok(text.includes(comment), comment);
  equal(putSchedules(undefined, proposed, "s.yaml"), proposed);
  throws(
    () => putSchedules(present, "version: 1\nschedules: { a: { move: bids, grid: [] } }", "s.yaml"),
    /a\.move/,
  );
});
