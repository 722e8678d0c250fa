import { Option } from "@commander-js/extra-typings";
import { goalsOf, planGoals } from "../../../../../operations/jobs/plan_goals.ts";
import { jobCommand } from "./job_command.ts";

/** `adsctl plan goals`. */
export const planGoalsCommand = jobCommand(planGoals, {
  options: [new Option("--check", "check the file, all at once, and read nothing of the account")],
  examples: [
    ["adsctl plan goals goals.yaml --check", "every fault as file:line: message"],
    ["adsctl plan goals goals.yaml -m CA --explain 123456789", "the arithmetic of one keyword"],
  ],
  checked: async ({ goals: document }) => {
    const { source, goals } = await goalsOf(document);
    return goals.map(({ name, aim, limits: { month } }) =>
      `${source}: ${name}: ${aim}${month === undefined ? "" : `, ${month} a month at most`}`
    );
  },
});
