import type { Decision, DecisionRow } from "./decision.ts";
import type { Goal } from "./goals_file.ts";
import type { GoalInput, GoalTarget } from "./model.ts";
import type { GoalAccount, GoalEntity } from "./read_goals.ts";

export interface DecidedGoal {
  readonly goal: Goal;
  readonly account: GoalAccount;
  readonly input: GoalInput;
  readonly decision: Decision;
}

/** Returns each decided row with its keyword or target, in the account and in the input. */
export function decidedRows(
  { account, decision, input }: DecidedGoal,
): { readonly entity: GoalEntity; readonly row: DecisionRow; readonly target: GoalTarget }[] {
  return decision.rows.flatMap((row, at) => {
    const [entity, target] = [account.entities[at], input.targets[at]];
    return entity === undefined || target === undefined ? [] : [{ entity, row, target }];
  });
}
