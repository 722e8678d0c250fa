import { test } from "node:test";
import type { ReportRow } from "../../../src/client/reports/file/report_row.ts";
import type { LedgerEntry } from "../../../src/store/model/ledger_entry.ts";
import type { StoreDriver } from "../../../src/store/model/store_driver.ts";
import { type StoredRow, Warehouse } from "../../../src/store/warehouse/warehouse.ts";

/** An empty store for one test. */
export interface TestStore {
  /** Opens it; every call is a connection of its own to the same store. */
  open(): Promise<StoreDriver>;
  /** Removes it. */
  remove(): Promise<void>;
}

/** What one test of the contract is given. */
export interface Ground {
  readonly driver: StoreDriver;
  readonly store: Warehouse;
  readonly reopen: () => Promise<StoreDriver>;
}

/** A profile of the tests. */
export const US = { profileId: "1001", countryCode: "US" };
/** Another profile of the tests. */
export const DE = { profileId: "2002", countryCode: "DE" };
/** When pulls of the tests happen, in milliseconds since the epoch. */
export const T0 = Date.parse("2026-09-30T12:00:00Z");

/** Adds a test of the contract. */
export type AddTest = (what: string, run: (ground: Ground) => Promise<void>, cost?: "dear") => void;

/** What adds tests of the contract for one driver: each gets an empty store. `tag` is called before a dear one. */
export function testsFor(name: string, create: () => Promise<TestStore>, tag: () => void): AddTest {
  return (what, run, cost) => {
    if (cost === "dear") tag();
    test(`${name}: ${what}`, async () => {
      const place = await create();
      const open: StoreDriver[] = [];
      const reopen = async (): Promise<StoreDriver> => {
        open.push(await place.open());
        return open.at(-1)!;
      };
      try {
        const driver = await reopen();
        await run({ driver, store: new Warehouse(driver, { now: () => T0 }), reopen });
      } finally {
        for (const driver of open) await driver.close();
        await place.remove();
      }
    });
  };
}

/** A range of days. */
export function days(start: string, end: string = start): { start: string; end: string } {
  return { start, end };
}

/** A row a day with these fields. */
export function daily([start, end = start]: readonly [string, string?], fields: ReportRow): ReportRow[] {
  const rows: ReportRow[] = [];
  for (let time = Date.parse(start); time <= Date.parse(end); time += 86_400_000) {
    rows.push({ date: new Date(time).toISOString().slice(0, 10), ...fields });
  }
  return rows;
}

/** An entry of the ledger. */
export function entry(fields: Partial<LedgerEntry>): LedgerEntry {
  return {
    id: "x",
    ...US,
    report: "sp_placement",
    start: "2026-09-01",
    end: "2026-09-10",
    configuration: {
      adProduct: "SPONSORED_PRODUCTS",
      reportTypeId: "spCampaigns",
      groupBy: ["campaign"],
      columns: ["date"],
    },
    fingerprint: "same",
    state: "asking",
    reportId: null,
    askedAt: "2026-09-02T00:00:00.000Z",
    changedAt: "2026-09-02T00:00:00.000Z",
    rows: null,
    problem: null,
    ...fields,
  };
}

/** Rows of a report. */
export async function all(
  store: Warehouse,
  report: string,
  filter?: Parameters<Warehouse["rows"]>[1],
): Promise<StoredRow[]> {
  const rows: StoredRow[] = [];
  for await (const row of store.rows(report, filter)) rows.push(row);
  return rows;
}

/** All that a store shows. */
export async function everything(store: Warehouse): Promise<unknown> {
  return {
    rows: await all(store, "sp_placement"),
    coverage: await store.coverage(),
    requests: await store.requests(),
  };
}

/** Rows as plain objects, to be compared. */
export function plain(rows: readonly Readonly<Record<string, unknown>>[]): Record<string, unknown>[] {
  return rows.map((row) => ({ ...row }));
}
