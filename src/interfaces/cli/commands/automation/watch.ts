import { watch } from "../../../../automation/service/units/watch.ts";
import type { Command } from "@commander-js/extra-typings";
import { markAlerts } from "../../../../operations/automation/mark_alerts.ts";
import { testRules } from "../../../../operations/automation/test_rules.ts";
import { listAlerts } from "../../../../operations/reads/alerts.ts";
import { command } from "../../shell/command.ts";
import { operationLeaf } from "../../shell/operation_leaf.ts";
import { addFields } from "../../shell/options/field_options.ts";
import { operationDoc } from "../../shell/options/operation_input.ts";
import { withFile, withProfileAndStore } from "./file_and_profile.ts";
import { parseEvery } from "../../shell/options/times.ts";
import { positiveInteger } from "../../shell/options/parse_values.ts";
import { storeOption, type StoreOptions } from "../../shell/options/store_option.ts";
import { allProfilesOption, exceptOption, profilesOption } from "../../shell/options/market_options.ts";

const FILE = watch.file;

const runs = () => import("./watch_runs.ts");

export const testCommand = command(
  (kit) =>
    operationLeaf<[rule: string | undefined, file: string], StoreOptions>(kit, testRules, {
      printsRows: true,
      examples: [["adsctl auto test nights.yaml -m US", "replay the rules of another file"]],
    })
      .addOption(storeOption()),
  async (rule, file, options, context) =>
    await (await runs()).runTest({ ...options, ...(rule === undefined ? {} : { rule }), file }, context),
);

export const watchRun = command(
  (kit) =>
    withProfileAndStore(withFile(
      kit.leaf("watch", {
        summary: "Check the rules once: save and deliver new alerts, and save proposed plans",
        details:
          "Exit code 3 if there are new alerts, 1 if a channel could not be reached; delivery is retried.",
        examples: [
          ["adsctl auto run watch -m US", "check after each sync"],
          ["adsctl auto run watch --profiles US,CA --every 1h", "check two profiles hourly until Ctrl-C"],
        ],
        library: "await runWatch(profile, { file, store, state, plans })",
      }),
      FILE,
    ))
      .addOption(profilesOption("check each"))
      .addOption(allProfilesOption("check each"))
      .addOption(exceptOption())
      .option("--every <time>", "repeat at this interval: 15m, 1h or 1d", parseEvery)
      .option("--out <folder>", "folder for proposed plans (default: the plan folder)"),
  async (file, options, context) => await (await runs()).runLooks({ ...options, file }, context),
);

export const alertsCommand = command(
  (kit) =>
    operationLeaf<[], StoreOptions & { readonly limit?: number }>(kit, listAlerts, { printsRows: true })
      .addOption(storeOption())
      .option("--limit <n>", "print at most this many (default: 50)", positiveInteger),
  async (options, context) => await (await runs()).runAlerts(options, context),
);

export const markCommand = command(
  (kit) =>
    // The types of commander cannot know arguments that are declared elsewhere.
    addFields(kit.leaf("mark", operationDoc(markAlerts, { withMarket: false })), markAlerts.input)
      .addOption(storeOption()) as unknown as Command<
        [ids: string[]],
        Pick<StoreOptions, keyof StoreOptions>
      >,
  async (ids, options, context) => await (await runs()).runMark({ ...options, ids }, context),
);
