import { deepEqual } from "../../support/assert.ts";
import { withReview } from "../../../src/plans/review/review_plan.ts";
import type { Change } from "../../../mod.ts";

Deno.test("a review adds figures to changes that have none, and leaves the evidence of a job as it is", () => {
  const bid = (id: string, more: Partial<Change> = {}): Change => ({
    ...{ kind: "sp.keywords", op: "update", id, before: { bid: 1 }, after: { bid: 2 }, label: id },
    ...more,
  });
  const whole = {
    ...{ profileId: "1", countryCode: "US" },
    changes: [bid("1"), bid("2", { evidence: { clicks: 3 } }), bid("3")],
  };
  const evidence = new Map([[0, { clicks: 7 }], [1, { clicks: 8 }]]);
  const money = { currency: "USD", perDay: { low: 0, high: 1 }, known: 1, unknown: 2, basis: [] };
  const { changes } = withReview(whole, { findings: [], money, evidence });
  deepEqual(changes.map(({ evidence }) => evidence), [{ clicks: 7 }, { clicks: 3 }, undefined]);
});
