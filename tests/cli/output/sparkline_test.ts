import { deepEqual, equal } from "../../support/assert.ts";
import { sparkline } from "../../../src/interfaces/cli/shell/output/sparkline.ts";

Deno.test("a sparkline draws 0 as its lowest column and a missing day as a gap", () => {
  equal(sparkline([0, 4, 8, undefined, 8, 0]), "▁▄█ █▁");
  equal(sparkline([0, 0]), "▁▁");
  equal(sparkline([undefined, undefined]), "  ");
});

Deno.test("days that share a character show the mean of those that are stored", () => {
  deepEqual(sparkline([8, undefined, 0, 8, undefined, undefined], 3), "█▄ ");
  equal(sparkline(Array.from({ length: 90 }, () => 1)).length, 13);
});
