import assert from "node:assert/strict";
import { COMMON_COLUMNS, DATASET_LAYOUTS, datasetLayout } from "../../../src/store/model/dataset_layout.ts";

Deno.test("every published dataset has a layout, and those with an id and an hour are summed up", () => {
  assert.equal(DATASET_LAYOUTS.length, 16);
  const hourly = DATASET_LAYOUTS.filter(({ isHourly }) => isHourly).map(({ dataset }) => dataset);
  assert.deepEqual(hourly, [
    "adsp-traffic",
    "adsp-conversion",
    "adsp-clickstream",
    "adsp-rich-media",
    "sb-traffic",
    "sb-conversion",
    "sd-traffic",
    "sp-traffic",
    "sp-conversion",
  ]);
  assert.equal(datasetLayout("sp-nothing"), undefined);
});

Deno.test("figures of a dataset are metrics, ids and names are text", () => {
  const columns = datasetLayout("sp-traffic")!.columns;
  assert.deepEqual(columns.filter(({ isMetric }) => isMetric).map(({ name, type }) => [name, type]), [
    ["clicks", "integer"],
    ["impressions", "integer"],
    ["cost", "real"],
  ]);
  assert(columns.filter(({ isMetric }) => !isMetric).every(({ type }) => type === "text"));
  const display = datasetLayout("adsp-traffic")!.columns;
  assert.deepEqual(display.find(({ isMetric }) => isMetric)?.name, "agency_fee");
  assert.deepEqual(display.findLast(({ isMetric }) => !isMetric)?.name, "flight_id");
});

Deno.test("no dataset has two columns of one name, whatever the case", () => {
  for (const { dataset, columns } of DATASET_LAYOUTS) {
    const names = [...COMMON_COLUMNS.map(([name]) => name), "extra", ...columns.map(({ name }) => name)];
    const lower = names.map((name) => name.toLowerCase());
    assert.deepEqual([...new Set(lower)], lower, dataset);
  }
});

Deno.test("what a list or an object holds has no column of its own", () => {
  const names = datasetLayout("campaigns")!.columns.map(({ name }) => name);
  assert(names.includes("bidSetting_placementBidAdjustment"));
  assert(!names.includes("bidSetting_placementBidAdjustment_percentage"));
  assert(names.includes("budget_budgetCap_monetaryBudget_amount"));
});
