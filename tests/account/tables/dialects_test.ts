import { checkDialects } from "./dialects.ts";
import { long } from "../../support/long.ts";

Deno.test("a known table in a random dialect is read as it was, or refused with the cell that is broken", async () => {
  await checkDialects(250);
});

long();
Deno.test("so it is with thousands of dialects", async () => {
  await checkDialects(5000);
});
