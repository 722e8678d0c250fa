import type { MakeCommand } from "./shell/command.ts";

export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  readonly heading: string;
  readonly load: (words: readonly string[]) => Promise<MakeCommand>;
}

const groups = (): Promise<typeof import("./commands/groups.ts")> => import("./commands/groups.ts");

/** Every command of the first level, in the order of the front page. Add yours here; at most 22. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: "init",
    summary: "Set up the demo, downloaded files or your account, then open the console",
    heading: "Set up",
    load: async () => (await import("./commands/init/init.ts")).initCommand,
  },
  {
    name: "demo",
    summary: "Try everything on an emulated demo account",
    heading: "Set up",
    load: async (words) => await (await groups()).demoGroup(words),
  },
  {
    name: "auth",
    summary: "Log in, list profiles, and diagnose login problems",
    heading: "Set up",
    load: async (words) => await (await groups()).authGroup(words),
  },
  {
    name: "use",
    summary: "Save or show defaults: market, store, policy, wire, format, demo account",
    heading: "Set up",
    load: async () => (await import("./commands/use.ts")).useCommand,
  },
  {
    name: "completions",
    summary: "Print a shell completion script",
    heading: "Set up",
    load: async () => (await import("./commands/completions.ts")).completionsCommand,
  },
  {
    name: "console",
    summary: "Review plans, approve them and see figures in the browser",
    heading: "Inspect",
    load: async () => (await import("./commands/console.ts")).consoleCommand,
  },
  {
    name: "figures",
    summary: "Sum stored figures by campaign, week and other groups, without SQL",
    heading: "Inspect",
    load: async () => (await import("./commands/figures.ts")).figuresCommand,
  },
  {
    name: "list",
    summary: "List campaigns, keywords and other entities",
    heading: "Inspect",
    load: async () => (await import("./commands/list.ts")).listCommand,
  },
  {
    name: "report",
    summary: "Run a performance report and print its rows",
    heading: "Inspect",
    load: async (words) => await (await groups()).reportGroup(words),
  },
  {
    name: "query",
    summary: "Run a read-only SQL query, typed or from a file",
    heading: "Inspect",
    load: async () => (await import("./commands/store/store_query.ts")).queryCommand,
  },
  {
    name: "plan",
    summary: "Create, review, apply and undo change plans",
    heading: "Change",
    load: (words) => import("./commands/plan/plan.ts").then((module) => module.planCommand(words)),
  },
  {
    name: "account",
    summary: "Inspect, compare, copy and rehearse the whole account, or keep it as files",
    heading: "Change",
    load: async (words) => await (await groups()).accountGroup(words),
  },
  {
    name: "sheet",
    summary: "Edit the account in a spreadsheet, in the platform's bulk format",
    heading: "Change",
    load: async () => (await import("./commands/account/sheet.ts")).sheetCommand,
  },
  {
    name: "policy",
    summary: "Write, check, test and explain the policy that limits every write",
    heading: "Change",
    load: async () => (await import("./commands/policy.ts")).policyCommand,
  },
  {
    name: "sync",
    summary: "Update the local report store",
    heading: "Store",
    load: async () => (await import("./commands/store/sync.ts")).syncCommand,
  },
  {
    name: "import",
    summary: "Import downloaded reports and bulk sheets, without API access",
    heading: "Store",
    load: async () => (await import("./commands/import.ts")).importCommand,
  },
  {
    name: "store",
    summary: "Manage the report store: coverage, export, history, hourly stream",
    heading: "Store",
    load: async (words) => await (await groups()).storeGroup(words),
  },
  {
    name: "auto",
    summary: "Run syncs, schedules, pacing, alert rules and scripts on timers",
    heading: "Automate",
    load: async (words) => await (await groups()).autoGroup(words),
  },
  {
    name: "ops",
    summary: "Find, read and call any platform operation, and compare API families",
    heading: "Build",
    load: async (words) => await (await groups()).opsGroup(words),
  },
];
