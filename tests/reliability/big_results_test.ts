import { fileURLToPath } from "node:url";
import { FORMS } from "../jobs/support/many_rows.ts";
import { equal, ok } from "../support/assert.ts";
import { longFile } from "../support/long.ts";
import { WHOLE_SUITE } from "./support/size.ts";

longFile();

/** Rows that hold more than the heap has room for. */
const ROWS = WHOLE_SUITE ? 10_000_000 : 2_000_000;
const SCRIPT = fileURLToPath(new URL("../jobs/support/many_rows.ts", import.meta.url));

for (const operation of Object.keys(FORMS)) {
  Deno.test(`${ROWS / 1e6} million rows of ${operation} are read with a heap of 96 MB`, async () => {
    const flags = ["run", "-A", "--no-check", "-q", "--v8-flags=--max-old-space-size=96"];
    const args = [...flags, SCRIPT, operation, String(ROWS)];
    const { code, stdout } = await new Deno.Command(Deno.execPath(), { args, stderr: "inherit" }).output();
    equal(code, 0);
    const { read, rss } = JSON.parse(new TextDecoder().decode(stdout));
    equal(read, ROWS);
    ok(rss < 400_000_000, `it has ${rss} bytes`);
  });
}
