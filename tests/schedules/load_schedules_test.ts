import { deepEqual, equal, match, ok, rejects, throws } from "../support/assert.ts";
import { loadSchedules, parseSchedules } from "../../src/automation/schedules/mod.ts";

const GOOD = `version: 1
schedules:
  nights:
    select: { names: ["SP *"], products: [sp] }
    move: bid
    zone: America/New_York
    foreign_edits: adopt
    grid:
      - { days: [mon, tue], hours: "00-06,22-24", factor: 0.5 }
  weekend:
    move: budget
    grid:
      - { days: [sat, sun], factor: 1.2 }
`;

Deno.test("a file of schedules is read with what it leaves out", async () => {
  const path = await Deno.makeTempFile({ suffix: ".yaml" });
  await Deno.writeTextFile(path, GOOD);
  const { schedules, source } = await loadSchedules(path);
  equal(source, path);
  deepEqual(schedules.map(({ name, move, on, foreignEdits }) => [name, move, on, foreignEdits]), [
    ["nights", "bid", "worker", "adopt"],
    ["weekend", "budget", "worker", "keep"],
  ]);
  await Deno.remove(path);
  await rejects(() => loadSchedules(path), /there is no such file/);
});

function problems(text: string): string[] {
  try {
    parseSchedules(text, "s.yaml");
  } catch (error) {
    return (error as Error).message.split("\n").slice(1);
  }
  return [];
}

Deno.test("everything that is wrong is said at once, each with file and line", () => {
  const found = problems(`version: 1
schedules:
  nights:
    move: bits
    zone: America/Gotham
    grid:
      - { days: [mon, funday], hours: "25-26", factor: -1 }
  days:
    move: bid
    zonee: UTC
    grid: []
`);
  deepEqual(found.map((line) => line.slice(0, line.indexOf(" "))), [
    "s.yaml:4:",
    "s.yaml:5:",
    "s.yaml:7:",
    "s.yaml:7:",
    "s.yaml:7:",
    "s.yaml:11:",
    "s.yaml:10:",
  ]);
  match(found.join("\n"), /Unknown key zonee in schedules\.days\. Did you mean "zone"\?/);
});

Deno.test("what has the right shape and no meaning is refused with its line", () => {
  const schedule = (text: string): string =>
    problems(`version: 1\nschedules:\n  s:\n${text.split("\n").map((line) => `    ${line}`).join("\n")}\n`)
      .join("\n");
  match(
    schedule("move: bid\nzone: America/Gotham\ngrid: [{ factor: 2 }]"),
    /s\.yaml:5: .*There is no time zone "America\/Gotham"/,
  );
  match(
    schedule(
      "move: bid\ngrid:\n  - { hours: '00-06', factor: 2 }\n  - { days: [mon], hours: '05-07', factor: 3 }",
    ),
    /s\.yaml:7: .*also in cell 1;/,
  );
  match(schedule("move: bid\ngrid: [{ factor: 0 }]"), /To pause at these hours write move: state/);
  match(schedule("move: state\ngrid: [{ factor: 0.5 }]"), /1 \(enabled\) or 0 \(paused\)/);
  match(
    schedule("move: placement_top\nselect: { products: [sb] }\ngrid: [{ factor: 2 }]"),
    /Only Sponsored Products/,
  );
  match(
    schedule("move: budget\non: platform\ngrid: [{ factor: 2 }]"),
    /platform rules change bids, not budget\. Write on: worker/,
  );
  match(
    schedule("move: bid\non: platform\nexpires: 1d\ngrid: [{ hours: '00-06', factor: 2 }]"),
    /s\.yaml:6: .*use expires only with on: worker/,
  );
  match(
    schedule("move: bid\nexpires: soon\ngrid: [{ factor: 2 }]"),
    /Expected hours or days such as 12h or 2d/,
  );
  match(schedule("move: bid\nmin: 2\nmax: 1\ngrid: [{ factor: 2 }]"), /It is below min, 2/);
  match(
    schedule("move: bid\nselect: { when: 'bugdet < 2.0' }\ngrid: [{ factor: 2 }]"),
    /s\.yaml:5: .*bugdet/,
  );
  match(
    schedule("move: bid\ngrid: [{ hours: '22-06', factor: 2 }]"),
    /Write 22-24 and, for the next day, 00-06/,
  );
  match(schedule("move: bid\ngrid: [{ hours: '06:10-07', factor: 2 }]"), /the finest step is 15 minutes/);
  match(
    schedule("move: bid\nselect: { ids: [9223406226462071360] }\ngrid: [{ factor: 2 }]"),
    /Write this id in quotes/,
  );
  throws(() => parseSchedules("", "s.yaml"), /empty/);
});

