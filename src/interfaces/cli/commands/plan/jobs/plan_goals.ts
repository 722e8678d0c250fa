import { Option } from "@commander-js/extra-typings";
import { goalsOf, planGoals } from "../../../../../operations/jobs/plan_goals.ts";
import { jobCommand } from "./job_command.ts";

export const planGoalsCommand = jobCommand(planGoals, {
  options: [new Option("--check", "check the whole file, without reading the account")],
  examples: [
    ["adsctl plan goals goals.yaml --check", "list every mistake as file:line: message"],
    ["adsctl plan goals goals.yaml -m CA --explain 123456789", "the arithmetic of one keyword"],
  ],
  checked: async ({ goals: document }) => {
    const { source, goals } = await goalsOf(document);
    return goals.map(({ name, aim, limits: { month } }) =>
      `${source}: ${name}: ${aim}${month === undefined ? "" : `, ${month} a month at most`}`
    );
  },
});
