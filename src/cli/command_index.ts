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
    name: "plan",
    summary: "Make, read, apply and undo change plans",
    heading: "Change",
    load: () => import("./commands/plan/plan.ts").then((module) => module.planCommand),
  },
];
