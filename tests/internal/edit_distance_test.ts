import { equal } from "../support/assert.ts";
import { editDistance, nearest } from "../../src/internal/nearest.ts";

const CASES: readonly (readonly [a: string, b: string, distance: number])[] = [
  ["", "", 0],
  ["list", "list", 0],
  ["lst", "list", 1],
  ["lsit", "list", 1],
  ["--verison", "--version", 1],
  ["", "abc", 3],
  ["ca", "abc", 3],
  ["keywrods", "keyword", 2],
];
for (const [a, b, distance] of CASES) {
  Deno.test(`"${a}" and "${b}" are ${distance} edits apart`, () => {
    equal(editDistance(a, b), distance);
    equal(editDistance(b, a), distance);
  });
}

Deno.test("the nearest word is the one that was meant, or none", () => {
  equal(nearest("lsit", ["profiles", "list", "plan"]), "list");
  equal(nearest("frobnicate", ["profiles", "list", "plan"]), undefined);
});
