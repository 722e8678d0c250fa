import { nearest } from "../../base/text/nearest.ts";
import type { CommandEntry } from "./command_index.ts";
import { type CommandKit, commandKit, type CommandOutcome, completeTree } from "./shell/command.ts";
import type { CliContext } from "./shell/context/context.ts";
import { addGlobalOptions, type GlobalOptions } from "./shell/context/global_options.ts";
import { Interruption } from "./shell/context/interruption.ts";
import { EXIT, UsageError } from "./shell/io/cli_error.ts";
import type { CliIo } from "./shell/io/cli_io.ts";
import { InterruptedError } from "./shell/io/take_line.ts";
import { Command, CommanderError, type CommandUnknownOpts } from "@commander-js/extra-typings";

export async function describedCommand(entry: CommandEntry, io: CliIo): Promise<CommandUnknownOpts> {
  const interruption = new Interruption({ ...io, onInterrupt: () => () => {} }, () => {});
  const world = { io, interruption, runLine: () => Promise.resolve(EXIT.usage), onOptions: () => {} };
  const kit = commandKit(world, { out: "", err: "", exitCode: EXIT.done });
  return (await loadProgram(entry, kit)).commands[0]!;
}

interface CommandWorld {
  readonly io: CliIo;
  readonly kill?: (() => void) | undefined;
  readonly runLine: CliContext["runLine"];
  /** Called as soon as global options are parsed, because error output depends on them. */
  readonly onOptions: (globals: GlobalOptions) => void;
}

export async function runCommand(
  entry: CommandEntry,
  args: readonly string[],
  world: CommandWorld,
): Promise<number> {
  const { io, runLine, onOptions } = world;
  const interruption = new Interruption(io, world.kill ?? (() => {}));
  const outcome: CommandOutcome = { out: "", err: "", exitCode: EXIT.done };
  try {
    const kit = commandKit({ io, interruption, runLine, onOptions }, outcome);
    const program = await loadProgram(entry, kit, args);
    try {
      await program.parseAsync(args, { from: "user" });
    } catch (error) {
      if (!(error instanceof CommanderError)) throw error;
      // A group that was named alone prints its help on stderr; everything else that is not 0 is a wrong command line.
      if (error.exitCode !== 0 && error.code !== "commander.help") {
        throw usageError(error, { outcome, program });
      }
      outcome.exitCode = error.exitCode === 0 ? EXIT.done : EXIT.usage;
    }
    if (outcome.out !== "") await io.stdout.write(outcome.out);
    if (outcome.err !== "") await io.stderr.write(outcome.err);
    return outcome.exitCode;
  } catch (error) {
    // Whatever broke while Ctrl-C was ending things, Ctrl-C is the reason.
    throw interruption.signal.aborted ? new InterruptedError() : error;
  } finally {
    interruption.close();
  }
}

/**
 * Loads only the command that the words need.
 *
 * @param words The command line.
 * @default the whole command
 */
async function loadProgram(
  entry: CommandEntry,
  kit: CommandKit,
  words: readonly string[] = [],
): Promise<CommandUnknownOpts> {
  const program = new Command("adsctl").helpCommand(false).exitOverride().enablePositionalOptions();
  const command = (await entry.load(words))(kit);
  completeTree(command);
  program.addCommand(command);
  addGlobalOptions(program);
  return program;
}

function usageError(
  error: CommanderError,
  { outcome: { err, see }, program }: { outcome: CommandOutcome; program: CommandUnknownOpts },
): UsageError {
  const message = parserWords(err || error.message);
  if (see === undefined) return new UsageError(message, { cause: error });
  const near = error.code === "commander.unknownOption"
    ? nearOption(error.message, { see, program })
    : undefined;
  return near === undefined
    ? new UsageError(message, { cause: error, hint: `See: adsctl help ${see}` })
    : new UsageError(`${message}. Did you mean "${near}"?`, { cause: error });
}

function nearOption(
  message: string,
  { see, program }: { see: string; program: CommandUnknownOpts },
): string | undefined {
  const option = /'(--[^'=]+)/.exec(message)?.[1];
  if (option === undefined) return undefined;
  const command = see.split(" ").reduce<CommandUnknownOpts | undefined>(
    (found, name) => found?.commands.find((one) => one.name() === name),
    program,
  );
  const known = [...command?.options ?? [], ...program.options].filter(({ hidden }) => !hidden);
  return nearest(option, known.flatMap(({ long }) => long ?? []));
}

const MESSAGES: readonly (readonly [pattern: RegExp, words: (...parts: string[]) => string])[] = [
  [/^unknown option '([^']+)'/, (option) => `Cannot find an option "${option}"`],
  [/^unknown command '([^']+)'/, (name) => `Cannot find a command "${name}"`],
  [/^missing required argument '([^']+)'/, (name) => `Cannot begin: <${name}> is missing`],
  [/^option '([^']+)' argument missing/, (flags) => `Cannot use ${flags}: its value is missing`],
  [/^required option '([^']+)' not specified/, (flags) => `Cannot begin: ${flags} is missing`],
  [
    /^option '([^']+)' argument '([^]*)' is invalid\. ?([^]*?)\.?$/,
    (flags, value, why) =>
      `Cannot use "${flags.includes("=") ? nameOnly(value) : value}" as ${flags}: ${lower(why)}`,
  ],
  [
    /^command-argument value '([^]*)' is invalid for argument '([^']+)'\. ?([^]*?)\.?$/,
    (value, name, why) => `Cannot use "${value}" as <${name}>: ${lower(why)}`,
  ],
  [
    /^too many arguments(?: for '[^']+')?\. Expected (\d+) arguments? but got (\d+): ([^]*?)\.?$/,
    (expected, _got, words) => {
      const surplus = words.split(", ").slice(Number(expected)).map((word) => `"${word}"`).join(", ");
      const most = expected === "1" ? "one argument" : `${expected} arguments`;
      return `Cannot use ${surplus}: the command takes ${expected === "0" ? "no arguments" : `only ${most}`}`;
    },
  ],
  [
    /^option '([^']+)' cannot be used with option '([^']+)'/,
    (a, b) => `Cannot use ${a} together with ${b}: choose one`,
  ],
];

/** Values of pairs may be secrets, such as those of headers. */
function nameOnly(pair: string): string {
  return pair.replace(/(=)[^]*|[:\s][^]*/, "$1…");
}

function parserWords(message: string): string {
  const [, text = "", near] =
    /^(?:error: )?([^]*?)(?:\n\(Did you mean (?:one of )?([^]*)\?\))?$/.exec(message.trimEnd()) ?? [];
  for (const [pattern, words] of MESSAGES) {
    const found = pattern.exec(text);
    if (found === null) continue;
    const said = words(...found.slice(1));
    if (near === undefined) return said;
    return `${said}. Did you mean ${near.split(", ").map((one) => `"${one}"`).join(" or ")}?`;
  }
  return text;
}

function lower(text: string): string {
  if (text.startsWith("Allowed choices are ")) {
    return `expected one of ${text.slice("Allowed choices are ".length)}`;
  }
  return /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
