import { UNIT_NAMES, type UnitName, UNITS } from "../../../../automation/service/units/units.ts";
import { command, group, type MakeCommand, withCommands } from "../../shell/command.ts";
import { withFile } from "./file_and_profile.ts";
import { storeOption } from "../../shell/options/store_option.ts";
import { pacingPlan, pacingRun, pacingShow } from "./pacing.ts";
import { schedulesPlan, schedulesRun, schedulesShow, schedulesStatusCommand } from "./schedule.ts";
import { SERVICE_FILE, serviceInitCommand, serviceRunCommand, serviceStatusCommand } from "./service.ts";
import { watchRun } from "./watch.ts";

const runs = () => import("./unit_runs.ts");

function unitInit(unit: UnitName): MakeCommand {
  const { name, what } = UNITS[unit].file;
  return command(
    (kit) =>
      kit.leaf(unit, {
        summary: `Write a commented ${what} to start from`,
        examples: [[`adsctl auto init ${unit}`, `write ${name}`]],
      })
        .option("--out <file>", `new file (default: ${name})`),
    async (options, context) => await (await runs()).runUnitInit(unit, options, context),
  );
}

function unitCheck(unit: UnitName): MakeCommand {
  const { name, what, library } = UNITS[unit].file;
  return command(
    (kit) => {
      const leaf = withFile(
        kit.leaf(unit, {
          summary: `Check a ${what} and list every mistake${
            unit === "watch" ? ", and rules that can never fire" : ""
          }`,
          details: "Prints mistakes as file:line: message. Does not read the account.",
          examples: [[`adsctl auto check ${unit}`, `check ${name}`]],
          library,
        }),
        { what, name },
      );
      return unit === "watch" ? leaf.addOption(storeOption()) : leaf;
    },
    async (file, options, context) => await (await runs()).runCheck({ ...options, file, unit }, context),
  );
}

export const initCommand = withCommands(serviceInitCommand, [
  unitInit("schedules"),
  unitInit("pacing"),
  unitInit("watch"),
]);

export const checkCommand = withCommands(
  command(
    (kit) =>
      withFile(
        kit.leaf("check", {
          summary: "Check the service file and every file it uses, or one file",
          details:
            "Prints mistakes as file:line: message. Does not read the account. The file's contents tell its kind.",
          examples: [
            ["adsctl auto check", `check ${SERVICE_FILE.name} and the files it uses`],
            ["adsctl auto check november.yaml", "check one schedule, pacing, goals or rule file"],
          ],
          library: 'await checkService("service.yaml")',
        }),
        SERVICE_FILE,
      ).addOption(storeOption()),
    async (file, options, context) => await (await runs()).runCheck({ ...options, file }, context),
  ),
  UNIT_NAMES.map(unitCheck),
);

export const showCommand = withCommands(
  command(
    (kit) =>
      withFile(
        kit.leaf("show", {
          printsRows: true,
          summary: "List timers and the contents of their files, or one unit",
          examples: [
            ["adsctl auto show", `list the timers of ${SERVICE_FILE.name}`],
            ["adsctl auto show schedules", "draw each schedule as 7 days by 24 hours"],
          ],
          library: 'await loadService("service.yaml")',
        }),
        SERVICE_FILE,
      ),
    async (file, _options, context) => await (await runs()).runShow({ file }, context),
  ),
  [schedulesShow, pacingShow],
);

export const runCommand = withCommands(serviceRunCommand, [schedulesRun, pacingRun, watchRun]);

export const statusCommand = withCommands(serviceStatusCommand, [schedulesStatusCommand]);

export const planCommand = group(
  "plan",
  {
    summary: "Preview a week of schedules, or plan budgets, without sending anything",
    examples: [
      ["adsctl auto plan schedules -m US", "preview one week"],
      ["adsctl auto plan pacing -m US", "plan daily budgets; then: adsctl plan apply ID"],
    ],
  },
  [schedulesPlan, pacingPlan],
);
