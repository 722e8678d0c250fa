import { equal } from "../support/assert.ts";
import { comparisonSentence } from "../../src/account/jobs/comparison_sentence.ts";
import type { Comparison } from "../../src/account/jobs/compare_periods.ts";

type Figures = readonly [cost: number, sales: number];

function moved(before: Figures, after: Figures) {
  const figures = ([cost, sales]: Figures) => ({
    cost,
    sales,
    clicks: 1,
    acos: sales === 0 ? null : cost / sales,
  });
  const [a, b] = [figures(before), figures(after)];
  const acos = a.acos === null || b.acos === null ? null : b.acos - a.acos;
  return { before: a, after: b, change: { cost: b.cost - a.cost, sales: b.sales - a.sales, acos } };
}

function comparison(total: readonly [Figures, Figures], parts: Record<string, readonly [Figures, Figures]>) {
  const campaign = Object.entries(parts).map(([name, [before, after]]) => ({
    ...moved(before, after),
    id: name,
    name,
  }));
  return { total: moved(...total), parts: { campaign }, currency: "CAD" } as unknown as Comparison;
}

Deno.test("a comparison says in a sentence how ACOS moved, and which campaign moved it", () => {
  // Pans spends 20 more on the same sales, Pots nothing more: all of the change is of Pans.
  equal(
    comparisonSentence(
      comparison([[20, 100], [40, 100]], { Pans: [[10, 50], [30, 50]], Pots: [[10, 50], [10, 50]] }),
    ),
    'ACOS rose from 20.0 to 40.0 %, mostly from "Pans" (+20.0 of +20.0 points)',
  );
  equal(
    comparisonSentence(comparison([[40, 100], [20, 100]], {
      Pans: [[20, 50], [10, 50]],
      Pots: [[20, 50], [11, 50]],
      Tea: [[0, 0], [-1, 0]],
    })),
    'ACOS fell from 40.0 to 20.0 %, mostly from "Pans" (-10.0 of -20.0 points)',
  );
  equal(comparisonSentence(comparison([[20, 100], [20, 100]], {})), "ACOS stayed at 20.0 %");
});

Deno.test("without sales to compare, the sentence is about spend", () => {
  const spent = comparison([[20, 0], [50, 0]], { Pans: [[10, 0], [20, 0]], Pots: [[10, 0], [30, 0]] });
  equal(comparisonSentence(spent), 'Spend rose from 20.00 to 50.00 CAD, mostly from "Pots" (+20.00 CAD)');
});

Deno.test("amounts of a currency without decimals have none", () => {
  const spent = comparison([[20, 0], [50, 0]], { Pots: [[10, 0], [30, 0]] });
  equal(
    comparisonSentence({ ...spent, currency: "JPY" }),
    'Spend rose from 20 to 50 JPY, mostly from "Pots" (+20 JPY)',
  );
});
