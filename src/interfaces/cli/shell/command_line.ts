import { type RenamedLine, renamedLine } from "./arguments/renamed_commands.ts";

/**
 * Request of the command line, as far as it is known without loading a command. `words` of `complete` are those typed
 * so far, the last one being typed; those of `help` a topic, or a command and its subcommands; `args` of `command` is
 * everything, its name included, with new words where an old name was typed (`renamed`); `isHelp` is false when nothing
 * was typed at all.
 */
export type CommandLine =
  | { readonly kind: "version" }
  | { readonly kind: "front page"; readonly isHelp: boolean }
  | { readonly kind: "help"; readonly words: readonly string[] }
  | { readonly kind: "complete"; readonly words: readonly string[] }
  | {
    readonly kind: "command";
    readonly name: string;
    readonly args: readonly string[];
    readonly renamed?: RenamedLine;
  }
  | { readonly kind: "unknown option"; readonly option: string; readonly args: readonly string[] };

/** The global options that take a value, which is therefore not a command. */
const WITH_VALUE: readonly string[] = [
  "--rehearse",
  "--env-file",
  "--platform",
  "--policy",
  "--wire",
  "--format",
  "--fields",
];

/** The global options that are on or off. */
const SWITCHES: readonly string[] = [
  "--demo",
  "--sandbox",
  "--json",
  "--raw",
  "--escape-formulas",
  "--no-color",
  "--quiet",
  "-q",
  "--verbose",
  "-v",
];

/** Every option that may stand before the command. */
export const LEADING_OPTIONS: readonly string[] = [
  ...WITH_VALUE,
  ...SWITCHES,
  "--version",
  "-V",
  "--help",
  "-h",
];

/** Finds the command, or the request for help or version, among the global options. */
export function readCommandLine(args: readonly string[]): CommandLine {
  if (args[0] === "__complete") return { kind: "complete", words: args.slice(1) };
  for (let at = 0; at < args.length; at++) {
    const arg = args[at]!;
    if (arg === "--version" || arg === "-V") return { kind: "version" };
    if (arg === "--help-all" || arg === "--help" || arg === "-h") return { kind: "front page", isHelp: true };
    if (arg === "help") {
      const words = args.slice(at + 1).filter((word) => !word.startsWith("-"));
      const known = renamedLine(words, 0)?.args.filter((word) => !word.startsWith("-")) ?? words;
      return words.length === 0 ? { kind: "front page", isHelp: true } : { kind: "help", words: known };
    }
    if (WITH_VALUE.includes(arg)) at++;
    else if (!arg.startsWith("-")) {
      const renamed = renamedLine(args, at, (option) => WITH_VALUE.includes(option));
      return renamed === undefined
        ? { kind: "command", name: arg, args }
        : { kind: "command", name: renamed.args[at] ?? arg, args: renamed.args, renamed };
    } else if (!LEADING_OPTIONS.includes(arg.replace(/=.*/s, ""))) {
      return { kind: "unknown option", option: arg, args };
    }
  }
  return { kind: "front page", isHelp: false };
}
