import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { existsSync } from "node:fs";
import type { CommandKit } from "../../core/command.ts";
import type { CliContext } from "../../core/context.ts";
import { demoFiles } from "../../../demo/demo_files.ts";
import { servedDemo } from "../../../demo/served_demo.ts";
import { EXIT } from "../../core/errors/exit_codes.ts";
import { printJson, wantsData } from "../../output/print_rows.ts";

/** `adsctl emulator status`. */
export function emulatorStatusCommand(kit: CommandKit): CommandUnknownOpts {
  return kit.leaf("status", {
    summary: "Show whether the demo account is served, and where its state is",
    examples: [["adsctl emulator status --json", "address and state file as data"]],
  }).action((_, self) => kit.run(runEmulatorStatus, self));
}

/** Shows whether the demo account is served. */
export async function runEmulatorStatus(context: CliContext): Promise<number> {
  const { io } = context;
  const { state } = demoFiles(io.env);
  const url = (await servedDemo(demoFiles(io.env), io.fetch))?.url ?? null;
  const changed = existsSync(state);
  if (wantsData(context)) {
    await printJson({ served_at: url, state_file: state, state_exists: changed }, context);
    return EXIT.done;
  }
  await io.stdout.write(
    `${
      url === null ? "Not served: --demo starts an emulator inside of each command" : `Served at ${url}`
    }\n` +
      `State: ${state}${changed ? "" : " (does not exist yet)"}\n`,
  );
  return EXIT.done;
}
