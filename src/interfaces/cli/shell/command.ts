import {
  Command,
  type CommandUnknownOpts,
  Help,
  Option,
  type OptionValues,
} from "@commander-js/extra-typings";
import { environmentSwitch } from "../../../base/runtime/environment_switch.ts";
import {
  addGlobalOptions,
  GLOBAL_HEADING,
  globalOptionNames,
  type GlobalOptions,
  readGlobalOptions,
} from "./arguments/global_options.ts";
import { visibleText } from "../../../base/text/visible_text.ts";
import { UsageError } from "./errors/cli_error.ts";
import { Progress } from "./terminal/progress.ts";
import { wrapped } from "./terminal/text_width.ts";
import type { ManyProfilesOptions } from "./options/many_profiles.ts";
import type { MarketOptions } from "./options/market_options.ts";
import { addProfileOptions, addProfilesOptions } from "./options/profile_options.ts";
import { readSavedSettings, withSavedSettings } from "./arguments/saved_settings.ts";
import { carryOptions } from "./arguments/shell_words.ts";
import { Closing } from "./context/closing.ts";
import type { CliContext } from "./context/context.ts";
import type { TextSink } from "./io/cli_io.ts";

/** Description of a command for the help, the reference and the tests. */
export interface CommandDoc {
  /** One sentence that begins with a verb in the imperative, without a period. */
  readonly summary: string;
  /** Further information for readers, as paragraphs. */
  readonly details?: string;
  /** Real command lines, each with what it does. */
  readonly examples: readonly (readonly [line: string, what: string])[];
  /** The same in the library; absent where there is none. */
  readonly library?: string | undefined;
  /** The fields that `--fields` may name, where they are known before the command runs; for completion. */
  readonly fields?: readonly string[] | ((args: readonly string[]) => readonly string[]);
  /** True for a command that prints rows: `--out` writes them to a file. */
  readonly printsRows?: boolean;
}

/** Options of commands that matter to more than the command itself. */
type OwnOptions = Partial<Pick<CliContext, "store" | "out" | "touchExperiments" | "why">>;

/** Runs a command with parsed options and returns the exit code. */
type Runner = (
  step: (context: CliContext) => Promise<number>,
  command: CommandUnknownOpts,
) => Promise<void>;

// The types of commander know types of options, not interfaces.
type ProfileChoice = Pick<MarketOptions, keyof MarketOptions>;
type ProfilesChoice = Pick<ManyProfilesOptions, keyof ManyProfilesOptions>;

/** Columns that help takes at most. */
const HELP_WIDTH = 100;

const OUT_FILE = "write to a file: .csv, .tsv, .json, .jsonl, .parquet or .xlsx";

/** Parts for making commands. */
export interface CommandKit {
  /** A command that can be run: name, documentation, then its own arguments and options, then `action`. */
  leaf(name: string, doc: CommandDoc): Command;
  /** A command about one profile, with the options that choose it. */
  profileLeaf(name: string, doc: CommandDoc): Command<[], ProfileChoice>;
  /** A command about one profile or several; `each` says what is done for each of them. */
  profilesLeaf(name: string, doc: CommandDoc & { readonly each: string }): Command<[], ProfilesChoice>;
  group(name: string, doc: CommandDoc): Command;
  /** Runs a step of a leaf that was parsed, with the context of its options. */
  readonly run: Runner;
}

/** Makes a command for a run of the program. */
export type MakeCommand = (kit: CommandKit) => CommandUnknownOpts;

/**
 * A command: its declaration, and what it does with the arguments and options that were declared.
 *
 * @example
 * ```ts ignore
 * export const greetCommand = command(
 *   (kit) => kit.leaf("greet", { summary: "Greet somebody", examples: [] }).argument("<name>").option("--loud"),
 *   async (name, options, context) => {
 *     await context.io.stdout.write(`Hello ${options.loud ? name.toUpperCase() : name}\n`);
 *     return EXIT.done;
 *   },
 * );
 * ```
 * @param declare Gives the command its name, documentation, arguments and options.
 * @param run Takes the arguments, the options and the context, and returns the exit code.
 */
export function command<Args extends unknown[], Options extends OptionValues>(
  declare: (kit: CommandKit) => Command<Args, Options>,
  run: (...given: [...Args, options: Options, context: CliContext]) => Promise<number>,
): MakeCommand {
  return (kit) => {
    const declared = declare(kit);
    return declared.action(() =>
      kit.run((context) => run(...declared.processedArgs, declared.opts(), context), declared)
    );
  };
}

