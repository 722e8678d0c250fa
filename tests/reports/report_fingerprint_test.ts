import { equal, notEqual } from "../support/assert.ts";
import { test } from "node:test";
import {
  type ReportConfiguration,
  reportFingerprint,
} from "../../src/client/reports/requests/report_configuration.ts";

const RANGE = { start: "2026-09-01", end: "2026-09-12" };
const ASKED: ReportConfiguration = {
  adProduct: "SPONSORED_PRODUCTS",
  reportTypeId: "spCampaigns",
  groupBy: ["campaign", "campaignPlacement"],
  columns: ["date", "cost"],
};

test("a report is the same when the platform tells what was not set as null or by its default", () => {
  const told = { ...ASKED, filters: null, timeUnit: "DAILY", format: "GZIP_JSON" };
  equal(
    reportFingerprint(told as unknown as ReportConfiguration, RANGE),
    reportFingerprint(ASKED, RANGE),
  );
});

test("a report of which the platform tells only half is another one", () => {
  const half = { ...ASKED, columns: null };
  notEqual(
    reportFingerprint(half as unknown as ReportConfiguration, RANGE),
    reportFingerprint(ASKED, RANGE),
  );
});
