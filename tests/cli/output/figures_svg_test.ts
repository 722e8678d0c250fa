import { equal, match, ok } from "../../support/assert.ts";
import { figuresSvg } from "../../../src/interfaces/cli/commands/figures_svg.ts";
import type { FigureRow } from "../../../src/store/figures/figures.ts";

const PERIOD = { start: "2026-09-01", end: "2026-09-30" };

function row(campaign: string, cost: number, sales: number, currency = "USD"): FigureRow {
  return { campaign, currency, cost, sales, immature: false } as unknown as FigureRow;
}

Deno.test("a chart has two bars for each group, one panel for each currency, and no tag of a name", () => {
  const svg = figuresSvg({
    columns: ["campaign", "currency", "cost", "sales"],
    rows: [row("<script>alert(1)</script>", 10, 20), row("B", 5, 1), row("C", 900, 1200, "JPY")],
    period: PERIOD,
  });
  equal(svg.match(/<rect [^>]*><title>/g)?.length, 6);
  match(svg, /Cost and sales, USD.*Cost and sales, JPY/s);
  ok(!svg.includes("<script"));
  match(svg, /&lt;script&gt;/);
  match(svg, />20<\/text>[\s\S]*>2,000<\/text>/);
  match(svg, /viewBox="0 0 760 560"/);
});

Deno.test("figures without rows are an empty image", () => {
  match(
    figuresSvg({ columns: ["currency", "cost", "sales"], rows: [], period: PERIOD }),
    /viewBox="0 0 760 280"/,
  );
});
