import { amountText } from "../../../base/markets/amount_text.ts";
import * as z from "zod";
import type { comparisonRows } from "../../../account/jobs/comparison_rows.ts";
import { comparePeriods } from "../../../operations/reads/compare_periods.ts";
import { sumFigures } from "../../../operations/reads/sum_figures.ts";
import { findWaste } from "../../../operations/reads/find_waste.ts";
import { withFigures } from "./job_answer.ts";
import { ROW_ARGS, ROWS, rowsAnswer, takeRows } from "../tooling/rows.ts";
import { operationTool } from "../tooling/operation_tool.ts";
import type { Tool } from "../tooling/tool.ts";

export const comparePeriodsTool: Tool = operationTool(comparePeriods, {
  output: ROWS,
  sets: ["read", "reports"],
  isListed: true,
  more: { limit: z.int().min(1).max(60).default(5).describe("Rows of each") },
  answer: async (profile, input, call, { limit }) => {
    const { comparison, heading, notes } = await withFigures(
      call,
      (figures) => comparePeriods.run({ profile, figures }, input),
    );
    const { comparisonRows } = await import("../../../account/jobs/comparison_rows.ts");
    const rows = comparisonRows(comparison, { limit }).map(shortRow);
    return rowsAnswer(rows, { noun: "rows", offset: 0, total: rows.length, notes: [heading, ...notes] });
  },
});

function shortRow(
  { id, campaign, sales_share: _, sales_before: __, clicks_before: ___, ...row }: ReturnType<
    typeof comparisonRows
  >[number],
): Record<string, unknown> {
  return {
    ...row,
    ...(id === "" || id === row.name ? {} : { id }),
    ...(campaign === "" ? {} : { campaign }),
  };
}

/** Tool for search terms that cost money and sold nothing. */
export const findWasteTool: Tool = operationTool(findWaste, {
  output: ROWS,
  sets: ["read", "reports"],
  isListed: true,
  more: { limit: ROW_ARGS.limit.default(20), offset: ROW_ARGS.offset },
  answer: async (profile, input, call, { limit, offset }) => {
    const { rows, note } = await withFigures(call, (figures) => findWaste.run({ profile, figures }, input));
    return await takeRows(rows, { noun: "search terms", limit, offset, notes: () => [note] }, call);
  },
});

/** Tool for sums of stored figures. */
export const sumFiguresTool: Tool = operationTool(sumFigures, {
  output: ROWS,
  sets: ["read", "reports"],
  more: ROW_ARGS,
  answer: async (profile, input, call, { limit, offset }) => {
    const parts = { now: profile.transport.now(), profileIds: [profile.profileId] };
    const { figures } = await call.context.figures.use((store) => sumFigures.run({ ...parts, store }, input));
    const { rows, totals, period, before, notes } = figures;
    const compared = before === undefined ? "" : ` against ${before.start} to ${before.end}`;
    const total = totals.map((one) =>
      `${amountText(one.cost, one.currency)} ${one.currency} cost, ${
        amountText(one.sales, one.currency)
      } sales`
    );
    const heading = `${period.start} to ${period.end}${compared}: ${total.join("; ") || "nothing stored"}`;
    return await takeRows(rows, { noun: "rows", limit, offset, notes: () => [heading, ...notes] }, call);
  },
});
