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

const groups = (): Promise<typeof import("./commands/groups.ts")> => import("./commands/groups.ts");

/** Every command of the first level, in the order of the front page. Add yours here; at most 22. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: "init",
    summary: "Set up the demo, downloaded files or your account, up to figures in the console",
    heading: "Set up",
    load: async () => (await import("./commands/init/init.ts")).initCommand,
  },
  {
    name: "demo",
    summary: "Try everything on a demo account, played by an emulator of the platform",
    heading: "Set up",
    load: async (words) => await (await groups()).demoGroup(words),
  },
  {
    name: "auth",
    summary: "Log in, list profiles, check the login, and find out why it fails",
    heading: "Set up",
    load: async (words) => await (await groups()).authGroup(words),
  },
  {
    name: "use",
    summary: "Save the market, store, policy, wire, format or demo account that commands use, or show them",
    heading: "Set up",
    load: async () => (await import("./commands/use.ts")).useCommand,
  },
  {
    name: "completions",
    summary: "Print the script that completes adsctl in your shell",
    heading: "Set up",
    load: async () => (await import("./commands/completions.ts")).completionsCommand,
  },
  {
    name: "console",
    summary: "Review and approve plans, and look at figures, in the browser",
    heading: "Look",
    load: async () => (await import("./commands/console.ts")).consoleCommand,
  },
  {
    name: "figures",
    summary: "Sum up stored figures by campaign, week and other groups, without SQL",
    heading: "Look",
    load: async () => (await import("./commands/figures.ts")).figuresCommand,
  },
  {
    name: "list",
    summary: "List campaigns, keywords and other entities",
    heading: "Look",
    load: async () => (await import("./commands/list.ts")).listCommand,
  },
  {
    name: "report",
    summary: "Run a performance report and print its rows",
    heading: "Look",
    load: async () => (await import("./commands/report/report.ts")).reportCommand,
  },
  {
    name: "query",
    summary: "Run one SQL statement that reads, also from a file with macros",
    heading: "Look",
    load: async () => (await import("./commands/store/store_query.ts")).queryCommand,
  },
  {
    name: "plan",
    summary: "Make, review, apply and undo change plans",
    heading: "Change",
    load: (words) => import("./commands/plan/plan.ts").then((module) => module.planCommand(words)),
  },
  {
    name: "account",
    summary: "Show, compare, copy and rehearse the account as a whole, also as files",
    heading: "Change",
    load: async (words) => await (await groups()).accountGroup(words),
  },
  {
    name: "sheet",
    summary: "Change the account in a spreadsheet, in the platform's bulk format",
    heading: "Change",
    load: async () => (await import("./commands/account/sheet.ts")).sheetCommand,
  },
  {
    name: "policy",
    summary: "Check, test and explain the rules that judge every write",
    heading: "Change",
    load: async () => (await import("./commands/policy.ts")).policyCommand,
  },
  {
    name: "sync",
    summary: "Bring a local store of reports up to date",
    heading: "Keep",
    load: async () => (await import("./commands/store/sync.ts")).syncCommand,
  },
  {
    name: "import",
    summary: "Read downloaded reports and bulk sheets into a store, without API access",
    heading: "Keep",
    load: async () => (await import("./commands/import.ts")).importCommand,
  },
  {
    name: "store",
    summary: "Look after the local store of reports: coverage, export, history, the hourly stream",
    heading: "Keep",
    load: async (words) => await (await groups()).storeGroup(words),
  },
  {
    name: "schedule",
    summary: "Move bids, budgets, placements and states by the hour of the week",
    heading: "Automate",
    load: async () => (await import("./commands/automation/schedule.ts")).scheduleCommand,
  },
  {
    name: "pacing",
    summary: "Spend an amount evenly over a month or other dates",
    heading: "Automate",
    load: async () => (await import("./commands/automation/pacing.ts")).pacingCommand,
  },
  {
    name: "watch",
    summary: "Watch figures, late reports, changes of others and plans, and tell a person",
    heading: "Automate",
    load: async () => (await import("./commands/automation/watch.ts")).watchCommand,
  },
  {
    name: "service",
    summary: "Run syncs, watches, schedules and scripts on timers or by workers",
    heading: "Automate",
    load: async (words) => await (await groups()).serviceGroup(words),
  },
  {
    name: "ops",
    summary: "Find, read about and call any operation of the platform, and compare its API families",
    heading: "Build",
    load: async (words) => await (await groups()).opsGroup(words),
  },
];
