import { lazyImport } from "../lazy_import.ts";
import type { CliIo } from "./cli_io.ts";

/** The same world, with lines of standard error broken between words where it is a terminal. */
export function withWrappedNotes(io: CliIo): CliIo {
  const { stderr } = io;
  if (!stderr.isTerminal) return io;
  return {
    ...io,
    stderr: {
      isTerminal: true,
      get columns() {
        return stderr.columns;
      },
      write: async (text) => {
        const { wrapLines } = await lazyImport<typeof import("../../output/wrap_lines.ts")>(
          "output/wrap_lines",
        );
        await stderr.write(wrapLines(text, stderr.columns));
      },
    },
  };
}
