import { temporaryFolder } from "../../support/temporary_folder.ts";
import { sharePace } from "./process_refusals.ts";
import { long } from "../../support/long.ts";

long();
Deno.test("four processes that name one file are refused about as often as one, and all of their work is done", async () => {
  await using folder = await temporaryFolder();
  await sharePace(() => Promise.resolve(folder.file(`${crypto.randomUUID()}.json`)));
});
