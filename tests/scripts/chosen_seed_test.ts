import { equal, ok, throws } from "../support/assert.ts";
import { chosenSeed } from "../../scripts/reliability/chosen_seed.ts";

Deno.test("a whole run of the reliability suite draws a new seed unless one is given", () => {
  const drawn = new Set(Array.from({ length: 20 }, () => chosenSeed(undefined)));
  ok(drawn.size > 15, [...drawn].join(" "));
  for (const seed of drawn) equal(chosenSeed(String(seed)), seed, "a drawn seed can be given");
  equal(chosenSeed("7"), 7);
  for (const wrong of ["", "x", "-1", "1.5", "1234567890"]) {
    throws(() => chosenSeed(wrong), /^RangeError: Cannot use/);
  }
});
