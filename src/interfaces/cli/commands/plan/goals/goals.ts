import { withCommands } from "../../../shell/command.ts";
import { planGoalsCommand } from "../jobs/plan_goals.ts";
import { goalsInitCommand } from "./goals_init.ts";
import { goalsOutcomeCommand, goalsShowCommand } from "./goals_reads.ts";
import { goalsSimulateCommand } from "./goals_simulate.ts";

export const goalsCommand = withCommands(planGoalsCommand, [
  goalsInitCommand,
  goalsShowCommand,
  goalsOutcomeCommand,
  goalsSimulateCommand,
]);
