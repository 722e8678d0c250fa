import { type CommandUnknownOpts, Option } from "@commander-js/extra-typings";
import { environmentSwitch } from "../../../../base/runtime/environment_switch.ts";
import { UsageError } from "../io/cli_error.ts";
import type { CliIo } from "../io/cli_io.ts";

export const FORMATS = ["table", "tsv", "json", "jsonl", "csv"] as const;

export type Format = "auto" | typeof FORMATS[number];

export interface GlobalOptions {
  readonly envFile: string | undefined;
  readonly platform: string | undefined;
  readonly policy: string | undefined;
  readonly wire: string | undefined;
  readonly demo: boolean;
  readonly rehearse: string | undefined;
  readonly sandbox: boolean;
  readonly format: Format;
  readonly givenFormat?: Format | undefined;
  readonly fields: readonly string[] | undefined;
  /** Leaves formulas and control characters in CSV unescaped. */
  readonly raw: boolean;
  readonly color: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
}

export const GLOBAL_HEADING = "Global options:";

export function globalOptionRows(): { readonly flags: string; readonly meaning: string }[] {
  return options(new Set()).map(({ flags, description, argChoices }) => ({
    flags,
    meaning: argChoices === undefined ? description : `${description} (${argChoices.join(", ")})`,
  }));
}

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

/** A short name that the command uses itself is not overridden. */
export function addGlobalOptions(command: CommandUnknownOpts): void {
  const taken = new Set(command.options.map((option) => option.short));
  for (const option of options(taken)) command.addOption(option.helpGroup(GLOBAL_HEADING));
}

/**
 * Global options may stand before the command, in a group or after it; the last one wins. Missing ones come from the
 * environment.
 *
 * @throws {UsageError} for mutually exclusive options.
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
