import assert from "node:assert/strict";
import { type WorkPart, WorkTally } from "../../../src/interfaces/cli/shell/context/work_tally.ts";

const US = { profileId: "71", countryCode: "US" };
const CA = { profileId: "81", countryCode: "CA" };

function reports(parts: readonly (readonly [string, WorkPart, number])[]): WorkTally {
  const tally = new WorkTally({ noun: "report", yields: "row" }, 0);
  for (const [key, part, at] of parts) tally.part(key, part, at);
  return tally;
}

Deno.test("work shows its total, time, rate and time left, then the parts under way with the slowest first", () => {
  const running = { state: "running", step: "processing" } as const;
  const tally = reports([
    ["a", { name: "targeting 2026-09", profile: US, state: "waiting" }, 0],
    ["b", { name: "targeting 2026-08", profile: US, state: "done", amount: 1200 }, 9000],
    ["c", { name: "placement 2026-09", profile: CA, ...running, seconds: 30 }, 40_000],
    ["d", { name: "placement 2026-08", profile: US, ...running, amount: 34 }, 20_000],
  ]);
  assert.deepEqual(tally.lines(80_000), [
    "█████░░░░░░░░░░░░░░░ 1/4 reports, 1 min 20 s, 45 an hour, about 4 min 0 s left",
    "  2 under way, 1,234 rows, slowest first:",
    "  CA placement 2026-09, processing, 1 min 10 s",
    "  US placement 2026-08, processing, 1 min 0 s",
  ]);
  assert.equal(
    tally.summary(80_000),
    "1 of 4 reports, 1 min 20 s, 45 an hour, about 4 min 0 s left, 2 under way, 1,234 rows; " +
      "slowest: CA placement 2026-09, processing, 1 min 10 s",
  );
});

Deno.test("five parts under way have a line, the rest is counted, and the first line fits 80 columns", () => {
  const tally = new WorkTally({ noun: "report", yields: "row", total: 160 }, 0);
  for (let at = 0; at < 121; at++) tally.part(`d${at}`, { name: "x", state: "done", amount: 1000 }, 60_000);
  for (let at = 0; at < 8; at++) tally.part(`r${at}`, { name: `r${at}`, state: "running" }, 70_000 + at);
  const lines = tally.lines(80_000);
  assert.equal(
    lines[0],
    "███████████████░░░░░ 121/160 reports, 1 min 20 s, 2 a second, about 26 s left",
  );
  assert.equal(lines.length, 2 + 5 + 1);
  assert.equal(lines.at(-1), "  and 3 more");
  assert.ok(lines.every((line) => line.length < 80));
});

Deno.test("at the end each profile has a line with its slowest part, unless all took under a second", () => {
  const parts = [
    ["a", { name: "targeting", profile: US, state: "running" }, 0],
    ["b", { name: "placement", profile: US, state: "running" }, 100],
    ["c", { name: "targeting", profile: CA, state: "failed", seconds: 3 }, 500],
  ] as const;
  const ended = [
    ["b", { name: "placement", profile: US, state: "done", amount: 5 }, 900],
    ["a", { name: "targeting", profile: US, state: "done", amount: 1200 }, 12_000],
  ] as const;
  assert.deepEqual(reports([...parts, ...ended]).results(12_500), [
    "US: 2 reports, 1,205 rows in 12 s; slowest: targeting, 12 s",
    "CA: 0 reports, 0 rows, 1 not done in 1 s",
  ]);
  assert.deepEqual(reports(parts).results(999), []);
});

Deno.test("profiles of one country are told apart by their ids", () => {
  const tally = reports([
    ["a", { name: "targeting", profile: US, state: "running" }, 0],
    ["b", { name: "targeting", profile: { ...US, profileId: "72" }, state: "running" }, 0],
  ]);
  assert.deepEqual(tally.lines(0).slice(-2), ["  US 71 targeting, 0 s", "  US 72 targeting, 0 s"]);
});

Deno.test("a part that is alone is one line", () => {
  const tally = reports([["a", { name: "targeting", profile: US, state: "running", amount: 7 }, 0]]);
  assert.deepEqual(tally.lines(4000), ["US targeting, 4 s, 7 rows"]);
});

Deno.test("work without parts shows what is done, of how many where that is known, and what it is at", () => {
  const tally = new WorkTally({ noun: "entity" }, 0);
  tally.count({ done: 1500 });
  assert.deepEqual(tally.lines(3000), ["1,500 entities, 3 s, 500 a second"]);
  const files = new WorkTally({ noun: "file" }, 0);
  files.count({ done: 3, total: 12, name: "days" });
  assert.deepEqual(files.lines(60_000), [
    "█████░░░░░░░░░░░░░░░ 3/12 files, 1 min 0 s, 3 a minute, about 3 min 0 s left",
    "  days",
  ]);
});
