import type { Command } from "@commander-js/extra-typings";
import { showService } from "../../../../operations/automation/service_status.ts";
import { command } from "../../shell/command.ts";
import { addFields } from "../../shell/options/field_options.ts";
import { operationDoc } from "../../shell/options/operation_input.ts";
import { withFile } from "./file_and_profile.ts";
import { positiveInteger } from "../../shell/options/parse_values.ts";
import { storeOption, type StoreOptions } from "../../shell/options/store_option.ts";

export const SERVICE_FILE = { what: "service file", name: "service.yaml" };

const STATUS = operationDoc(showService, { withMarket: false });

const runs = () => import("./service_runs.ts");

export const serviceInitCommand = command(
  (kit) =>
    kit.leaf("init", {
      summary: "Write a commented file based on the account and the folder",
      examples: [["adsctl auto init --out nights.yaml", "choose another file name"]],
    })
      .option("--out <file>", `new file (default: ${SERVICE_FILE.name})`)
      .addOption(storeOption()),
  async (options, context) => await (await runs()).runInit(options, context),
);

export const serviceRunCommand = command(
  (kit) =>
    withFile(
      kit.leaf("run", {
        summary: "Run the timers of a file until Ctrl-C or SIGTERM",
        details:
          "Logs the start and end of each run on stderr (JSON with --json); alerts go to stdout. Stops within ten " +
          "seconds when asked; a sync continues at the next start. Failed runs are retried after 5, 15, 60 and 120 " +
          "minutes.",
        examples: [
          ["adsctl auto run", "run until stopped"],
          ["adsctl auto run --once", "run due timers and exit, for cron"],
          ["adsctl auto run --listen 127.0.0.1:9465", "serve /health and /metrics"],
        ],
        library: "await runService(profiles, { file, place, store, plans, signal })",
      }),
      SERVICE_FILE,
    )
      .option("--once", "run due timers and exit; exit code 3 if one failed")
      .option("--concurrency <n>", "parallel runs (default: 4)", positiveInteger)
      .option("--listen <host:port>", "serve /health and Prometheus /metrics at http://HOST:PORT")
      .addOption(storeOption()),
  async (file, options, context) => await (await runs()).runRun({ ...options, file }, context),
);

export const serviceStatusCommand = command(
  (kit) =>
    // The types of commander cannot know arguments that are declared elsewhere.
    addFields(
      kit.leaf("status", {
        ...STATUS,
        printsRows: true,
        examples: [
          ...STATUS.examples,
          ["adsctl auto status --json", "print every time as JSON, for monitoring"],
        ],
      }),
      showService.input,
    ).addOption(storeOption()) as unknown as Command<[file: string], Pick<StoreOptions, keyof StoreOptions>>,
  async (file, options, context) => await (await runs()).runStatus({ ...options, file }, context),
);
