import { deepEqual, equal } from "../../support/assert.ts";
import type { Change } from "../../../src/plans/model/change.ts";
import { reviewParts } from "../../../src/plans/review/review_plan.ts";

const keyword = (id: string, campaignId: string, more: Partial<Change> = {}): Change => ({
  ...{ kind: "sp.keywords", op: "update", id, campaignId, label: id },
  ...{ before: { bid: 1 }, after: { bid: 2 } },
  ...more,
});
const campaign = (id: string): Change => ({ ...keyword(id, id), kind: "sp.campaigns", after: { budget: 5 } });

const CHANGES = [
  keyword("k0", "B", { dependsOn: ["new"] }),
  campaign("A"),
  keyword("k2", "A"),
  keyword("k3", "B"),
  keyword("k4", "A", { ref: "new" }),
  keyword("k5", "A"),
  keyword("k6", "C"),
];

Deno.test("each part of a large plan holds its campaigns, and changes of one campaign lie together", () => {
  const parts = reviewParts(CHANGES, 2);
  deepEqual(parts.map(({ places, seen }) => ({ places, seen })), [
    { places: [1, 4, 2, 5], seen: 0 },
    { places: [1, 4, 0, 3], seen: 2 },
    { places: [1, 4, 6], seen: 2 },
  ]);
  for (const { changes, places } of parts) {
    deepEqual(changes.map(({ id }) => id), places?.map((at) => CHANGES[at]!.id));
    equal(
      changes.some(({ dependsOn }) => dependsOn !== undefined),
      false,
      "what it waits for may lie elsewhere",
    );
  }
});

Deno.test("a plan stays whole where it is small, or where parts would be no smaller", () => {
  deepEqual(reviewParts(CHANGES, CHANGES.length), [{ changes: CHANGES }]);
  deepEqual(reviewParts(CHANGES, 1), [{ changes: CHANGES }]);
  const campaigns = [campaign("A"), campaign("B"), campaign("C")];
  deepEqual(reviewParts(campaigns, 2), [{ changes: campaigns }]);
});
