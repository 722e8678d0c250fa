import { deepEqual, equal, rejects } from "../support/assert.ts";
import { checkReport } from "../../src/operations/reads/report_check.ts";

const TODAY = "2026-09-30";
const FIELDS = ["date.value", "metric.clicks"];

Deno.test("a first day alone means until yesterday, and days before today are read", async () => {
  const { periods } = await checkReport({ fields: FIELDS, start: "-7" }, { today: TODAY });
  deepEqual(periods, [{ start: "2026-09-23", end: "2026-09-29" }]);
  equal((await checkReport({ fields: FIELDS }, { today: TODAY })).periods.length, 0);
  const lately = checkReport({ fields: FIELDS, start: "lately" }, { today: TODAY });
  await rejects(lately, /"lately" as start/);
});
