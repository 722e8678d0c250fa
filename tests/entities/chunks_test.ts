import { deepEqual, equal, ok } from "../support/assert.ts";
import fc from "fast-check";
import { chunks, combinations } from "../../src/base/json/chunks.ts";

Deno.test("chunks() cuts in order, the last part being what is left", () => {
  deepEqual(chunks([1, 2, 3, 4, 5], 2), [[1, 2], [3, 4], [5]]);
  deepEqual(chunks([], 2), []);
  deepEqual(chunks([1], 1000), [[1]]);
});

Deno.test("combinations() without lists is one request without filters", () => {
  deepEqual(combinations({ ids: undefined, states: null }, { ids: 10 }), [{}]);
});

Deno.test("combinations() cuts each list at its own limit and asks for every pair of parts", () => {
  const filters = combinations({ ids: ["1", "2", "3"], states: ["A", "B"] }, { ids: 2, states: 1 });
  deepEqual(filters, [
    { ids: ["1", "2"], states: ["A"] },
    { ids: ["1", "2"], states: ["B"] },
    { ids: ["3"], states: ["A"] },
    { ids: ["3"], states: ["B"] },
  ]);
});

Deno.test("combinations() of any lists meets every pair exactly once, within the limits", () => {
  const list = fc.uniqueArray(fc.stringMatching(/^\d{1,3}$/), { minLength: 1, maxLength: 30 });
  const limit = fc.integer({ min: 1, max: 12 });
  fc.assert(fc.property(list, list, limit, limit, (ids, campaigns, idLimit, campaignLimit) => {
    const sets = combinations({ ids, campaigns }, { ids: idLimit, campaigns: campaignLimit });
    ok(sets.every((set) => set.ids!.length <= idLimit && set.campaigns!.length <= campaignLimit));
    const pairs = sets.flatMap((set) =>
      set.ids!.flatMap((id) => set.campaigns!.map((one) => `${id}/${one}`))
    );
    equal(pairs.length, ids.length * campaigns.length);
    equal(new Set(pairs).size, pairs.length);
  }));
});
