import type { Decision } from "./decide.ts";
import type { Goal } from "./goals_file.ts";
import type { GoalInput } from "./model.ts";
import type { GoalAccount } from "./read_goals.ts";

export interface DecidedGoal {
  readonly goal: Goal;
  readonly account: GoalAccount;
  readonly input: GoalInput;
  readonly decision: Decision;
}
