import { equal } from "../support/assert.ts";
import fc from "fast-check";
import { editDistance, nearest } from "../../src/base/text/nearest.ts";

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

Deno.test("the nearest word is the first of those that take the fewest edits, of at most two in five characters", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "C"), minLength: 1, maxLength: 9 });
  fc.assert(
    fc.property(word, fc.array(word, { maxLength: 8 }), (given, words) => {
      const edits = words.map((one) => editDistance(given.toLowerCase(), one.toLowerCase()));
      const least = Math.min(...edits);
      const allowed = Math.max(1, Math.floor(given.length * 0.4));
      equal(nearest(given, words), least <= allowed ? words[edits.indexOf(least)] : undefined);
    }),
    { numRuns: 300 },
  );
});
