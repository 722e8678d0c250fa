import { rm } from "node:fs/promises";
import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { demoFiles } from "../../../demo/demo_files.ts";
import { DemoLock } from "../../../demo/demo_lock.ts";
import { rehearsalEnvironment } from "../../../demo/rehearsal.ts";
import { stateFolder } from "../../../runtime/user_folders.ts";
import { visibleText } from "../../../internal/visible_text.ts";
import type { CommandKit } from "../../core/command.ts";
import { CliError, refusingBadInput } from "../../core/errors/cli_error.ts";
import { EXIT } from "../../core/errors/exit_codes.ts";
import { say } from "../../output/say.ts";

/** `adsctl rehearse reset`. */
export function rehearseResetCommand(kit: CommandKit): CommandUnknownOpts {
  return kit.leaf("reset", {
    summary: "Forget everything that was done in the rehearsal of a copy",
    details:
      "Changes, plans, store and limits of the day of the rehearsal go; the file stays as it is. A new copy of the " +
      "account begins with nothing done anyway.",
    examples: [["adsctl rehearse reset friday.snap", "begin again"]],
  })
    .argument("<file>", "file of adsctl rehearse pull")
    .action((file, _, self) =>
      kit.run(async ({ io, globals }) => {
        const env = await refusingBadInput(() => rehearsalEnvironment(io.env, file));
        const folder = stateFolder(env);
        const { lock: path } = demoFiles(env);
        const lock = DemoLock.tryTake(path);
        if (lock === undefined) {
          throw new CliError(
            `Cannot reset the rehearsal: ${DemoLock.holder(path)} is working on it. End that first`,
            EXIT.failed,
          );
        }
        lock.release();
        await rm(folder, { recursive: true, force: true });
        await say(`The rehearsal of ${visibleText(file)} begins anew`, { io, globals });
        return EXIT.done;
      }, self)
    );
}
