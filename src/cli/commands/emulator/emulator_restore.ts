import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import type { CommandKit } from "../../core/command.ts";
import type { CliContext } from "../../core/context.ts";
import { EXIT } from "../../core/errors/exit_codes.ts";
import { readInput } from "../../text/read_input.ts";
import { controlEmulator, URL_OPTION } from "./emulator_control.ts";
import { say } from "../../output/say.ts";

/** `adsctl emulator restore`. */
export function emulatorRestoreCommand(kit: CommandKit): CommandUnknownOpts {
  return kit.leaf("restore", {
    summary: "Bring back what a snapshot of the emulator holds",
    details: "Later changes are lost. A snapshot fits emulators with the same seed.",
    examples: [["adsctl emulator restore before.json", "as if the experiment had not been"]],
    library: "emulator.restore(snapshot)",
  })
    .argument("<file>", "a snapshot; - for stdin")
    .option(...URL_OPTION)
    .action((file, options, self) =>
      kit.run((context) => runEmulatorRestore({ file, ...options }, context), self)
    );
}

/** Takes the emulator back to a snapshot. */
export async function runEmulatorRestore(
  { file, url }: { file: string; url?: string },
  context: CliContext,
): Promise<number> {
  const { io, globals } = context;
  const { text: body, name } = await readInput(file, io);
  await controlEmulator({ method: "POST", name: "snapshot", body }, url, context);
  await say(`Restored ${name}`, { io, globals });
  return EXIT.done;
}
