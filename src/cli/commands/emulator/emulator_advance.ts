import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { UsageError } from "../../core/errors/cli_error.ts";
import type { CommandKit } from "../../core/command.ts";
import type { CliContext } from "../../core/context.ts";
import { EXIT } from "../../core/errors/exit_codes.ts";
import { controlEmulator, URL_OPTION } from "./emulator_control.ts";

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 7 * 86_400 };

/** `adsctl emulator advance`. */
export function emulatorAdvanceCommand(kit: CommandKit): CommandUnknownOpts {
  return kit.leaf("advance", {
    summary: "Move the clock of the emulator forward",
    details:
      "Reports become final, messages of the stream are sent, tokens expire. Commands with --demo follow its " +
      "clock; emulator reset sets it back. A client of your own follows it by its option now.",
    examples: [
      ["adsctl emulator advance 7d", "a week later"],
      ["adsctl emulator advance 90m", "an hour and a half later"],
    ],
    library: "emulator.advance(7 * 86_400)",
  })
    .argument("<time>", "30s, 90m, 6h, 7d or 2w")
    .option(...URL_OPTION)
    .action((time, options, self) =>
      kit.run((context) => runEmulatorAdvance({ time, ...options }, context), self)
    );
}

/** Moves the clock of the emulator and reports its new time. */
export async function runEmulatorAdvance(
  { time, url }: { time: string; url?: string },
  context: CliContext,
): Promise<number> {
  const [, count, unit = ""] = /^(\d{1,6})([smhdw])$/.exec(time.trim()) ?? [];
  const seconds = Number(count) * (SECONDS[unit] ?? NaN);
  if (!(seconds > 0)) {
    throw new UsageError(`Cannot advance the clock by "${time}": write 30s, 90m, 6h, 7d or 2w`);
  }
  const body = JSON.stringify({ advance: seconds });
  const { now } = JSON.parse(await controlEmulator({ method: "POST", name: "clock", body }, url, context));
  await context.io.stdout.write(`${now}\n`);
  return EXIT.done;
}
