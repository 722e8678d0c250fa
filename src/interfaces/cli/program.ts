import { Command, CommanderError, type CommandUnknownOpts } from "@commander-js/extra-typings";
import { type CommandKit, commandKit, type CommandOutcome, completeTree } from "./shell/command.ts";
import { nearest } from "../../base/text/nearest.ts";
import { parserWords } from "./shell/errors/parser_words.ts";
import { UsageError } from "./shell/errors/cli_error.ts";
import type { CommandEntry } from "./command_index.ts";
import type { CliContext } from "./shell/context/context.ts";
import { EXIT } from "./shell/errors/exit_codes.ts";
import { addGlobalOptions, type GlobalOptions } from "./shell/arguments/global_options.ts";
import { Interruption } from "./shell/context/interruption.ts";
import { InterruptedError } from "./shell/io/take_line.ts";
import type { CliIo } from "./shell/io/cli_io.ts";

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
export async function loadProgram(
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