/** A group of commands, which does nothing alone. */
export function group(name: string, doc: CommandDoc, commands: readonly MakeCommand[]): MakeCommand {
  return withCommands((kit) => kit.group(name, doc), commands);
}

/**
 * A group that loads the command below it that a command line asks for, or all of them where it asks for none.
 *
 * @param commands In the order of the help, by the word that names each.
 */
export function lazyGroup(
  name: string,
  doc: CommandDoc,
  commands: Readonly<Record<string, () => Promise<MakeCommand>>>,
): (words: readonly string[]) => Promise<MakeCommand> {
  return async (words) => {
    const word = words[words.indexOf(name) + 1] ?? "";
    const asked = Object.hasOwn(commands, word) ? [commands[word]!] : Object.values(commands);
    return group(name, doc, await Promise.all(asked.map((load) => load())));
  };
}

/**
 * A command with others below it that a command line loads one at a time.
 *
 * @param load Loads the command with those that it always has.
 * @param more Further commands below it, by the word that names each.
 */
export function withLazyCommands(
  name: string,
  load: () => Promise<MakeCommand>,
  more: Readonly<Record<string, () => Promise<MakeCommand>>>,
): (words: readonly string[]) => Promise<MakeCommand> {
  return async (words) => {
    const word = words[words.indexOf(name) + 1] ?? "";
    const asked = Object.hasOwn(more, word) ? more[word] : undefined;
    if (asked !== undefined) return group(name, { summary: name, examples: [] }, [await asked()]);
    const [made, ...others] = await Promise.all([load(), ...Object.values(more).map((each) => each())]);
    return withCommands(made, others);
  };
}

/** A command with others below it. */
export function withCommands(make: MakeCommand, commands: readonly MakeCommand[]): MakeCommand {
  return (kit) => {
    const made = make(kit);
    for (const each of commands) made.addCommand(each(kit));
    return made;
  };
}

const DOCS = new WeakMap<CommandUnknownOpts, CommandDoc>();

/** The documentation of a command. */
export function docOf(command: CommandUnknownOpts): CommandDoc | undefined {
  return DOCS.get(command);
}

/** Texts that commander wrote, and the exit code of the command that ran. */
export interface CommandOutcome {
  /** Text for stdout: help that was asked for. */
  out: string;
  /** Text for stderr: what is wrong with the command line, or the help of a group that was named alone. */
  err: string;
  /** The command whose help to read, when the command line is wrong and nothing better is known. */
  see?: string;
  exitCode: number;
}

/** Makes the kit of one run of the program. */
export function commandKit(
  world: Omit<CliContext, "globals" | "progress" | "closing"> & {
    onOptions: (globals: GlobalOptions) => void;
  },
  outcome: CommandOutcome,
): CommandKit {
  const helpWidth = Math.min(world.io.stdout.columns ?? HELP_WIDTH, HELP_WIDTH);
  const make = (name: string, doc: CommandDoc): Command => {
    const command = new Command(name)
      .summary(doc.summary)
      .description([doc.summary + ".", ...(doc.details === undefined ? [] : [doc.details])].join("\n\n"))
      .helpOption("-h, --help", "show this help")
      .helpCommand(false)
      .exitOverride()
      .enablePositionalOptions()
      .showSuggestionAfterError()
      .configureHelp({
        helpWidth,
        // They would push everything else off the screen; "adsctl help options" has them.
        visibleOptions: (shown) =>
          new Help().visibleOptions(shown).filter(({ helpGroupHeading }) =>
            helpGroupHeading !== GLOBAL_HEADING
          ),
      })
      .configureOutput({
        writeOut: (text) => void (outcome.out += text),
        writeErr: (text) => void (outcome.err += text),
        outputError: (text, write) => {
          write(text);
          if (!text.includes("Did you mean")) outcome.see = pathOf(command);
        },
        getOutHasColors: () => false,
        getErrHasColors: () => false,
      })
      .addHelpText("after", () => after(doc));
    DOCS.set(command, doc);
    return command;
  };
  const leaf = (name: string, doc: CommandDoc): Command => {
    const made = make(name, doc).addHelpText(
      "after",
      () => ["", ...wrapped(globalOptionNames(), helpWidth)].join("\n"),
    );
    return doc.printsRows ? made.addOption(new Option("--out <file>", OUT_FILE)) : made;
  };
  return {
    leaf,
    profileLeaf: (name, doc) => addProfileOptions(leaf(name, doc)) as Command<[], ProfileChoice>,
    profilesLeaf: (name, { each, ...doc }) =>
      addProfilesOptions(leaf(name, doc), each) as Command<[], ProfilesChoice>,
    group: make,
    run: async (step, command) => {
      const saved = await readSavedSettings(world.io.env);
      const all = withSavedSettings(world.io.env, saved);
      const globals = await withDotenvDemo(readGlobalOptions(command, all), all);
      // A store that was saved for the real account gets no rows of the demo account.
      const { store: _store, ...others } = saved;
      const known = globals.demo && saved.demo !== true ? withSavedSettings(world.io.env, others) : all;
      const { store, out, touchExperiments, why } = command.opts() as OwnOptions;
      const { rehearse } = globals;
      const env = rehearse === undefined ? known : await rehearsed(known, { rehearse, store });
      world.onOptions(globals);
      const { stderr } = world.io;
      const carrying: TextSink = {
        isTerminal: stderr.isTerminal,
        get columns() {
          return stderr.columns;
        },
        write: (text) => stderr.write(carryOptions(text, globals)),
      };
      const progress = new Progress({ ...world.io, stderr: carrying, env }, globals);
      progress.begin(`adsctl ${pathOf(command)}`);
      const closing = new Closing();
      try {
        // Another command that this one runs need not say it again.
        if (rehearse !== undefined && !globals.quiet && env !== known) {
          await carrying.write(`REHEARSAL on ${visibleText(rehearse)}: nothing reaches the account\n`);
        }
        const context = {
          ...world,
          io: progress.io,
          globals,
          progress,
          closing,
          store,
          touchExperiments,
          why,
        };
        outcome.exitCode = out !== undefined && DOCS.get(command)?.printsRows
          ? await intoFile(out, context, step)
          : await step({ ...context, out });
      } finally {
        await closing.close().finally(() => progress.clear());
      }
    },
  };
}

