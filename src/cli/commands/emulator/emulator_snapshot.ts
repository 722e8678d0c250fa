import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { fileSystem } from "../../../runtime/file_system.ts";
import type { CommandKit } from "../../core/command.ts";
import type { CliContext } from "../../core/context.ts";
import { EXIT } from "../../core/errors/exit_codes.ts";
import { controlEmulator, URL_OPTION } from "./emulator_control.ts";
import { say } from "../../output/say.ts";

/** `adsctl emulator snapshot`. */
export function emulatorSnapshotCommand(kit: CommandKit): CommandUnknownOpts {
  return kit.leaf("snapshot", {
    summary: "Save everything the emulator remembers",
    details: "Entities, change history, reports, clock and tokens. emulator restore brings them back.",
    examples: [["adsctl emulator snapshot before.json", "save it before an experiment"]],
    library: "const snapshot = emulator.snapshot()",
  })
    .argument("<file>", "where to; - for stdout")
    .option(...URL_OPTION)
    .action((file, options, self) =>
      kit.run((context) => runEmulatorSnapshot({ file, ...options }, context), self)
    );
}

/** Writes a snapshot of the emulator to a file. */
export async function runEmulatorSnapshot(
  { file, url }: { file: string; url?: string },
  context: CliContext,
): Promise<number> {
  const { io, globals } = context;
  const snapshot = await controlEmulator({ method: "GET", name: "snapshot" }, url, context);
  if (file === "-") await io.stdout.write(`${snapshot}\n`);
  else {
    await fileSystem().writeText(file, `${snapshot}\n`, { mode: 0o600 });
    await say(`Saved to ${file}`, { io, globals });
  }
  return EXIT.done;
}
