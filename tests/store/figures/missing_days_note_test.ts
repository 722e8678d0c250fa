import assert from "node:assert/strict";
import { missingDaysNote } from "../../../src/store/figures/missing_days_note.ts";
import type { Coverage } from "../../../src/store/model/coverage.ts";

const CANADA = { countryCode: "CA", profileId: "11" };
const MEXICO = { countryCode: "MX", profileId: "22" };

function line(
  { of = CANADA, ...rest }:
    & { of?: typeof CANADA }
    & Pick<Coverage, "report" | "firstDay" | "lastDay">
    & Partial<Coverage>,
): Coverage {
  const none = {
    days: 1,
    rows: 1,
    lastPull: "",
    fromReporting1: 0,
    gaps: [],
    available: [],
    lost: [],
    fetchBy: null,
  };
  return { ...none, ...of, ...rest };
}

const STORED: Coverage[] = [
  line({ report: "sp_targeting", firstDay: "2026-08-01", lastDay: "2026-10-31" }),
  line({
    report: "sb_targeting",
    firstDay: "2026-09-30",
    lastDay: "2026-10-31",
    gaps: [{ start: "2026-10-05", end: "2026-10-06" }],
  }),
  line({ of: MEXICO, report: "sp_targeting", firstDay: "2026-10-01", lastDay: "2026-10-31" }),
];

async function noteOf(sql: string, params: readonly unknown[] = []): Promise<string> {
  return (await missingDaysNote({ sql, params }, { coverage: () => Promise.resolve(STORED) })).join("\n");
}

Deno.test("a sum over several products says which of them lack days", async () => {
  const note = await noteOf(
    "SELECT month, sum(cost) FROM performance WHERE date BETWEEN '2026-09-01' AND '2026-10-31' AND country_code = 'CA'",
  );
  assert.equal(
    note,
    "Days that are not stored, so sums lack them: sb_targeting of CA has 30 of 61 days, without " +
      "2026-09-01 to 2026-09-29, 2026-10-05 to 2026-10-06",
  );
});

Deno.test("days come from placeholders too, and an open end reaches the last stored day", async () => {
  assert.equal(
    await noteOf("SELECT * FROM sb_targeting WHERE date >= ?", ["2026-10-04"]),
    "Days that are not stored, so sums lack them: sb_targeting of CA has 26 of 28 days, without " +
      "2026-10-05 to 2026-10-06",
  );
  assert.match(
    await noteOf("SELECT * FROM sp_targeting WHERE date = '2026-07-15' AND profile_id = '11'"),
    /0 of 1 days/,
  );
});

Deno.test("without days the reports of a profile are compared with each other, not with another profile", async () => {
  const note = await noteOf("SELECT sum(cost) FROM performance");
  assert.match(note, /sb_targeting of CA has 30 of 92 days/);
  assert.doesNotMatch(note, /MX/);
});

Deno.test("a report that was asked for by name and never stored is named; complete days need no note", async () => {
  assert.match(await noteOf("SELECT * FROM sd_targeting"), /Nothing of sd_targeting was ever stored/);
  assert.equal(await noteOf("SELECT * FROM sp_targeting WHERE date = '2026-10-15'"), "");
  assert.equal(await noteOf("SELECT 1"), "");
  assert.equal(
    await noteOf("SELECT * FROM sp_targeting WHERE date <= '9999-12-31' AND profile_id = '11'"),
    "",
  );
  assert.equal(
    await noteOf("SELECT * FROM sp_targeting WHERE date > '0001-01-01' AND profile_id = '11'"),
    "",
  );
  assert.equal(
    await noteOf("SELECT * FROM sp_targeting WHERE date = '2026-99-99' AND profile_id = '11'"),
    "",
  );
});
