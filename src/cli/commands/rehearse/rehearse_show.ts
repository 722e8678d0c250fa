import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { readSnapshotFile } from "../../../demo/rehearsal.ts";
import { visibleText } from "../../../internal/visible_text.ts";
import type { CommandKit } from "../../core/command.ts";
import { refusingBadInput } from "../../core/errors/cli_error.ts";
import { EXIT } from "../../core/errors/exit_codes.ts";
import { printJson, wantsData } from "../../output/print_rows.ts";
import { copyData, copyLines } from "./copy_lines.ts";

/** `adsctl rehearse show`. */
export function rehearseShowCommand(kit: CommandKit): CommandUnknownOpts {
  return kit.leaf("show", {
    summary: "Show what the copy of an account holds, and when it was taken",
    details: "The file is read whole and compared with its checksum.",
    examples: [["adsctl rehearse show friday.snap", "profile, entities and figures"]],
    library: "await unpackSnapshot(file.stream())",
  })
    .argument("<file>", "file of adsctl rehearse pull")
    .action((file, _, self) =>
      kit.run(async (context) => {
        const copy = await refusingBadInput(() => readSnapshotFile(file));
        if (wantsData(context)) await printJson({ file, ...copyData(copy) }, context);
        else await context.io.stdout.write(copyLines(copy).map((line) => `${visibleText(line)}\n`).join(""));
        return EXIT.done;
      }, self)
    );
}
