import { deepEqual, throws } from "../support/assert.ts";
import fc from "fast-check";
import { KINDS } from "../../src/client/entities/kinds/kinds.ts";
import { prepareUpdate, UpdateChecks } from "../../src/client/entities/model/check_items.ts";
import type { ResourceSpec } from "../../src/client/entities/model/resource_spec.ts";

const value = fc.oneof(
  fc.constantFrom<unknown>("PAUSED", "enabled", "ARCHIVED", 0.5, "0.5", NaN, null, undefined, 1, "1", {
    a: 1,
  }),
);
const ID = fc.constantFrom<unknown>("1", "2", 3, "x y", "", undefined, 2 ** 60);

Deno.test("updates that are checked together are what each of them is alone", () => {
  const spec: ResourceSpec = KINDS["sp.keywords"];
  const item = fc.record({
    keywordId: ID,
    campaignId: ID,
    bid: value,
    state: value,
    keyword_text: value,
    keywordText: value,
    campaign_id: ID,
  }, { requiredKeys: [] });
  fc.assert(
    fc.property(fc.array(item, { maxLength: 30 }), (items) => {
      const checks = new UpdateChecks(spec);
      for (const [index, input] of items.entries()) {
        const options = { index, mayBeEmpty: true };
        let alone: Record<string, unknown> | undefined;
        try {
          alone = prepareUpdate(spec, input, options);
        } catch (error) {
          throws(() => checks.prepare(input, options), error as Error);
          continue;
        }
        const { keywordId, ...fields } = alone;
        const { id, fields: { keywordId: _, ...found } } = checks.prepare(input, options);
        deepEqual([id, found], [keywordId, fields]);
      }
    }),
    { seed: 6, numRuns: 300 },
  );
});
