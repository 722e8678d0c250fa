import { command, group } from "../../shell/command.ts";
import { withFile } from "../../shell/options/file_and_profile.ts";
import { positiveInteger } from "../../shell/arguments/parse_values.ts";
import { storeOption } from "../../shell/store/store_option.ts";

/** The file that is read where none is named. */
const FILE = { what: "service file", name: "service.yaml" };

const runs = () => import("./service_runs.ts");

export const serviceCommand = group(
  "service",
  {
    summary: "Run syncs, watches, schedules and scripts on timers or workers",
    details:
      "Run one process, or several on one store: each timer of a profile runs in only one of them. Runs are " +
      "recorded in the store, missed runs are made up once, and another process takes over after a crash within " +
      "a minute. Only schedules, pacing, and rules whose plans a policy allows write to the account.",
    examples: [
      ["adsctl service init", "write a commented file based on the account and the folder"],
      ["adsctl service run", "run it until Ctrl-C or SIGTERM"],
      ["adsctl service status", "show last runs, late timers and next runs"],
    ],
    library: "await runService(profiles, { file, place, store, plans, signal })",
  },
  [
    command(
      (kit) =>
        kit.leaf("init", {
          summary: "Write a commented file based on the account and the folder",
          examples: [["adsctl service init --out nights.yaml", "choose another file name"]],
        })
          .option("--out <file>", `new file (default: ${FILE.name})`)
          .addOption(storeOption()),
      async (options, context) => await (await runs()).runInit(options, context),
    ),
    command((kit) =>
      withFile(
        kit.leaf("check", {
          summary: "Check a service file and the files it uses",
          details: "Prints mistakes as file:line: message. Does not read the account.",
          examples: [["adsctl service check", `check ${FILE.name}`]],
          library: 'await checkService("service.yaml")',
        }),
        FILE,
      ), async (file, _options, context) => await (await runs()).runCheck({ file }, context)),
    command(
      (kit) =>
        withFile(
          kit.leaf("run", {
            summary: "Run the timers of a file until Ctrl-C or SIGTERM",
            details:
              "Logs the start and end of each run on stderr (JSON with --json); alerts go to stdout. Stops within ten " +
              "seconds when asked; a sync continues at the next start. Failed runs are retried after 5, 15, 60 and 120 " +
              "minutes.",
            examples: [
              ["adsctl service run", "run until stopped"],
              ["adsctl service run --once", "run due timers and exit, for cron"],
              ["adsctl service run --listen 127.0.0.1:9465", "serve /health and /metrics"],
            ],
            library: "await runService(profiles, { file, place, store, plans, signal })",
          }),
          FILE,
        )
          .option("--once", "run due timers and exit; exit code 3 if one failed")
          .option("--concurrency <n>", "parallel runs (default: 4)", positiveInteger)
          .option("--listen <host:port>", "serve /health and Prometheus /metrics at http://HOST:PORT")
          .addOption(storeOption()),
      async (file, options, context) => await (await runs()).runRun({ ...options, file }, context),
    ),
    command(
      (kit) =>
        withFile(
          kit.leaf("status", {
            printsRows: true,
            summary: "Show each timer's last and next run, and what is late",
            details: "Exit code 3 if a timer is late or its last run failed.",
            examples: [
              ["adsctl service status", "print a line per timer and profile"],
              ["adsctl service status --json", "print every time as JSON, for monitoring"],
            ],
            library: "await serviceStatus(profiles, { file, state })",
          }),
          FILE,
        )
          .addOption(storeOption()),
      async (file, options, context) => await (await runs()).runStatus({ ...options, file }, context),
    ),
  ],
);
