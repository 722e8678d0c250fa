import { type RenamedLine, renamedLine } from "./renamed_commands.ts";

/**
 * The command line as parsed without loading a command. The last of `words` in `complete` is still being typed; `args`
 * of `command` contain the command's name and are rewritten if an old name was used (`renamed`); `isHelp` is false
 * when nothing was typed.
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

const WITH_VALUE: readonly string[] = [
  "--rehearse",
  "--env-file",
  "--platform",
  "--policy",
  "--wire",
  "--format",
  "--fields",
];

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

export const LEADING_OPTIONS: readonly string[] = [
  ...WITH_VALUE,
  ...SWITCHES,
  "--version",
  "-V",
  "--help",
  "-h",
];

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
