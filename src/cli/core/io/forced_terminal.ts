import type { CliIo } from "./cli_io.ts";

/** The same world, with a stdout that passes for a terminal where `PLATFORM_ADS_FORCE_TTY` gives its columns. */
export function withForcedTerminal(io: CliIo): CliIo {
  const columns = Number(io.env["PLATFORM_ADS_FORCE_TTY"]);
  if (!Number.isInteger(columns) || columns < 20) return io;
  const { stdout } = io;
  return { ...io, stdout: { isTerminal: true, columns, write: (text) => stdout.write(text) } };
}
