import { RACES } from "../../../scripts/mutate/races.ts";
import { deepEqual, ok } from "../../support/assert.ts";

Deno.test("each race can be planted: what it changes stands once in its file", async () => {
  const missed: string[] = [];
  for (const { name, path, from, also = [] } of RACES) {
    for (const change of [{ path, from }, ...also]) {
      const found = (await Deno.readTextFile(change.path).catch(() => "")).split(change.from).length - 1;
      if (found !== 1) missed.push(`${name}: ${found} times in ${change.path}`);
    }
  }
  ok(RACES.length > 20);
  deepEqual(missed, []);
});