/** Runs a step whose output goes to a file, which appears once the step has ended. */
async function intoFile(
  path: string,
  context: CliContext,
  step: (context: CliContext) => Promise<number>,
): Promise<number> {
  const [{ OutFile }, { say }] = await Promise.all([
    import("./output/out_file.ts"),
    import("./output/write_text.ts"),
  ]);
  const { io, globals } = context;
  const file = await OutFile.begin(path, globals.givenFormat);
  try {
    const exitCode = await step({
      ...context,
      file,
      io: { ...io, stdout: file.stdout },
      globals: { ...globals, format: file.printedFormat },
    });
    await say(await file.finish(context), context);
    return exitCode;
  } catch (error) {
    await file.abandon();
    throw error;
  }
}

/**
 * The environment of a rehearsal.
 *
 * @throws {UsageError} for a store of the account: figures of a rehearsal must not enter it.
 */
async function rehearsed(
  env: CliContext["io"]["env"],
  { rehearse, store }: { rehearse: string; store: string | undefined },
): Promise<CliContext["io"]["env"]> {
  if (store !== undefined) {
    throw new UsageError(
      "Cannot use --store together with --rehearse: figures of a rehearsal go to a store of its own. Leave --store out",
    );
  }
  const { rehearsalEnvironment } = await import("../../demo/rehearsal.ts");
  return await rehearsalEnvironment(env, rehearse);
}

/**
 * `PLATFORM_ADS_DEMO` may stand in the dotenv file, as for the tool server: a folder set up for the demo account must not
 * reach a real one. A file that cannot be used is reported by the command that connects.
 */
async function withDotenvDemo(globals: GlobalOptions, env: CliContext["io"]["env"]): Promise<GlobalOptions> {
  if (globals.demo) return globals;
  const { readVariables } = await import("../../../platform/connection/connection_from_env.ts");
  const { envFile } = globals;
  const variables = await readVariables({ env, ...(envFile === undefined ? {} : { envFile }) }).catch(() =>
    undefined
  );
  const demo = environmentSwitch(variables?.["PLATFORM_ADS_DEMO"], "PLATFORM_ADS_DEMO");
  return demo ? { ...globals, demo, envFile: undefined } : globals;
}

/** Gives every command of a tree the global options; called once the tree is whole. */
export function completeTree(command: CommandUnknownOpts): void {
  addGlobalOptions(command);
  for (const child of command.commands) completeTree(child);
}

/** A command's name with those of the groups that hold it, without the program's. */
function pathOf(command: CommandUnknownOpts): string {
  const { parent } = command;
  return parent?.parent ? `${pathOf(parent)} ${command.name()}` : command.name();
}

function after(doc: CommandDoc): string {
  const lines = ["", "Examples:"];
  for (const [line, what] of doc.examples) lines.push(`  ${line}`, `      ${what}`);
  if (doc.library !== undefined) lines.push("", "In the library:", `  ${doc.library}`);
  return lines.join("\n");
}
