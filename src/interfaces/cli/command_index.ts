import type { MakeCommand } from "./shell/command.ts";

/** A command of the first level, known without loading it. */
export interface CommandEntry {
  readonly name: string;
  /** One-line description for the front page, equal to the one in its own help. */
  readonly summary: string;
  /** Heading of the front page under which it stands. */
  readonly heading: string;
  /** Loads it, for a command line. */
  readonly load: (words: readonly string[]) => Promise<MakeCommand>;
}

/** Every command of the first level, in the order of the front page. Add yours here. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: "init",
    summary: "Set up the demo, downloaded files or your account, up to figures in the console",
    heading: "Connect",
    load: async () => (await import("./commands/init/init.ts")).initCommand,
  },
  {
    name: "auth",
    summary: "Log in, check the login, and find out why it fails",
    heading: "Connect",
    load: async () => (await import("./commands/auth/auth.ts")).authCommand,
  },
  {
    name: "use",
    summary: "Save the market, store, policy, wire, format or demo account that commands use, or show them",
    heading: "Connect",
    load: async () => (await import("./commands/use.ts")).useCommand,
  },
  {
    name: "profiles",
    summary: "List the advertising profiles of the login",
    heading: "Inspect",
    load: async () => (await import("./commands/profiles.ts")).profilesCommand,
  },
  {
    name: "list",
    summary: "List campaigns, keywords and other entities",
    heading: "Inspect",
    load: async () => (await import("./commands/list.ts")).listCommand,
  },
  {
    name: "labels",
    summary: "List the labels of the account, and what they are on",
    heading: "Inspect",
    load: async () => (await import("./commands/labels.ts")).labelsCommand,
  },
  {
    name: "recommendations",
    summary: "List what the platform recommends for the account",
    heading: "Inspect",
    load: async () => (await import("./commands/recommendations.ts")).recommendationsCommand,
  },
  {
    name: "wire",
    summary: "Compare the families of the platform's API, and show which of them each kind goes by",
    heading: "Inspect",
    load: async () => (await import("./commands/wire.ts")).wireCommand,
  },
  {
    name: "history",
    summary: "List what changed in the account, and when",
    heading: "Inspect",
    load: async () => (await import("./commands/history.ts")).historyCommand,
  },
  {
    name: "bids",
    summary: "Get suggested bids from the platform",
    heading: "Inspect",
    load: async () => (await import("./commands/bids.ts")).bidsCommand,
  },
  {
    name: "experiments",
    summary: "List what is held back for comparison, by plans, rollouts and schedules, and until when",
    heading: "Plans",
    load: async () => (await import("./commands/experiments.ts")).experimentsCommand,
  },
  {
    name: "import",
    summary: "Read downloaded reports and bulk sheets into a store, without API access",
    heading: "Reports",
    load: async () => (await import("./commands/import.ts")).importCommand,
  },
  {
    name: "figures",
    summary: "Sum up stored figures by campaign, week and other groups, without SQL",
    heading: "Reports",
    load: async () => (await import("./commands/figures.ts")).figuresCommand,
  },
  {
    name: "query",
    summary: "Run one SQL statement that reads, also from a file with macros",
    heading: "Reports",
    load: async () => (await import("./commands/store/store_query.ts")).queryCommand,
  },
  {
    name: "report",
    summary: "Run a performance report and print its rows",
    heading: "Reports",
    load: async () => (await import("./commands/report/report.ts")).reportCommand,
  },
  {
    name: "sync",
    summary: "Bring a local store of reports up to date",
    heading: "Reports",
    load: async () => (await import("./commands/store/sync.ts")).syncCommand,
  },
  {
    name: "store",
    summary: "Query and export the local store of reports",
    heading: "Reports",
    load: async () => (await import("./commands/store/store.ts")).storeCommand,
  },
  {
    name: "stream",
    summary: "Store hourly figures from the platform's stream",
    heading: "Reports",
    load: async () => (await import("./commands/store/stream.ts")).streamCommand,
  },
  {
    name: "worker",
    summary: "Take jobs from the queue of a PostgreSQL store and run them",
    heading: "Reports",
    load: async () => (await import("./commands/automation/worker.ts")).workerCommand,
  },
  {
    name: "pull",
    summary: "Write an account as files, one a campaign",
    heading: "Change",
    load: async () => (await import("./commands/account/pull.ts")).pullCommand,
  },
  {
    name: "diff",
    summary: "Show what differs between account files and the account",
    heading: "Change",
    load: async () => (await import("./commands/account/diff.ts")).diffCommand,
  },
  {
    name: "copy",
    summary: "Plan copies of campaigns, in another market or profile",
    heading: "Change",
    load: async () => (await import("./commands/account/copy.ts")).copyCommand,
  },
  {
    name: "drift",
    summary: "Show what changed since the last pull or plan, and whether it was a plan of yours",
    heading: "Change",
    load: async () => (await import("./commands/account/drift.ts")).driftCommand,
  },
  {
    name: "plan",
    summary: "Make, review, apply and undo change plans",
    heading: "Change",
    load: (words) => import("./commands/plan/plan.ts").then((module) => module.planCommand(words)),
  },
  {
    name: "sheet",
    summary: "Change the account in a spreadsheet, in the platform's bulk format",
    heading: "Change",
    load: async () => (await import("./commands/account/sheet.ts")).sheetCommand,
  },
  {
    name: "schedule",
    summary: "Move bids, budgets, placements and states by the hour of the week",
    heading: "Change",
    load: async () => (await import("./commands/automation/schedule.ts")).scheduleCommand,
  },
  {
    name: "pacing",
    summary: "Spend an amount evenly over a month or other dates",
    heading: "Change",
    load: async () => (await import("./commands/automation/pacing.ts")).pacingCommand,
  },
  {
    name: "policy",
    summary: "Check, test and explain the rules that judge every write",
    heading: "Change",
    load: async () => (await import("./commands/policy.ts")).policyCommand,
  },
  {
    name: "console",
    summary: "Review and approve plans, and look at figures, in the browser",
    heading: "Everything else",
    load: async () => (await import("./commands/console.ts")).consoleCommand,
  },
  {
    name: "audit",
    summary: "Check and read the audit log of a tool server",
    heading: "Everything else",
    load: async () => (await import("./commands/audit.ts")).auditCommand,
  },
  {
    name: "ops",
    summary: "Find, read about and call any operation of the platform",
    heading: "Everything else",
    load: async () => (await import("./commands/ops/ops.ts")).opsCommand,
  },
  {
    name: "service",
    summary: "Keep accounts: sync, watch, schedules and scripts on timers",
    heading: "Plans",
    load: async () => (await import("./commands/automation/service.ts")).serviceCommand,
  },
  {
    name: "watch",
    summary: "Watch figures, late reports, changes of others and plans, and tell a person",
    heading: "Plans",
    load: async () => (await import("./commands/automation/watch.ts")).watchCommand,
  },
  {
    name: "run",
    summary: "Run a script of your own, which reads, plans and alerts, and can send nothing",
    heading: "Plans",
    load: async () => (await import("./commands/automation/run.ts")).runCommand,
  },
  {
    name: "rehearse",
    summary: "Take a copy of an account, and try everything on it first",
    heading: "Plans",
    load: async () => (await import("./commands/rehearse.ts")).rehearseCommand,
  },
  {
    name: "demo",
    summary: "Run the whole job on a demo account: read, plan, review, apply, undo",
    heading: "Tools",
    load: async () => (await import("./commands/emulator/demo.ts")).demoCommand,
  },
  {
    name: "emulator",
    summary: "Run the platform on your own machine",
    heading: "Tools",
    load: async () => (await import("./commands/emulator/emulator.ts")).emulatorCommand,
  },
  {
    name: "arena",
    summary: "Measure an agent on tasks with drawn accounts",
    heading: "Tools",
    load: async () => (await import("./commands/arena/arena.ts")).arenaCommand,
  },
  {
    name: "completions",
    summary: "Print the script that completes adsctl in your shell",
    heading: "Tools",
    load: async () => (await import("./commands/completions.ts")).completionsCommand,
  },
];
