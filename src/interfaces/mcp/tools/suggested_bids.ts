import { type BidsOperation, keywordBids, targetBids } from "../../../operations/reads/suggested_bids.ts";
import { NEW_BIDS_COLUMNS, newBids } from "../../../operations/reads/suggested_bids_new.ts";
import type { Row } from "../calls/text_table.ts";
import { operationTool } from "../tooling/operation_tool.ts";
import { ROW_ARGS, ROWS, rowsAnswer } from "../tooling/rows.ts";
import type { Tool } from "../tooling/tool.ts";

export const getSuggestedBids = bidsTool(keywordBids);
export const getSuggestedBidsForTargets = bidsTool(targetBids);

/** Only the shown entities are asked for, because the platform throttles these requests. */
function bidsTool<Entity>(operation: BidsOperation<Entity>): Tool {
  const { noun, columns } = operation;
  return operationTool(operation, {
    output: ROWS,
    sets: ["read"],
    more: ROW_ARGS,
    answer: async (profile, input, { signal }, { limit, offset }) => {
      const { entities, bidsOf } = await operation.run({ profile, signal }, input);
      const all = await Array.fromAsync(entities);
      const { rows, unsupported } = await bidsOf(all.slice(offset, offset + limit));
      const notes = unsupported === 0
        ? []
        : [`The platform has no suggested bids for ${unsupported} of these ${noun}`];
      return rowsAnswer(shown(rows, columns), { noun, offset, total: all.length, notes });
    },
  });
}

export const getSuggestedBidsForNew: Tool = operationTool(newBids, {
  output: ROWS,
  sets: ["read"],
  answer: async (profile, input, { signal }) => {
    const rows = await newBids.run({ profile, signal }, input);
    return rowsAnswer(shown(rows, NEW_BIDS_COLUMNS), { noun: "suggestions", offset: 0, total: rows.length });
  },
});

function shown(rows: readonly Row[], columns: readonly string[]): Row[] {
  return rows.map((row) => Object.fromEntries(columns.map((column) => [column, row[column] ?? null])));
}
