import assert from "node:assert/strict";
import type { ReportRow } from "../../../src/client/reports/file/report_row.ts";
import { namedReport } from "../../../src/client/reports/requests/named_report.ts";
import { layoutOf } from "../../../src/store/model/report_layout.ts";
import type { StoreDriver } from "../../../src/store/model/store_driver.ts";
import { Warehouse } from "../../../src/store/warehouse/warehouse.ts";
import { type AddTest, all, daily, days, DE, entry, US } from "./ground.ts";

/** The ledger, and several writers at once. */
export function sharing(it: AddTest): void {
  it("the ledger keeps entries, newest first, and one open entry for one question", async ({ driver, reopen }) => {
    const first = entry({ id: "a", askedAt: "2026-09-01T00:00:00.000Z" });
    assert.deepEqual(await driver.openLedger(first), first);
    assert.deepEqual(await driver.openLedger(entry({ id: "b" })), first, "the same question is open already");
    assert.equal((await driver.openLedger(entry({ id: "c", profileId: "2002" }))).id, "c");
    assert.equal((await driver.openLedger(entry({ id: "d", fingerprint: "other" }))).id, "d");
    await driver.putLedger({
      ...first,
      state: "building",
      reportId: "r-1",
      changedAt: "2026-09-01T00:00:01.000Z",
    });
    assert.equal((await driver.openLedger(entry({ id: "e" }))).reportId, "r-1");
    await driver.putLedger({ ...first, state: "failed", problem: "FAILED: out of luck 'x'" });
    assert.equal(
      (await driver.openLedger(entry({ id: "f" }))).id,
      "f",
      "a failed one does not stand in the way",
    );
    const other = await reopen();
    const ids = async (filter: Parameters<StoreDriver["ledger"]>[0]): Promise<string[]> =>
      (await other.ledger(filter)).map(({ id }) => id);
    assert.deepEqual((await ids({})).sort(), ["a", "c", "d", "f"]);
    await driver.putLedger(entry({ id: "z", fingerprint: "z" }));
    const changed = entry({
      ...{ id: "z", countryCode: "GB", report: "sb_campaigns", start: "2026-08-01", end: "2026-08-02" },
      ...{ fingerprint: "y", state: "failed", reportId: "r-2", rows: 5, problem: "late" },
      ...{ askedAt: "2026-09-03T00:00:00.000Z", changedAt: "2026-09-04T00:00:00.000Z" },
    });
    await driver.putLedger(changed);
    assert.deepEqual(await other.ledger({ report: "sb_campaigns" }), [changed]);
    assert.deepEqual(await ids({ report: "sb_campaigns" }), ["z"]);
    assert.deepEqual(await ids({ report: "sb_campaigns", profileId: "2002" }), []);
    assert.equal((await ids({})).at(-1), "a");
    assert.deepEqual(await ids({ profileId: "2002" }), ["c"]);
    assert.equal((await ids({ limit: 2 })).length, 2);
    assert.deepEqual((await other.ledger({})).find(({ id }) => id === "a"), {
      ...first,
      state: "failed",
      problem: "FAILED: out of luck 'x'",
    });
  });

  it("a pull makes its ledger entry stored, with its rows, in the same step", async ({ driver, store }) => {
    await driver.putLedger(entry({ id: "a", state: "building", reportId: "r-1" }));
    await driver.putLedger(entry({ id: "b", fingerprint: "other" }));
    const what = { ...US, report: "sp_placement", ...days("2026-09-01"), reportIds: ["r-1"], ledgerId: "a" };
    await store.replace(what, daily(["2026-09-01"], {}));
    const [a] = await driver.ledger({ unfinished: false });
    assert.deepEqual([a!.id, a!.state, a!.rows, a!.changedAt], [
      "a",
      "stored",
      1,
      "2026-09-30T12:00:00.000Z",
    ]);
    assert.deepEqual(
      (await driver.ledger({ unfinished: true, report: "sp_placement" })).map(({ id }) => id),
      ["b"],
    );
    const { rows } = await store.query("SELECT report, rows, report_ids FROM pulls");
    assert.equal(rows.length, 1);
    assert.deepEqual(JSON.parse(String(rows[0]!["report_ids"])), ["r-1"]);
  });

  it("two connections that write at the same time both succeed", async ({ driver, reopen }) => {
    const other = await reopen();
    const write = async (one: StoreDriver, who: typeof US): Promise<void> => {
      const store = new Warehouse(one);
      for (let day = 1; day <= 20; day++) {
        const date = `2026-09-${String(day).padStart(2, "0")}`;
        await one.putLedger(entry({ id: `${who.profileId}-${day}`, fingerprint: date, ...who }));
        await store.replace({ ...who, report: "sp_placement", ...days(date) }, daily([date], { cost: day }));
      }
    };
    await Promise.all([write(driver, US), write(other, DE)]);
    const store = new Warehouse(await reopen());
    assert.equal((await all(store, "sp_placement")).length, 40);
    assert.equal((await store.requests()).length, 40);
  });

  it("many pulls at once through one connection do not mix", async ({ store }) => {
    await Promise.all(
      Array.from({ length: 12 }, (_, i) => {
        const who = { profileId: String(i), countryCode: "US" };
        const range: [string, string] = ["2026-09-01", "2026-09-10"];
        const rows = daily(range, { cost: i });
        async function* slowly(): AsyncGenerator<ReportRow> {
          for (const row of rows) {
            await Promise.resolve();
            yield row;
          }
          if (i % 3 === 0) throw new Error(`broken ${i}`);
        }
        return store.replace({ ...who, report: "sp_placement", ...days(...range) }, slowly()).catch(() => 0);
      }),
    );
    const lines = await store.coverage();
    assert.deepEqual(lines.map(({ profileId }) => Number(profileId)).sort((a, b) => a - b), [
      1,
      2,
      4,
      5,
      7,
      8,
      10,
      11,
    ]);
    for (const row of await all(store, "sp_placement")) assert.equal(String(row.cost), row.profile_id);
  });

  it("a connection knows that another has added a report, and of what it writes itself", async ({ driver, reopen }) => {
    const layout = layoutOf(await namedReport("sdCampaigns:matchedTarget"));
    await driver.putLedger(entry({ id: "a" }));
    const other = await reopen();
    assert.equal(await driver.isUnchanged(), true);
    await other.addReport(layout);
    assert.deepEqual([await driver.isUnchanged(), await other.isUnchanged()], [false, true]);
    assert.equal(await (await reopen()).isUnchanged(), true);
  });

  it("close() may be called twice", async ({ driver }) => {
    await driver.close();
    await driver.close();
  });
}
