import { type CommandUnknownOpts, Option } from "@commander-js/extra-typings";
import { environmentSwitch } from "../../../../base/runtime/environment_switch.ts";
import { UsageError } from "../errors/cli_error.ts";
import type { CliIo } from "../io/cli_io.ts";

/** The ways data can be printed. */
export const FORMATS = ["table", "tsv", "json", "jsonl", "csv"] as const;

/** How data is printed; `auto` is a table on a terminal and tab-separated lines elsewhere. */
export type Format = "auto" | typeof FORMATS[number];

/** The options that every command has. */
export interface GlobalOptions {
  /** Dotenv file. */
  readonly envFile: string | undefined;
  /** Platform settings file. */
  readonly platform: string | undefined;
  /** Policy file. */
  readonly policy: string | undefined;
  /** Wire of the kinds, as `unified` or `sp=unified,sp.campaigns@CA=compare`. */
  readonly wire: string | undefined;
  /** Use the embedded emulator. */
  readonly demo: boolean;
  /** File with the copy of an account that the embedded emulator plays. */
  readonly rehearse: string | undefined;
  /** Use the sandbox host. */
  readonly sandbox: boolean;
  /** How data is printed. */
  readonly format: Format;
  /** The format that was typed; `undefined` where it is the default, or from the environment. */
  readonly givenFormat?: Format | undefined;
  /** The fields to print, in that order. */
  readonly fields: readonly string[] | undefined;
  /** In CSV, print values unchanged: formulas without a quote mark before them, control characters as they are. */
  readonly raw: boolean;
  /** False for no colour at all. */
  readonly color: boolean;
  /** Print data and errors only. */
  readonly quiet: boolean;
  /** Log requests on stderr. */
  readonly verbose: boolean;
}

/** Heading of the global options in help. */
export const GLOBAL_HEADING = "Global options:";

export function globalOptionRows(): { readonly flags: string; readonly meaning: string }[] {
  return options(new Set()).map(({ flags, description, argChoices }) => ({
    flags,
    meaning: argChoices === undefined ? description : `${description} (${argChoices.join(", ")})`,
  }));
}

/** The names of the global options in one line, for the help of each command. */
export function globalOptionNames(): string {
  const names = options(new Set()).map(({ long }) => long ?? "");
  return `Global options: ${names.join(", ")}; see: adsctl help options`;
}

function options(taken: ReadonlySet<string | undefined>): Option[] {
  const flags = (short: string, long: string): string => taken.has(short) ? long : `${short}, ${long}`;
  return [
    new Option("--demo", "use the built-in demo account, without a login"),
    new Option("--rehearse <file>", "work on an account copy; the account itself is not touched"),
    new Option("--env-file <file>", "dotenv file with credentials and settings"),
    new Option("--platform <file>", "platform settings file"),
    new Option("--policy <file>", "check every write against this policy file"),
    new Option("--wire <wire>", "API family: legacy, unified or compare; sp=unified: one product or kind"),
    new Option("--sandbox", "send everything to the sandbox host"),
    new Option("--format <format>", "output format; see adsctl help formats")
      .choices(FORMATS),
    new Option("--json", "short for --format json"),
    new Option("--fields <names>", "fields to print, separated by commas"),
    new Option("--raw", "in CSV, print formulas and control characters unchanged"),
    new Option("--escape-formulas", "no effect since 0.3.0, where it became the default"),
    new Option("--no-color", "print without colour"),
    new Option(flags("-q", "--quiet"), "print data and errors only"),
    new Option(flags("-v", "--verbose"), "log every request on stderr"),
  ];
}

/** Gives a command the global options; a short name that the command uses itself stays its own. */
export function addGlobalOptions(command: CommandUnknownOpts): void {
  const taken = new Set(command.options.map((option) => option.short));
  for (const option of options(taken)) command.addOption(option.helpGroup(GLOBAL_HEADING));
}

/**
 * Reads the global options wherever they stand: before the command, in a group or after it. The last one wins; what is
 * not given is taken from the environment.
 *
 * @throws {UsageError} for options that exclude each other.
 */
export function readGlobalOptions(command: CommandUnknownOpts, env: CliIo["env"]): GlobalOptions {
  const given: Record<string, unknown> = {};
  for (let at: CommandUnknownOpts | null = command; at !== null; at = at.parent) {
    for (const [name, value] of Object.entries(at.opts())) {
      if (at.getOptionValueSource(name) !== "default") given[name] ??= value;
    }
  }
  const text = (name: string): string | undefined => {
    const value = given[name];
    return typeof value === "string" ? value : undefined;
  };
  const on = (name: string): boolean => given[name] === true;
  if (on("json") && text("format") !== undefined && text("format") !== "json") {
    throw new UsageError("Cannot print both --json and another --format: choose one");
  }
  const names = text("fields")?.split(",").map((name) => name.trim()).filter((name) => name !== "");
  if (names?.length === 0) throw new UsageError("Cannot use --fields without a name");
  const givenFormat = on("json") ? "json" : FORMATS.find((name) => name === text("format"));
  const rehearse = text("rehearse") ?? (env["PLATFORM_ADS_REHEARSAL"] || undefined);
  return {
    envFile: text("envFile"),
    platform: text("platform"),
    policy: text("policy"),
    wire: text("wire"),
    rehearse,
    demo: rehearse !== undefined || on("demo") ||
      environmentSwitch(env["PLATFORM_ADS_DEMO"], "PLATFORM_ADS_DEMO"),
    sandbox: on("sandbox"),
    format: givenFormat ?? formatOf(env["PLATFORM_ADS_FORMAT"]),
    givenFormat,
    fields: names,
    raw: on("raw"),
    color: given["color"] !== false,
    quiet: on("quiet"),
    verbose: on("verbose"),
  };
}

function formatOf(text: string | undefined): Format {
  if (!text) return "auto";
  const format = FORMATS.find((name) => name === text);
  if (format !== undefined) return format;
  throw new UsageError(`Cannot use PLATFORM_ADS_FORMAT "${text}": expected one of ${FORMATS.join(", ")}`);
}
