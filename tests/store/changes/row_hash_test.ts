import { test } from "node:test";
import { equal, notEqual } from "../../support/assert.ts";
import { layoutFingerprint, rowHash } from "../../../src/store/model/row_hash.ts";
import { type ReportLayout, reportLayout } from "../../../src/store/model/report_layout.ts";

const HASHES = {
  none: 3318788308564409,
  empty: 4234769015453342,
  row: 8705318185303061,
  long: 4106733732931843,
  layout: "25jbpztkewz",
};

const hash = (...cells: readonly unknown[]): number => rowHash(cells, cells.length);

test("hashes are those that stores hold already: by others, every stored row would seem changed", () => {
  const row = ["2026-09-01", "18446744073709551615", "Größe 日本", null, 12.345678901234567, -3, 0.1, null];
  const long = Array.from(
    { length: 30 },
    (_, at) => at % 3 === 0 ? at * 1.5 : at % 3 === 1 ? `t${at}` : null,
  );
  equal(hash(), HASHES.none);
  equal(hash(null), HASHES.empty);
  equal(hash(...row), HASHES.row);
  equal(hash(...long), HASHES.long);
  const columns = [
    { name: "date", type: "date", key: true },
    { name: "campaignId", type: "text", key: true },
    { name: "cost", type: "real", key: false },
  ] as const;
  equal(layoutFingerprint({ ...reportLayout("sp_campaigns"), columns }), HASHES.layout);
});

test("rows of other cells have other hashes, and 0 is 0 with any sign", () => {
  const row = ["2026-09-01", "12", "3", null, 1.5];
  const others = [
    ["2026-09-02", "12", "3", null, 1.5],
    ["2026-09-01", "1", "23", null, 1.5],
    ["2026-09-01", "12", null, "3", 1.5],
    ["2026-09-01", "12", "3", "", 1.5],
    ["2026-09-01", "12", "3", null, "1.5"],
    ["2026-09-01", "12", "3", null, -1.5],
    ["2026-09-01", "12", "3", null],
  ];
  for (const other of others) notEqual(hash(...other), hash(...row), JSON.stringify(other));
  equal(hash(...row), hash(...row));
  equal(hash(-0), hash(0));
  equal(rowHash([...row, "a cell past the end"], row.length), hash(...row));
});

test("hashes are whole numbers of 53 bits, and use all of them", () => {
  const hashes = Array.from({ length: 1000 }, (_, at) => hash(at, `${at}`));
  equal(new Set(hashes).size, 1000);
  equal(hashes.every((one) => Number.isSafeInteger(one) && one >= 0), true);
  // Half of them have the highest bit.
  const high = hashes.filter((one) => one >= 2 ** 52).length;
  equal(high > 400 && high < 600, true, `${high} of 1000`);
});

test("a column that is renamed, of another type, or newly part of the key, makes another layout", () => {
  const layout = reportLayout("sp_campaigns");
  const change = (fields: Partial<ReportLayout["columns"][number]>): ReportLayout => ({
    ...layout,
    columns: layout.columns.map((column, at) => at === 2 ? { ...column, ...fields } : column),
  });
  equal(layoutFingerprint({ ...layout, report: "other" }), layoutFingerprint(layout));
  for (const fields of [{ name: "other" }, { type: "integer" }, { key: true }] as const) {
    notEqual(layoutFingerprint(change(fields)), layoutFingerprint(layout), JSON.stringify(fields));
  }
});
