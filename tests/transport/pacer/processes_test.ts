import { equal, ok } from "../../support/assert.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";
import { processRefusals, REQUESTS } from "./process_refusals.ts";
import { long } from "../../support/long.ts";

long();
Deno.test("four processes that name one file are refused about as often as one, and all of their work is done", async () => {
  await using folder = await temporaryFolder();
  const one = await processRefusals(1, folder.file("one.json"));
  const four = await processRefusals(4, folder.file("four.json"));
  equal(one.passed, REQUESTS);
  equal(four.passed, REQUESTS);
  // Without sharing, each of the four would have its own first burst of sixteen.
  ok(four.refused <= one.refused + 6, `${four.refused} of four, ${one.refused} of one`);
});
