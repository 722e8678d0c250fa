import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import type { CommandKit } from "../../core/command.ts";
import { emulatorAdvanceCommand } from "./emulator_advance.ts";
import { emulatorFaultsCommand } from "./emulator_faults.ts";
import { emulatorResetCommand } from "./emulator_reset.ts";
import { emulatorRestoreCommand } from "./emulator_restore.ts";
import { emulatorSnapshotCommand } from "./emulator_snapshot.ts";
import { emulatorStartCommand } from "./emulator_start.ts";
import { emulatorStatusCommand } from "./emulator_status.ts";

/** `adsctl emulator`. */
export function emulatorCommand(kit: CommandKit): CommandUnknownOpts {
  const group = kit.group("emulator", {
    summary: "Run the platform on your own machine",
    details:
      "--demo starts an emulator inside of each command and keeps its state. While adsctl emulator start runs, --demo " +
      "uses that one instead, and your own programs can use it too.",
    examples: [
      [
        "adsctl emulator start --write-env demo.env",
        "serve the demo account, and write the settings to reach it",
      ],
      ["adsctl emulator reset", "make the demo account as it was at first"],
    ],
    library: "const emulator = await Emulator.start({ port: 0 })",
  });
  const makers = [
    emulatorStartCommand,
    emulatorStatusCommand,
    emulatorFaultsCommand,
    emulatorAdvanceCommand,
    emulatorSnapshotCommand,
    emulatorRestoreCommand,
    emulatorResetCommand,
  ];
  for (const make of makers) {
    group.addCommand(make(kit));
  }
  return group;
}
