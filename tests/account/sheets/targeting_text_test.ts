import { deepEqual, equal, throws } from "../../support/assert.ts";
import { readDay } from "../../../src/account/tables/cell_formats.ts";
import fc from "fast-check";
import { DISPLAY_EXPRESSION, EXPRESSION } from "../../../src/client/entities/model/targeting_text.ts";
import { AMOUNT, DAY, PERCENT } from "../../../src/account/sheets/sheet_values.ts";

/** Objects as JSON makes them. */
const PLAIN = { noNullPrototype: true } as const;

for (
  const [text, expression] of [
    ["close-match", [{ type: "QUERY_HIGH_REL_MATCHES" }]],
    ["Loose-Match", [{ type: "QUERY_BROAD_REL_MATCHES" }]],
    ['asin="B000000000"', [{ type: "ASIN_SAME_AS", value: "B000000000" }]],
    ['asin-expanded="b000000000"', [{ type: "ASIN_EXPANDED_FROM", value: "B000000000" }]],
    ['category="5524098011" price<49.99 rating>3', [
      { type: "ASIN_CATEGORY_SAME_AS", value: "5524098011" },
      { type: "ASIN_PRICE_LESS_THAN", value: "49.99" },
      { type: "ASIN_REVIEW_RATING_GREATER_THAN", value: "3" },
    ]],
    ['category="1" price=10-20', [
      { type: "ASIN_CATEGORY_SAME_AS", value: "1" },
      { type: "ASIN_PRICE_BETWEEN", value: "10-20" },
    ]],
    ['NEW_THING="x y"', [{ type: "NEW_THING", value: "x y" }]],
  ] as const
) {
  Deno.test(`the targeting expression ${text} is read`, () => deepEqual(EXPRESSION.read(text), expression));
}

Deno.test("every expression that is written is read back the same", () => {
  const part = fc.oneof(
    fc.constantFrom("QUERY_HIGH_REL_MATCHES", "ASIN_ACCESSORY_RELATED").map((type) => ({ type })),
    fc.record({
      type: fc.constantFrom(
        "ASIN_CATEGORY_SAME_AS",
        "ASIN_BRAND_SAME_AS",
        "ASIN_AGE_RANGE_SAME_AS",
        "LATER_TYPE",
      ),
      value: fc.string({ minLength: 1 }).filter((text) => !text.includes('"')),
    }, PLAIN),
    fc.record({
      type: fc.constantFrom("ASIN_PRICE_LESS_THAN", "ASIN_REVIEW_RATING_BETWEEN", "ASIN_PRICE_GREATER_THAN"),
      value: fc.tuple(fc.nat(99), fc.nat(99)).map(([a, b]) => `${a}-${b}`),
    }, PLAIN),
  );
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), (parts) => {
      deepEqual(EXPRESSION.read(EXPRESSION.write(parts)), parts);
    }),
    { numRuns: 300, seed: 20261122 },
  );
});

for (
  const [text, expression] of [
    ['asin="b000000000"', [{ type: "asinSameAs", value: "B000000000" }]],
    ['category="1" price=10-20 rating>3', [
      { type: "asinCategorySameAs", value: "1" },
      { type: "asinPriceBetween", value: "10-20" },
      { type: "asinReviewRatingGreaterThan", value: "3" },
    ]],
    ["similar-product", [{ type: "similarProduct" }]],
    ["views=(exact-product lookback=30)", [
      { type: "views", value: [{ type: "exactProduct" }, { type: "lookback", value: "30" }] },
    ]],
    ['Purchases ( category="1" lookback="90" )', [
      {
        type: "purchases",
        value: [{ type: "asinCategorySameAs", value: "1" }, { type: "lookback", value: "90" }],
      },
    ]],
    ['audience=(audience="12")', [{ type: "audience", value: [{ type: "audienceSameAs", value: "12" }] }]],
    ['laterThing="x"', [{ type: "laterThing", value: "x" }]],
  ] as const
) {
  Deno.test(`the Display targeting expression ${text} is read, and written so that it is read again`, () => {
    const read = DISPLAY_EXPRESSION.read(text);
    deepEqual(read, expression);
    deepEqual(DISPLAY_EXPRESSION.read(DISPLAY_EXPRESSION.write(read)), expression);
  });
}

Deno.test("every Display expression that is written is read back the same", () => {
  const value = fc.string({ minLength: 1 }).filter((text) => !text.includes('"'));
  const plain = fc.oneof(
    fc.constantFrom("similarProduct", "exactProduct", "relatedProduct").map((type) => ({ type })),
    fc.record({
      type: fc.constantFrom("asinCategorySameAs", "asinBrandSameAs", "negative", "laterType"),
      value,
    }, PLAIN),
    fc.record({
      type: fc.constantFrom("asinPriceLessThan", "asinReviewRatingBetween", "lookback"),
      value: fc.tuple(fc.nat(99), fc.nat(99)).map(([a, b]) => `${a}-${b}`),
    }, PLAIN),
  );
  const audience = fc.record({
    type: fc.constantFrom("views", "purchases", "audience"),
    value: fc.array(plain, { minLength: 1, maxLength: 3 }),
  }, PLAIN);
  fc.assert(
    fc.property(fc.array(fc.oneof(plain, audience), { minLength: 1, maxLength: 4 }), (parts) => {
      deepEqual(DISPLAY_EXPRESSION.read(DISPLAY_EXPRESSION.write(parts)), parts);
    }),
    { numRuns: 300, seed: 20261122 },
  );
});

Deno.test("what is no Display expression is refused with what is expected", () => {
  throws(() => DISPLAY_EXPRESSION.read("close-match"), /expected one of similar-product/);
  throws(() => DISPLAY_EXPRESSION.read("hearsay=(lookback=3)"), /expected one of views, purchases, audience/);
  throws(() => DISPLAY_EXPRESSION.read("views=(lookback=3"), /at character|not known/);
  throws(() => DISPLAY_EXPRESSION.read('color="red"'), /"color=" is not known/);
});

Deno.test("what is no expression, amount, percentage or day is refused with what is expected", () => {
  throws(() => EXPRESSION.read("asin = "), /not a targeting expression|not known/);
  throws(() => EXPRESSION.read("best-match"), /expected one of close-match/);
  throws(() => EXPRESSION.read('color="red"'), /"color=" is not known/);
  for (const text of ["1,5", "$2", "-1", "x", "1.2.3"]) throws(() => AMOUNT.read(text), /not an amount/);
  for (const text of ["10%", "1.5", "x"]) throws(() => PERCENT.read(text), /not a whole percentage/);
  for (const text of ["20261301", "01/02/2026", "2026"]) throws(() => DAY.read(text), /expected yyyyMMdd/);
  equal(DAY.read("20260401"), "2026-04-01");
  equal(readDay("46113", { dayOrder: undefined }), "2026-04-01", "a day that a spreadsheet made a number of");
  equal(AMOUNT.read("0.30000000000000004"), 0.3);
});