Deno.test("a wrong name hides nothing else of its schedule, and conditions read the campaign and no figures", () => {
  const found = problems(`version: 1
schedules:
  "two words":
    move: bits
    grid: [{ factor: 0.5 }]
  days:
    select: { when: "clicks30d > 5" }
    move: bid
    grid: [{ factor: 0.5 }]
  nights:
    select: { when: "campaign.budget < 50.0" }
    move: bid
    grid: [{ factor: 0.5 }]
`);
  deepEqual(found.map((line) => line.replace(/^(\S+ \S+).*(Expected|not figures).*$/, "$1 $2")), [
    "s.yaml:4: schedules.two Expected",
    "s.yaml:7: schedules.days.select.when: not figures",
    "s.yaml:3: schedules.two Expected",
  ]);
});

const FAULTS = `version: 1
schedules:
  nights:
    select: { labels: [prime, "event:prime"] }
    move: bids
    from: 2026-07-20
    to: 2026-07-10
    min: 3
    max: 2
    grid:
      - { hours: "00-06", factor: high }
      - { hours: "05-07", factor: 0.5 }
      - { hours: "6-5", factor: 1 }
  top:
    move: placement_top
    max: 1000
    min: 901
    grid: [{ factor: 2 }]
    events: [{ from: 2026-07-02, to: 2026-07-01, factor: 99 }]
`;

Deno.test("an order fault is said beside a type fault of the same schedule, a label needs a colon, and a placement ends at 900", () => {
  deepEqual(problems(FAULTS), [
    "s.yaml:4: schedules.nights.select.labels.0: Expected a label as key:value",
    "s.yaml:5: schedules.nights.move: Expected bid, budget, placement_top, placement_product, placement_rest or state",
    "s.yaml:11: schedules.nights.grid.0.factor: Expected a number",
    "s.yaml:13: schedules.nights.grid.2.hours: Cannot use the hours 6-5: they end before they begin. Write 22-24 and, for the next day, 00-06",
    "s.yaml:19: schedules.top.events.0.factor: Expected a factor of 10 at most",
    "s.yaml:12: schedules.nights.grid.1: Some of these hours are also in cell 1; each hour takes one factor",
    "s.yaml:9: schedules.nights.max: It is below min, 3",
    "s.yaml:7: schedules.nights.to: The schedule ends before it begins",
    "s.yaml:17: schedules.top.min: The platform takes 900 percent at most for a placement",
    "s.yaml:16: schedules.top.max: The platform takes 900 percent at most for a placement",
    "s.yaml:19: schedules.top.events.0.to: The event ends before it begins",
  ]);
});

Deno.test("an error of the syntax hides no fault of the other schedules, and what it may have changed is not judged", () => {
  const found = problems(`${FAULTS}  twice:
    move: bid
    move: budget
    grid: []
  last: { move: bid, grid: [{ factor: 2 }
`);
  match(found[0]!, /^s\.yaml:22: Map keys must be unique/);
  ok(found.some((line) => line.startsWith("s.yaml:7: schedules.nights.to:")), found.join("\n"));
  ok(found.some((line) => line.startsWith("s.yaml:4: schedules.nights.select.labels.0:")));
  ok(!found.some((line) => line.includes("schedules.last") || line.includes("schedules.twice")));
});
