import { equal, ok } from "../support/assert.ts";
import fc from "fast-check";
import { canonicalJson, canonicalParts } from "../../src/base/json/canonical_json.ts";
import { sha256 } from "../../src/base/text/sha256.ts";

Deno.test("the parts of a canonical text make it up, and have its hash", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      const parts = [...canonicalParts(value)];
      equal(parts.join(""), canonicalJson(value));
      equal(sha256(parts), sha256(canonicalJson(value)));
    }),
    { seed: 7, numRuns: 300 },
  );
});

Deno.test("a long list is never one text, and an item that is absent is null in it", () => {
  const list = Array.from({ length: 2500 }, (_, index) => index % 7 === 0 ? undefined : { b: "🏕", a: index });
  const value = { list, ids: Array.from({ length: 2001 }, String), none: undefined };
  const parts = [...canonicalParts(value)];
  equal(parts.join(""), canonicalJson(value));
  equal(sha256(parts), sha256(canonicalJson(value)));
  ok(parts.every((part) => part.length < 30_000));
});
