import { equal } from "../support/assert.ts";
import {
  keywordLabel,
  nameLabel,
  productLabel,
  targetLabel,
} from "../../src/client/entities/model/identity.ts";

const LABELS: readonly [string, string][] = [
  [nameLabel({ name: "Tents" }), "Tents"],
  [nameLabel({}), ""],
  [keywordLabel({ keywordText: "red shoes", matchType: "EXACT" }), '"red shoes" (EXACT)'],
  [keywordLabel({}), '"" (?)'],
  [targetLabel({ expression: [{ type: "QUERY_HIGH_REL_MATCHES" }] }), "close-match"],
  [
    targetLabel({
      expression: [{ type: "ASIN_CATEGORY_SAME_AS", value: "7" }, { type: "ASIN_BRAND_SAME_AS", value: "8" }],
    }),
    "ASIN_CATEGORY_SAME_AS=7 and ASIN_BRAND_SAME_AS=8",
  ],
  [targetLabel({ expressions: [{ type: "asinSameAs", value: "B0" }] }), "asinSameAs=B0"],
  [targetLabel({}), ""],
  [productLabel({ asin: "B0", sku: "mine" }), "B0"],
  [productLabel({ sku: "mine" }), "mine"],
];
for (const [found, expected] of LABELS) {
  Deno.test(`an entity is called ${JSON.stringify(expected)}`, () => equal(found, expected));
}
