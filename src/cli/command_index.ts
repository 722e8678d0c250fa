import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import type { CommandKit } from "./command.ts";

/** A command of the first level, known without loading it. */
export interface CommandEntry {
  /** Its name. */
  readonly name: string;
  /** What it does, for the front page; the same sentence as in its own help. */
  readonly summary: string;
  /** Heading of the front page under which it stands. */
  readonly heading: string;
  /** Loads it. */
  readonly load: () => Promise<(kit: CommandKit) => CommandUnknownOpts>;
}

/** Every command of the first level, in the order of the front page. Add yours here. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: "auth",
    summary: "Log in, check the login, and find out why it fails",
    heading: "Connect",
    load: () => import("./commands/auth/auth.ts").then((module) => module.authCommand),
  },
  {
    name: "profiles",
    summary: "List the advertising profiles that the login reaches",
    heading: "Look",
    load: () => import("./commands/profiles.ts").then((module) => module.profilesCommand),
  },
  {
    name: "list",
    summary: "List campaigns, keywords and other entities",
    heading: "Look",
    load: () => import("./commands/list.ts").then((module) => module.listCommand),
  },
  {
    name: "history",
    summary: "List what changed in the account, and when",
    heading: "Look",
    load: () => import("./commands/history.ts").then((module) => module.historyCommand),
  },
  {
    name: "bids",
    summary: "Ask the platform which bids it suggests",
    heading: "Look",
    load: () => import("./commands/bids/bids.ts").then((module) => module.bidsCommand),
  },
  {
    name: "report",
    summary: "Run a performance report and print its rows",
    heading: "Reports",
    load: () => import("./commands/report/report.ts").then((module) => module.reportCommand),
  },
  {
    name: "sync",
    summary: "Bring a local store of reports up to date",
    heading: "Reports",
    load: () => import("./commands/sync/sync.ts").then((module) => module.syncCommand),
  },
  {
    name: "store",
    summary: "Look into the local store of reports",
    heading: "Reports",
    load: () => import("./commands/store/store.ts").then((module) => module.storeCommand),
  },
  {
    name: "worker",
    summary: "Take syncs from the queue of a PostgreSQL store and run them",
    heading: "Reports",
    load: () => import("./commands/worker.ts").then((module) => module.workerCommand),
  },
  {
    name: "plan",
    summary: "Make, read, apply and undo change plans",
    heading: "Change",
    load: () => import("./commands/plan/plan.ts").then((module) => module.planCommand),
  },
  {
    name: "ops",
    summary: "Find, read about and call any operation of the platform",
    heading: "Everything else",
    load: () => import("./commands/ops/ops.ts").then((module) => module.opsCommand),
  },
  {
    name: "demo",
    summary: "Tell the whole story on a demo account: read, plan, review, apply, undo",
    heading: "Tools",
    load: () => import("./commands/demo.ts").then((module) => module.demoCommand),
  },
  {
    name: "emulator",
    summary: "Run the platform on your own machine",
    heading: "Tools",
    load: () => import("./commands/emulator/emulator.ts").then((module) => module.emulatorCommand),
  },
  {
    name: "completions",
    summary: "Print the script that completes adsctl in your shell",
    heading: "Tools",
    load: () => import("./commands/completions.ts").then((module) => module.completionsCommand),
  },
];
