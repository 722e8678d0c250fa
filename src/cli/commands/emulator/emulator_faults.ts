import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import type { CommandKit } from "../../core/command.ts";
import type { CliContext } from "../../core/context.ts";
import type { CountedRule } from "../../../emulator/faults/fault_engine.ts";
import { UsageError } from "../../core/errors/cli_error.ts";
import { EXIT } from "../../core/errors/exit_codes.ts";
import { readInput } from "../../text/read_input.ts";
import { printJson, printRows, wantsData } from "../../output/print_rows.ts";
import { controlEmulator, URL_OPTION } from "./emulator_control.ts";

/** Options of {@linkcode runEmulatorFaults}. */
interface EmulatorFaultsOptions {
  /** Address of an emulator. */
  readonly url?: string;
}

const COLUMNS = ["name", "match", "when", "effects", "seen", "acted"];

/** `adsctl emulator faults`. */
export function emulatorFaultsCommand(kit: CommandKit): CommandUnknownOpts {
  return kit.leaf("faults", {
    summary: "Show or set what goes wrong on the emulator",
    details:
      "What is set stays set, for every later --demo too, until calm is set or the account is reset. " +
      "docs/emulator.md lists the effects that a rule may have.",
    examples: [
      ["adsctl emulator faults", "the rules, and how often each has acted"],
      ["adsctl emulator faults storm", "throttling, failures, cut connections, spoiled files"],
      ["adsctl emulator faults @rules.json", "rules of your own"],
      ["adsctl emulator faults calm", "nothing goes wrong any more"],
    ],
    library: 'emulator.setFaults("storm", { keep: true })',
  })
    .argument("[faults]", "calm, busy-day or storm, or a file: @rules.json, or - for stdin")
    .option(...URL_OPTION)
    .action((faults, options, self) =>
      kit.run((context) => runEmulatorFaults({ faults, options }, context), self)
    );
}

/** Shows the fault rules, or sets others. */
async function runEmulatorFaults(
  { faults, options }: { faults: string | undefined; options: EmulatorFaultsOptions },
  context: CliContext,
): Promise<number> {
  const request = faults === undefined
    ? { method: "GET", name: "faults" } as const
    : { method: "POST", name: "faults", body: await bodyOf(faults, context) } as const;
  const report: { rules: CountedRule[] } = JSON.parse(await controlEmulator(request, options.url, context));
  if (wantsData(context)) {
    await printJson(report, context);
    return EXIT.done;
  }
  if (report.rules.length > 0) await printRows(report.rules.map(rowOf), { columns: COLUMNS }, context);
  else if (!context.globals.quiet) {
    await context.io.stderr.write("Nothing goes wrong: there are no fault rules\n");
  }
  return EXIT.done;
}

async function bodyOf(faults: string, { io }: CliContext): Promise<string> {
  const isFile = faults.startsWith("@") || faults === "-";
  if (!isFile) return JSON.stringify({ profile: faults, keep: true });
  const { text, name } = await readInput(faults.replace(/^@/, ""), io);
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (cause) {
    throw new UsageError(`Cannot read ${name}: it is not JSON (${(cause as Error).message})`, { cause });
  }
  return JSON.stringify(
    Array.isArray(content) ? { rules: content, keep: true } : { ...content as object, keep: true },
  );
}

function rowOf({ name, match, effects, seen, acted, ...when }: CountedRule): Record<string, unknown> {
  return {
    name: name ?? "",
    match: JSON.stringify(match ?? {}),
    when: JSON.stringify(when),
    effects: JSON.stringify(effects),
    seen,
    acted,
  };
}
