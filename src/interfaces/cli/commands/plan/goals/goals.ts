import { withCommands } from "../../../shell/command.ts";
import { planGoalsCommand } from "../jobs/plan_goals.ts";
import { goalsInitCommand } from "./goals_init.ts";
import { goalsOutcomeCommand } from "./goals_outcome.ts";

/** `adsctl plan goals`, with the commands about goals below it. */
export const goalsCommand = withCommands(planGoalsCommand, [goalsInitCommand, goalsOutcomeCommand]);
