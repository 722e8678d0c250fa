import assert from "node:assert/strict";
import type { ReportRow } from "../../../src/client/reports/file/report_row.ts";
import { maturity } from "../../../src/store/views/maturity.ts";
import type { Maturity } from "../../../src/store/model/maturity_share.ts";
import { Warehouse } from "../../../src/store/warehouse/warehouse.ts";
import { SeededRandom } from "../../support/seeded_random.ts";
import { type AddTest, all, days, plain, T0, US } from "./ground.ts";

const HOUR = 3600_000;
const MANY = { maxRows: Infinity };

/** What was believed is kept: every version of a row, with when it was known. */
export function remembering(it: AddTest): void {
  it(
    "a query as of a moment shows what was stored last before it, whatever was pulled",
    async ({ driver }) => {
      const random = new SeededRandom(19);
      let now = T0;
      const store = new Warehouse(driver, { now: () => now });
      const allDays = ["2026-09-01", "2026-09-02", "2026-09-03", "2026-09-04", "2026-09-05"];
      let state = new Map<string, ReportRow[]>();
      const known: { at: number; state: Map<string, ReportRow[]> }[] = [];
      for (let pull = 0; pull < 200; pull++) {
        now += random.pick([1, 1000, HOUR, 24 * HOUR]);
        const first = random.integer(0, 4);
        const range = allDays.slice(first, first + random.integer(1, 3));
        const rows = range.flatMap((date) =>
          Array.from({ length: random.integer(0, 6) }, () => ({
            date,
            campaignId: random.pick(["1", "2", "3"]),
            placementClassification: random.pick(["x", "y"]),
            cost: random.pick([1, 2, null]),
            campaignName: random.pick(["a", "b"]),
            ...(random.next() < 0.2 ? { other: random.integer(0, 2) } : {}),
          }))
        );
        await store.replace({ ...US, report: "sp_placement", start: range[0]!, end: range.at(-1)! }, rows);
        state = new Map(state);
        for (const date of range) state.set(date, rows.filter((row) => row.date === date));
        known.push({ at: now, state });
      }
      const sql =
        'SELECT date, "campaignId", "placementClassification", cost, "campaignName", extra FROM sp_placement';
      const texts = (rows: readonly Readonly<Record<string, unknown>>[]): string[] =>
        rows.map((row) => JSON.stringify(Object.values(row))).sort();
      for (const [index, { at, state }] of known.entries()) {
        const next = known[index + 1]?.at ?? at + HOUR;
        const asOf = new Date(at + Math.floor((next - at) * random.next() * 0.99)).toISOString();
        const found = await store.query(sql, [], { ...MANY, asOf });
        const expected = [...state.values()].flat().map(({ other, ...row }) => ({
          ...row,
          extra: other === undefined ? null : JSON.stringify({ other }),
        }));
        assert.deepEqual(texts(found.rows), texts(expected), asOf);
      }
      assert.deepEqual(
        (await store.query(sql, [], { ...MANY, asOf: new Date(T0 - 1).toISOString() })).rows,
        [],
      );
      assert.deepEqual(
        texts((await store.query(sql, [], MANY)).rows),
        texts((await store.query(sql, [], { ...MANY, asOf: "2031-01-01" })).rows),
        "what is known now is what is known last",
      );
    },
    "dear",
  );

  it("a pull that brings the same writes nothing, and a changed row leaves its version in the history", async ({ driver }) => {
    let now = T0;
    const store = new Warehouse(driver, { now: () => now });
    const row = (cost: number, campaignId = "1"): ReportRow => ({
      date: "2026-09-01",
      campaignId,
      placementClassification: "x",
      cost,
    });
    const pull = (rows: ReportRow[]): Promise<number> => {
      now += HOUR;
      return store.replace({ ...US, report: "sp_placement", ...days("2026-09-01") }, rows);
    };
    const history = async (): Promise<unknown[]> =>
      plain(
        (await store.query(
          'SELECT "campaignId" AS id, cost, known_from, known_to FROM sp_placement_history ORDER BY 1, 3',
        )).rows,
      );
    const at = (hours: number): string => new Date(T0 + hours * HOUR).toISOString();
    await pull([row(1), row(5, "2")]);
    await pull([row(5, "2"), row(1)]);
    assert.deepEqual(await history(), [
      { id: "1", cost: 1, known_from: at(1), known_to: null },
      { id: "2", cost: 5, known_from: at(1), known_to: null },
    ]);
    await pull([row(2)]);
    await pull([row(2), row(6, "2")]);
    assert.deepEqual(await history(), [
      { id: "1", cost: 1, known_from: at(1), known_to: at(3) },
      { id: "1", cost: 2, known_from: at(3), known_to: null },
      { id: "2", cost: 5, known_from: at(1), known_to: at(3) },
      { id: "2", cost: 6, known_from: at(4), known_to: null },
    ]);
    assert.deepEqual((await all(store, "sp_placement")).map(({ cost }) => cost), [2, 6]);
  });

  it("versions follow each other although the clock was set back", async ({ driver }) => {
    let now = T0;
    const store = new Warehouse(driver, { now: () => now });
    const what = { ...US, report: "sp_placement", ...days("2026-09-01") };
    for (const cost of [1, 2, 3]) {
      await store.replace(what, [{ date: "2026-09-01", campaignId: "1", cost }]);
      now -= HOUR;
    }
    const { rows } = await store.query(
      "SELECT cost, known_from, known_to FROM sp_placement_history ORDER BY known_from",
    );
    const [first, second, third] = [0, 1, 2].map((later) => new Date(T0 + later).toISOString());
    assert.deepEqual(plain(rows), [
      { cost: 1, known_from: first, known_to: second },
      { cost: 2, known_from: second, known_to: third },
      { cost: 3, known_from: third, known_to: null },
    ]);
  });

  it("restatements() and maturity() say what moved at which age, and how much was known then", async ({ driver }) => {
    let now = Date.parse("2026-09-02T12:00:00Z");
    const store = new Warehouse(driver, { now: () => now });
    const pull = async (age: number, sales: number, more: ReportRow[] = []): Promise<void> => {
      now = Date.parse("2026-09-01T12:00:00Z") + age * 24 * HOUR;
      const row = {
        date: "2026-09-01",
        campaignId: "1",
        placementClassification: "x",
        cost: 5,
        sales14d: sales,
      };
      await store.replace({ ...US, report: "sp_placement", ...days("2026-09-01") }, [row, ...more]);
    };
    await pull(1, 50);
    await pull(2, 50);
    await pull(7, 80);
    const late = { date: "2026-09-01", campaignId: "2", placementClassification: "x", cost: 0, sales14d: 20 };
    await pull(14, 80, [late]);
    const none = { impressions: 0, clicks: 0, cost: 0, orders: 0 };
    assert.deepEqual(await store.restatements({ since: "2026-09-01" }), [
      { report: "sp_placement", age: 7, versions: 1, ...none, sales: 30 },
      { report: "sp_placement", age: 14, versions: 1, ...none, sales: 20 },
    ]);
    assert.deepEqual(await store.restatements({ since: "2026-09-10", by: ["country_code"] }), [
      { country_code: "US", versions: 1, ...none, sales: 20 },
    ]);
    assert.deepEqual(await store.maturity(), [], "no day is final");
    now = Date.parse("2026-11-01T12:00:00Z");
    const sales = (await store.maturity()).filter(({ metric }) => metric === "sales");
    assert.equal(sales.length, 42);
    assert.deepEqual([1, 6, 7, 13, 14, 42].map((age) => sales[age - 1]!.share), [0.5, 0.5, 0.8, 0.8, 1, 1]);
    const cost = (await store.maturity()).filter(({ metric }) => metric === "cost");
    assert(cost.every(({ share, days }) => share === 1 && days === 1));
  });

  it("maturity() of more rows than are judged leaves days out evenly, and no market", async ({ driver }) => {
    let now = 0;
    const store = new Warehouse(driver, { now: () => now });
    const begin = Date.parse("2026-08-01T12:00:00Z");
    const others = [{ ...US, rows: 4 }, { profileId: "9", countryCode: "CA", rows: 1 }];
    for (let day = 0; day < 28; day++) {
      const date = new Date(begin + day * 24 * HOUR).toISOString().slice(0, 10);
      for (const [age, sales] of [[1, 30], [9, 40]] as const) {
        now = begin + (day + age) * 24 * HOUR;
        for (const { rows, ...of } of others) {
          const found = Array.from({ length: rows }, (_, index) => ({
            date,
            campaignId: String(index),
            placementClassification: "x",
            sales14d: sales,
          }));
          await store.replace({ ...of, report: "sp_placement", ...days(date) }, found);
        }
      }
    }
    const judged = (limit?: { rows: number; ofMarket: number }): Promise<Maturity[]> =>
      maturity(driver, "2026-11-01", limit);
    const [whole, some] = [await judged(), await judged({ rows: 16, ofMarket: 10 })];
    const shares = (found: Maturity[]): unknown[] => found.map(({ days: _, ...line }) => line);
    assert.deepEqual(shares(some), shares(whole));
    const counts = (found: Maturity[]): unknown =>
      Object.fromEntries(found.map(({ country_code: country, days }) => [country, days]));
    assert.deepEqual(counts(whole), { CA: 28, US: 28 });
    assert.deepEqual(counts(some), { CA: 9, US: 3 });
  }, "dear");

  it("query() refuses what is not a moment", ({ store }) => {
    assert.throws(() => store.query("SELECT 1", [], { asOf: "yesterday" }), TypeError);
    return Promise.resolve();
  });

  it("pruneHistory() deletes versions that ended before a moment, and nothing that is known now", async ({ driver }) => {
    let now = T0;
    const store = new Warehouse(driver, { now: () => now });
    for (const cost of [1, 2, 3]) {
      now += HOUR;
      await store.replace({ ...US, report: "sp_placement", ...days("2026-09-01") }, [{
        date: "2026-09-01",
        campaignId: "1",
        cost,
      }]);
    }
    const before = new Date(T0 + 2.5 * HOUR).toISOString();
    assert.deepEqual(await store.pruneHistory(before, { dryRun: true }), { sp_placement: 1 });
    assert.deepEqual(await store.pruneHistory(before), { sp_placement: 1 });
    assert.deepEqual(await store.pruneHistory(before), {});
    const { rows } = await store.query("SELECT cost FROM sp_placement_history ORDER BY cost");
    assert.deepEqual(plain(rows), [{ cost: 2 }, { cost: 3 }]);
    assert.deepEqual((await all(store, "sp_placement")).map(({ cost }) => cost), [3]);
  });
}
