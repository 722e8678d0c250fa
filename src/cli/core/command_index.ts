import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import type { CommandKit } from "./command.ts";
import { lazyImport } from "./lazy_import.ts";

/** A command of the first level, known without loading it. */
export interface CommandEntry {
  readonly name: string;
  /** One-line description for the front page, equal to the one in its own help. */
  readonly summary: string;
  /** Heading of the front page under which it stands. */
  readonly heading: string;
  /** Loads it, for a command line. */
  readonly load: (words: readonly string[]) => Promise<(kit: CommandKit) => CommandUnknownOpts>;
}

/** Every command of the first level, in the order of the front page. Add yours here. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: "auth",
    summary: "Log in, check the login, and find out why it fails",
    heading: "Connect",
    load: () =>
      lazyImport<typeof import("../commands/auth/auth.ts")>("commands/auth/auth").then((module) =>
        module.authCommand
      ),
  },
  {
    name: "use",
    summary: "Save the market, store, policy, wire, format or demo account that commands use, or show them",
    heading: "Connect",
    load: () =>
      lazyImport<typeof import("../commands/use.ts")>("commands/use").then((module) => module.useCommand),
  },
  {
    name: "profiles",
    summary: "List the advertising profiles of the login",
    heading: "Inspect",
    load: () =>
      lazyImport<typeof import("../commands/profiles.ts")>("commands/profiles").then((module) =>
        module.profilesCommand
      ),
  },
  {
    name: "list",
    summary: "List campaigns, keywords and other entities",
    heading: "Inspect",
    load: () =>
      lazyImport<typeof import("../commands/list.ts")>("commands/list").then((module) => module.listCommand),
  },
  {
    name: "labels",
    summary: "List the labels of the account, and what they are on",
    heading: "Inspect",
    load: () =>
      lazyImport<typeof import("../commands/labels.ts")>("commands/labels").then((module) =>
        module.labelsCommand
      ),
  },
  {
    name: "wire",
    summary: "Compare the families of the platform's API, and show which of them each kind goes by",
    heading: "Inspect",
    load: () =>
      lazyImport<typeof import("../commands/wire/wire.ts")>("commands/wire/wire").then((module) =>
        module.wireCommand
      ),
  },
  {
    name: "history",
    summary: "List what changed in the account, and when",
    heading: "Inspect",
    load: () =>
      lazyImport<typeof import("../commands/history.ts")>("commands/history").then((module) =>
        module.historyCommand
      ),
  },
  {
    name: "bids",
    summary: "Get suggested bids from the platform",
    heading: "Inspect",
    load: () =>
      lazyImport<typeof import("../commands/bids/bids.ts")>("commands/bids/bids").then((module) =>
        module.bidsCommand
      ),
  },
  {
    name: "experiments",
    summary: "List what is held back for comparison, by plans, rollouts and schedules, and until when",
    heading: "Plans",
    load: () =>
      lazyImport<typeof import("../commands/experiments.ts")>("commands/experiments").then((module) =>
        module.experimentsCommand
      ),
  },
  {
    name: "import",
    summary: "Read downloaded reports and bulk sheets into a store, without API access",
    heading: "Reports",
    load: () =>
      lazyImport<typeof import("../commands/import/import.ts")>("commands/import/import").then((module) =>
        module.importCommand
      ),
  },
  {
    name: "figures",
    summary: "Sum up stored figures by campaign, week and other groups, without SQL",
    heading: "Reports",
    load: () =>
      lazyImport<typeof import("../commands/figures.ts")>("commands/figures").then((module) =>
        module.figuresCommand
      ),
  },
  {
    name: "query",
    summary: "Run one SQL statement that reads, also from a file with macros",
    heading: "Reports",
    load: () =>
      lazyImport<typeof import("../commands/store/store_query.ts")>("commands/store/store_query").then((
        module,
      ) => module.queryCommand),
  },
  {
    name: "report",
    summary: "Run a performance report and print its rows",
    heading: "Reports",
    load: () =>
      lazyImport<typeof import("../commands/report/report.ts")>("commands/report/report").then((module) =>
        module.reportCommand
      ),
  },
  {
    name: "sync",
    summary: "Bring a local store of reports up to date",
    heading: "Reports",
    load: () =>
      lazyImport<typeof import("../commands/sync/sync.ts")>("commands/sync/sync").then((module) =>
        module.syncCommand
      ),
  },
  {
    name: "store",
    summary: "Query and export the local store of reports",
    heading: "Reports",
    load: () =>
      lazyImport<typeof import("../commands/store/store.ts")>("commands/store/store").then((module) =>
        module.storeCommand
      ),
  },
  {
    name: "stream",
    summary: "Store hourly figures from the platform's stream",
    heading: "Reports",
    load: () =>
      lazyImport<typeof import("../commands/stream/stream.ts")>("commands/stream/stream").then((module) =>
        module.streamCommand
      ),
  },
  {
    name: "worker",
    summary: "Take jobs from the queue of a PostgreSQL store and run them",
    heading: "Reports",
    load: () =>
      lazyImport<typeof import("../commands/worker.ts")>("commands/worker").then((module) =>
        module.workerCommand
      ),
  },
  {
    name: "pull",
    summary: "Write an account as files, one a campaign",
    heading: "Change",
    load: () =>
      lazyImport<typeof import("../commands/account/pull.ts")>("commands/account/pull").then((module) =>
        module.pullCommand
      ),
  },
  {
    name: "diff",
    summary: "Show what differs between account files and the account",
    heading: "Change",
    load: () =>
      lazyImport<typeof import("../commands/account/diff.ts")>("commands/account/diff").then((module) =>
        module.diffCommand
      ),
  },
  {
    name: "copy",
    summary: "Plan copies of campaigns, in another market or profile",
    heading: "Change",
    load: () =>
      lazyImport<typeof import("../commands/account/copy.ts")>("commands/account/copy").then((module) =>
        module.copyCommand
      ),
  },
  {
    name: "drift",
    summary: "Show what changed since the last pull or plan, and whether it was a plan of yours",
    heading: "Change",
    load: () =>
      lazyImport<typeof import("../commands/account/drift.ts")>("commands/account/drift").then((module) =>
        module.driftCommand
      ),
  },
  {
    name: "plan",
    summary: "Make, review, apply and undo change plans",
    heading: "Change",
    load: (words) =>
      lazyImport<typeof import("../commands/plan/plan.ts")>("commands/plan/plan").then((module) =>
        module.planCommand(words)
      ),
  },
  {
    name: "sheet",
    summary: "Change the account in a spreadsheet, in the platform's bulk format",
    heading: "Change",
    load: () =>
      lazyImport<typeof import("../commands/sheet/sheet.ts")>("commands/sheet/sheet").then((module) =>
        module.sheetCommand
      ),
  },
  {
    name: "schedule",
    summary: "Move bids, budgets, placements and states by the hour of the week",
    heading: "Change",
    load: () =>
      lazyImport<typeof import("../commands/schedule/schedule.ts")>("commands/schedule/schedule").then((
        module,
      ) => module.scheduleCommand),
  },
  {
    name: "pacing",
    summary: "Spend an amount evenly over a month or other dates",
    heading: "Change",
    load: () =>
      lazyImport<typeof import("../commands/pacing/pacing.ts")>("commands/pacing/pacing").then((module) =>
        module.pacingCommand
      ),
  },
  {
    name: "policy",
    summary: "Check, test and explain the rules that judge every write",
    heading: "Change",
    load: () =>
      lazyImport<typeof import("../commands/policy/policy.ts")>("commands/policy/policy").then((module) =>
        module.policyCommand
      ),
  },
  {
    name: "console",
    summary: "Review and approve plans, and look at figures, in the browser",
    heading: "Everything else",
    load: () =>
      lazyImport<typeof import("../commands/console.ts")>("commands/console").then((module) =>
        module.consoleCommand
      ),
  },
  {
    name: "audit",
    summary: "Check and read the audit log of a tool server",
    heading: "Everything else",
    load: () =>
      lazyImport<typeof import("../commands/audit/audit.ts")>("commands/audit/audit").then((module) =>
        module.auditCommand
      ),
  },
  {
    name: "ops",
    summary: "Find, read about and call any operation of the platform",
    heading: "Everything else",
    load: () =>
      lazyImport<typeof import("../commands/ops/ops.ts")>("commands/ops/ops").then((module) =>
        module.opsCommand
      ),
  },
  {
    name: "service",
    summary: "Keep accounts: sync, watch, schedules and scripts on timers",
    heading: "Plans",
    load: () =>
      lazyImport<typeof import("../commands/service/service.ts")>("commands/service/service").then((module) =>
        module.serviceCommand
      ),
  },
  {
    name: "watch",
    summary: "Watch figures, late reports, changes of others and plans, and tell a person",
    heading: "Plans",
    load: () =>
      lazyImport<typeof import("../commands/watch/watch.ts")>("commands/watch/watch").then((module) =>
        module.watchCommand
      ),
  },
  {
    name: "run",
    summary: "Run a script of your own, which reads, plans and alerts, and can send nothing",
    heading: "Plans",
    load: () =>
      lazyImport<typeof import("../commands/run.ts")>("commands/run").then((module) => module.runCommand),
  },
  {
    name: "rehearse",
    summary: "Take a copy of an account, and try everything on it first",
    heading: "Plans",
    load: () =>
      lazyImport<typeof import("../commands/rehearse/rehearse.ts")>("commands/rehearse/rehearse").then((
        module,
      ) => module.rehearseCommand),
  },
  {
    name: "demo",
    summary: "Run the whole job on a demo account: read, plan, review, apply, undo",
    heading: "Tools",
    load: () =>
      lazyImport<typeof import("../commands/demo/demo.ts")>("commands/demo/demo").then((module) =>
        module.demoCommand
      ),
  },
  {
    name: "emulator",
    summary: "Run the platform on your own machine",
    heading: "Tools",
    load: () =>
      lazyImport<typeof import("../commands/emulator/emulator.ts")>("commands/emulator/emulator").then((
        module,
      ) => module.emulatorCommand),
  },
  {
    name: "completions",
    summary: "Print the script that completes adsctl in your shell",
    heading: "Tools",
    load: () =>
      lazyImport<typeof import("../commands/completions.ts")>("commands/completions").then((module) =>
        module.completionsCommand
      ),
  },
];
