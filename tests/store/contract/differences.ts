import assert from "node:assert/strict";
import { eachDay } from "../../../src/base/time/calendar.ts";
import type { ReportRow } from "../../../src/client/reports/file/report_row.ts";
import { DayTally, encodeRows } from "../../../src/store/model/encode_rows.ts";
import { type ReportLayout, reportLayout } from "../../../src/store/model/report_layout.ts";
import type { StoreDriver } from "../../../src/store/model/store_driver.ts";
import { Warehouse } from "../../../src/store/warehouse/warehouse.ts";
import { SeededRandom } from "../../support/seeded_random.ts";
import { type AddTest, days, plain, T0, US } from "./ground.ts";

const HOUR = 3600_000;
const MANY = { maxRows: Infinity };
const LAYOUT = reportLayout("sp_placement");
/** The same report before it had one of its columns: what comes for it is kept in `extra`. */
const NARROW: ReportLayout = {
  ...LAYOUT,
  columns: LAYOUT.columns.filter(({ name }) => name !== "campaignStatus"),
};
const TEXTS: readonly (string | number | null)[] = ["007", "b", null];
const NUMBERS: readonly (string | number | null)[] = [0, 1, 2.5, null];
const SHOWN = [
  "date",
  "campaignId",
  "placementClassification",
  "campaignName",
  "campaignStatus",
  "cost",
  "clicks",
  "extra",
];

