import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { commandKit } from "./shell/command.ts";
import type { CommandEntry } from "./command_index.ts";
import { EXIT } from "./shell/io/cli_error.ts";
import { Interruption } from "./shell/context/interruption.ts";
import type { CliIo } from "./shell/io/cli_io.ts";
import { loadProgram } from "./program.ts";

export async function describedCommand(entry: CommandEntry, io: CliIo): Promise<CommandUnknownOpts> {
  const interruption = new Interruption({ ...io, onInterrupt: () => () => {} }, () => {});
  const world = { io, interruption, runLine: () => Promise.resolve(EXIT.usage), onOptions: () => {} };
  const kit = commandKit(world, { out: "", err: "", exitCode: EXIT.done });
  return (await loadProgram(entry, kit)).commands[0]!;
}
