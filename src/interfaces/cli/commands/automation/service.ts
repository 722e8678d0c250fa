import { command, group } from "../../shell/command.ts";
import { withFile } from "../../shell/options/file_and_profile.ts";
import { positiveInteger } from "../../shell/arguments/parse_values.ts";
import { storeOption } from "../../shell/store/store_option.ts";

/** The file that is read where none is named. */
const FILE = { what: "file of the service", name: "service.yaml" };

const runs = () => import("./service_runs.ts");

export const serviceCommand = group(
  "service",
  {
    summary: "Run syncs, watches, schedules and scripts on timers or workers",
    details:
      "One process for one machine, or several on one store: each timer of a profile is run by one of them. Runs are " +
      "recorded in the store, what was missed is made up for once, and work of a service that was killed is taken over " +
      "after a minute. Nothing writes to an account but schedules, pacing, and rules that a policy lets apply their " +
      "plans.",
    examples: [
      ["adsctl service init", "write a commented file from what the account and the folder hold"],
      ["adsctl service run", "run it until Ctrl-C or SIGTERM"],
      ["adsctl service status", "what ran, what is late, what comes next"],
    ],
    library: "await runService(profiles, { file, place, store, plans, signal })",
  },
  [
    command(
      (kit) =>
        kit.leaf("init", {
          summary: "Write a commented file from what the account and the folder hold",
          examples: [["adsctl service init --out nights.yaml", "write it under a name of its own"]],
        })
          .option("--out <file>", `a file that does not exist yet (default: ${FILE.name})`)
          .addOption(storeOption()),
      async (options, context) => await (await runs()).runInit(options, context),
    ),
    command((kit) =>
      withFile(
        kit.leaf("check", {
          summary: "Check a file and the files that it names, all at once",
          details: "Every fault is printed as file:line: message. Nothing is read of the account.",
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
              "Logs a line for the beginning and the end of each run on stderr, JSON with --json; alerts go to stdout. Asked to " +
              "end, it ends within ten seconds: a sync goes on with the same reports at the next start. A failed run is " +
              "repeated after 5, 15, 60 and 120 minutes.",
            examples: [
              ["adsctl service run", "until it is asked to end"],
              ["adsctl service run --once", "run what is due now, and end: for cron"],
              ["adsctl service run --listen 127.0.0.1:9465", "serve /health and /metrics"],
            ],
            library: "await runService(profiles, { file, place, store, plans, signal })",
          }),
          FILE,
        )
          .option("--once", "run what is due now, and end; 3 when something failed")
          .option("--concurrency <n>", "runs at the same time (default: 4)", positiveInteger)
          .option("--listen <host:port>", "serve /health and /metrics of Prometheus at http://HOST:PORT")
          .addOption(storeOption()),
      async (file, options, context) => await (await runs()).runRun({ ...options, file }, context),
    ),
    command(
      (kit) =>
        withFile(
          kit.leaf("status", {
            summary: "Show each timer's last and next run, and what is late",
            details: "Ends with 3 when a timer is late or its last run failed.",
            examples: [
              ["adsctl service status", "a line for each timer of each profile"],
              ["adsctl service status --json", "with every time, for monitoring"],
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
