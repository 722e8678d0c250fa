import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { fileSystem } from "../../../runtime/file_system.ts";
import { CliError } from "../../core/errors/cli_error.ts";
import type { CommandKit } from "../../core/command.ts";
import type { CliContext } from "../../core/context.ts";
import { demoFiles } from "../../../demo/demo_files.ts";
import { servedDemo } from "../../../demo/served_demo.ts";
import { DemoLock } from "../../../demo/demo_lock.ts";
import { EXIT } from "../../core/errors/exit_codes.ts";
import { say } from "../../output/say.ts";

/** `adsctl emulator reset`. */
export function emulatorResetCommand(kit: CommandKit): CommandUnknownOpts {
  return kit.leaf("reset", {
    summary: "Reset the demo account to its first state",
    examples: [["adsctl emulator reset", "forget everything that was changed with --demo"]],
    library: "emulator.reset()",
  }).action((_, self) => kit.run(runEmulatorReset, self));
}

/** Forgets everything that was changed in the demo account. */
export async function runEmulatorReset({ io, globals }: CliContext): Promise<number> {
  const files = demoFiles(io.env);
  const lock = DemoLock.tryTake(files.lock);
  if (lock !== undefined) {
    await fileSystem().remove(files.state);
    lock.release();
  } else {
    const served = await servedDemo(demoFiles(io.env), io.fetch);
    if (served === undefined) {
      throw new CliError(
        `Cannot reset the demo account: ${DemoLock.holder(files.lock)} is working on it. Try again`,
        EXIT.failed,
      );
    }
    await (io.fetch ?? fetch)(`${served.url}/_emulator/reset`, { method: "POST" });
  }
  await say("The demo account is in its first state again", { io, globals });
  return EXIT.done;
}