/** Versions of rows that are still there are kept as what differs from them now. */
export function differences(it: AddTest): void {
  it(
    "any moment shows what was pulled last before it: cells that empty and fill, rows that go and come, equal keys, a new column, versions deleted",
    async ({ driver }) => {
      const random = new SeededRandom(20);
      let now = T0;
      const store = new Warehouse(driver, { now: () => now });
      const allDays = [...eachDay({ start: "2026-08-31", end: "2026-09-02" })];
      let state = new Map<string, ReportRow[]>();
      let known: { at: number; state: Map<string, ReportRow[]> }[] = [];
      const changed = (row: ReportRow): ReportRow => {
        const column = random.pick(["campaignName", "campaignStatus", "cost", "clicks"]);
        const values = column.startsWith("campaign") ? TEXTS : NUMBERS;
        return { ...row, [column]: random.pick(values) };
      };
      const added = (date: string): ReportRow => ({
        date,
        campaignId: random.pick(["1", "2", "3"]),
        placementClassification: random.pick(["x", "y"]),
        campaignName: "a",
        campaignStatus: null,
        cost: 1,
        clicks: null,
      });
      for (let pull = 0; pull < 60; pull++) {
        now += random.pick([1, 1000, HOUR, 24 * HOUR]);
        const range = allDays.slice(random.integer(0, 1), random.integer(2, 3));
        const rows = range.flatMap((date) => [
          ...(state.get(date) ?? []).filter(() => random.next() > 0.1)
            .map((row) => random.next() < 0.5 ? changed(row) : row),
          ...Array.from({ length: random.integer(0, 2) }, () => added(date)),
        ]);
        await replace(driver, pull < 15 ? NARROW : LAYOUT, { range, rows, now });
        state = new Map([
          ...state,
          ...range.map((date) => [date, rows.filter((row) => row.date === date)] as const),
        ]);
        known.push({ at: now, state });
        if (pull % 20 === 19) {
          const before = known[known.length - 8]!.at;
          await store.pruneHistory(new Date(before).toISOString());
          known = known.filter(({ at }) => at >= before);
        }
        if (pull % 6 !== 5) continue;
        for (const { at, state } of known.filter(() => random.next() < 0.4)) {
          const expected = [...state.values()].flat();
          await assertKnown(store, { at, pulls: known, expected });
        }
      }
    },
    "dear",
  );

  it("a version keeps the types of its columns, and compares as they do", async ({ driver }) => {
    let now = T0;
    const store = new Warehouse(driver, { now: () => now });
    const pull = async (fields: ReportRow): Promise<void> => {
      const row = { date: "2026-09-01", campaignId: "12", placementClassification: "x", ...fields };
      await store.replace({ ...US, report: "sp_placement", ...days("2026-09-01") }, [row]);
      now += HOUR;
    };
    await pull({ campaignName: "007", cost: 3, clicks: 3, sales14d: 2 });
    await pull({ campaignName: "7", cost: 1, clicks: 1, sales14d: 2 });
    await pull({ campaignName: "8", cost: 1, clicks: 2, sales14d: 1.5 });
    const sql = `SELECT "campaignName" AS name, cost / 2 AS half, clicks / 2 AS whole, "sales14d" / 4 AS part
      FROM sp_placement WHERE "campaignName" = '007' AND "campaignId" = '12' AND cost > '2'`;
    const { rows } = await store.query(sql, [], { asOf: new Date(T0).toISOString() });
    assert.deepEqual(plain(rows), [{ name: "007", half: 1.5, whole: 1, part: 0.5 }]);
    const versions = await store.query(
      'SELECT "campaignName" AS name, cost / 2 AS half FROM sp_placement_history ORDER BY known_from',
    );
    assert.deepEqual(plain(versions.rows), [{ name: "007", half: 1.5 }, { name: "7", half: 0.5 }, {
      name: "8",
      half: 0.5,
    }]);
  });

  it("of equal rows some change, some vanish and some come, and each moment has as many as were known", async ({ driver }) => {
    let now = T0;
    const store = new Warehouse(driver, { now: () => now });
    const pulls = [[1, 1, 1], [2, 1], [2, 1, 1, 1], [1, 2, 2], [1, 5, 6], [], [2, 2]];
    for (const costs of pulls) {
      now += HOUR;
      const rows = costs.map((cost) => ({ date: "2026-09-01", campaignId: "1", cost }));
      await store.replace({ ...US, report: "sp_placement", ...days("2026-09-01") }, rows);
    }
    for (const [index, costs] of pulls.entries()) {
      const asOf = new Date(T0 + (index + 1) * HOUR).toISOString();
      const { rows } = await store.query("SELECT cost FROM sp_placement ORDER BY cost", [], { asOf });
      assert.deepEqual(rows.map(({ cost }) => cost), costs.toSorted(), asOf);
    }
  });

  it("of rows that share a key the one that changed is changed, whichever it is", async ({ driver }) => {
    let now = T0;
    const store = new Warehouse(driver, { now: () => now });
    for (const costs of [[1, 2], [1, 3], [4, 3]]) {
      now += HOUR;
      const rows = costs.map((cost) => ({ date: "2026-09-01", campaignId: "1", cost }));
      await store.replace({ ...US, report: "sp_placement", ...days("2026-09-01") }, rows);
    }
    const costs = async (table: string): Promise<unknown> =>
      (await store.query(`SELECT cost FROM ${table} ORDER BY cost`)).rows.map(({ cost }) => cost);
    assert.deepEqual(await costs("sp_placement"), [3, 4]);
    assert.deepEqual(await costs("report_sp_placement_changes"), [1, 2]);
    assert.deepEqual(await costs("report_sp_placement_history"), []);
  });

  it("rows of one key on different days are compared apart", async ({ driver }) => {
    let now = T0;
    const store = new Warehouse(driver, { now: () => now });
    const pull = async (
      range: { start: string; end: string },
      ...rows: [date: string, cost: number][]
    ): Promise<void> => {
      now += HOUR;
      const found = rows.map(([date, cost]) => ({ date, campaignId: "1", cost }));
      await store.replace({ ...US, report: "sp_placement", ...range }, found);
    };
    const [first, second] = ["2026-09-01", "2026-09-02"];
    await pull(days(first), [first, 1]);
    await pull(days(second), [second, 1]);
    await pull(days(first, second), [first, 2]);
    const { rows } = await store.query("SELECT date, cost FROM sp_placement");
    assert.deepEqual(plain(rows), [{ date: first, cost: 2 }]);
  });

  it("a row that stays keeps only what differs, and a row that vanishes leaves its versions whole", async ({ driver }) => {
    let now = T0;
    const store = new Warehouse(driver, { now: () => now });
    const what = { ...US, report: "sp_placement", ...days("2026-09-01") };
    const row = (cost: number, campaignId = "1"): ReportRow => ({
      date: "2026-09-01",
      campaignId,
      placementClassification: "x",
      campaignName: "n",
      cost,
      clicks: 1,
    });
    const rows = async (sql: string): Promise<unknown> => plain((await store.query(sql)).rows);
    const changes =
      `SELECT cost, clicks, "campaignName" AS name, emptied FROM report_sp_placement_changes ORDER BY known_from`;
    for (const cost of [1, 2, 2, 3]) {
      now += HOUR;
      await store.replace(what, [row(cost), row(5, "2")]);
    }
    const one = { cost: 1, clicks: null, name: null, emptied: null };
    assert.deepEqual(await rows(changes), [one, { ...one, cost: 2 }]);
    assert.deepEqual(await rows("SELECT count(*) AS n FROM report_sp_placement_history"), [{ n: 0 }]);
    now += HOUR;
    const { clicks: _, ...emptied } = row(3);
    await store.replace(what, [{ ...emptied, sales14d: 7 }, row(5, "2")]);
    const marks = { clicks: 1, name: null, emptied: "|sales14d|" };
    assert.deepEqual(await rows(changes), [1, 2, null].map((cost) => ({ cost, ...marks })));
    now += HOUR;
    await store.replace(what, [row(5, "2")]);
    assert.deepEqual(await rows(changes), []);
    assert.deepEqual(
      await rows(
        'SELECT cost, clicks, sales14d AS sales, "campaignName" AS name FROM report_sp_placement_history ORDER BY known_from'
          .replace("sales14d", '"sales14d"'),
      ),
      [
        { cost: 1, clicks: 1, sales: null, name: "n" },
        { cost: 2, clicks: 1, sales: null, name: "n" },
        { cost: 3, clicks: 1, sales: null, name: "n" },
        { cost: 3, clicks: null, sales: 7, name: "n" },
      ],
    );
  });
}

