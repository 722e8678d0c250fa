import { checkDialects } from "./dialects.ts";
import { checkReportDialects } from "./report_dialects.ts";
import { long } from "../../support/long.ts";

Deno.test("a known sheet in a random dialect is read as it was, or refused with the cell that is broken", async () => {
  await checkDialects(250);
});

Deno.test("a known report in a random dialect is read as it was, or refused with the cell that is broken", async () => {
  await checkReportDialects(250);
});

long();
Deno.test("so it is with many more dialects of sheets", async () => {
  await checkDialects(2000);
});

long();
Deno.test("so it is with many more dialects of reports", async () => {
  await checkReportDialects(1500);
});
