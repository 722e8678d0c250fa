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
} from "./context/global_options.ts";
import { visibleText } from "../../../base/text/visible_text.ts";
import { UsageError } from "./io/cli_error.ts";
import { Progress } from "./context/progress.ts";
import { wrapped } from "./io/text_width.ts";
import type { ManyProfilesOptions } from "./options/many_profiles.ts";
import { addProfileOptions, addProfilesOptions, type MarketOptions } from "./options/market_options.ts";
import { readSavedSettings, withSavedSettings } from "./context/saved_settings.ts";
import { carryOptions } from "./context/shell_words.ts";
import { Closing } from "./context/closing.ts";
import type { CliContext } from "./context/context.ts";
import type { TextSink } from "./io/cli_io.ts";

export interface CommandDoc {
  readonly summary: string;
  readonly details?: string | undefined;
  readonly examples: readonly (readonly [line: string, what: string])[];
  /** Equivalent in the library; absent if there is none. */
  readonly library?: string | undefined;
  /** Field names allowed in `--fields`, if known before the command runs; used by completion. */
  readonly fields?: readonly string[] | ((args: readonly string[]) => readonly string[]);
  readonly printsRows?: boolean;
}

type OwnOptions = Partial<Pick<CliContext, "store" | "out" | "touchExperiments" | "why">>;

type Runner = (
  step: (context: CliContext) => Promise<number>,
  command: CommandUnknownOpts,
) => Promise<void>;

// The types of commander know types of options, not interfaces.
type ProfileChoice = Pick<MarketOptions, keyof MarketOptions>;
type ProfilesChoice = Pick<ManyProfilesOptions, keyof ManyProfilesOptions>;

const HELP_WIDTH = 100;

const OUT_FILE = "write to a file: .csv, .tsv, .json, .jsonl, .parquet or .xlsx";

export interface CommandKit {
  leaf(name: string, doc: CommandDoc): Command;
  profileLeaf(name: string, doc: CommandDoc): Command<[], ProfileChoice>;
  profilesLeaf(name: string, doc: CommandDoc & { readonly each: string }): Command<[], ProfilesChoice>;
  group(name: string, doc: CommandDoc): Command;
  readonly run: Runner;
}

export type MakeCommand = (kit: CommandKit) => CommandUnknownOpts;

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

export function group(name: string, doc: CommandDoc, commands: readonly MakeCommand[]): MakeCommand {
  return withCommands((kit) => kit.group(name, doc), commands);
}

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

export function withCommands(make: MakeCommand, commands: readonly MakeCommand[]): MakeCommand {
  return (kit) => {
    const made = make(kit);
    for (const each of commands) made.addCommand(each(kit));
    return made;
  };
}

const DOCS = new WeakMap<CommandUnknownOpts, CommandDoc>();

export function docOf(command: CommandUnknownOpts): CommandDoc | undefined {
  return DOCS.get(command);
}

export interface CommandOutcome {
  out: string;
  err: string;
  see?: string;
  exitCode: number;
}

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

/** Writes the output of a step to a file, which appears only once the step has ended. */
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

/** @throws {UsageError} for a store of the real account, which must not receive rehearsal figures. */
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
 * A folder set up for the demo account must not reach a real one, so `PLATFORM_ADS_DEMO` is also read from the dotenv
 * file. An unusable file is reported later, by the command that connects.
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

export function completeTree(command: CommandUnknownOpts): void {
  addGlobalOptions(command);
  for (const child of command.commands) completeTree(child);
}

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