/** Replaces days by a layout, which need not be the store's own. */
async function replace(
  driver: StoreDriver,
  layout: ReportLayout,
  { range, rows, now }: { range: readonly string[]; rows: ReportRow[]; now: number },
): Promise<void> {
  const [start, end] = [range[0]!, range.at(-1)!];
  const pulledAt = new Date(now).toISOString();
  await driver.replace(
    { ...US, layout, start, end, reportIds: [], pulledAt, madeAt: null },
    encodeRows(rows, { layout, range: { start, end }, tally: new DayTally(layout) }),
  );
}

/** Holds the views as of a pull, and the versions that the history has of it, against what was pulled. */
async function assertKnown(
  store: Warehouse,
  { at, pulls, expected }: { at: number; pulls: readonly { at: number }[]; expected: readonly ReportRow[] },
): Promise<void> {
  const texts = (rows: readonly Readonly<Record<string, unknown>>[]): string[] =>
    rows.map((row) => {
      // What had no column at the time is in `extra`.
      const { extra, ...cells } = row;
      return JSON.stringify(Object.entries({ ...cells, ...JSON.parse(String(extra ?? "{}")) }).sort());
    }).sort();
  const names = SHOWN.map((name) => `"${name}"`).join(", ");
  const asOf = new Date(at).toISOString();
  const views = await store.query(`SELECT ${names} FROM sp_placement`, [], { ...MANY, asOf });
  assert.deepEqual(texts(views.rows), texts(expected), asOf);
  const versions = await store.query(
    `SELECT ${names} FROM sp_placement_history WHERE known_from <= ? AND (known_to > ? OR known_to IS NULL)`,
    [asOf, asOf],
    MANY,
  );
  assert.deepEqual(texts(versions.rows), texts(expected), `versions at ${asOf}, of ${pulls.length} pulls`);
}
