import type { CliIo } from "./io/cli_io.ts";

/** Columns that help takes at most, and those of the pages that are written beforehand. */
export const HELP_WIDTH = 100;

/**
 * The help of a command, written beforehand so that nothing of the command has to be loaded; `undefined` where there is
 * no such page, or none that fits.
 *
 * @param words The command and its subcommands.
 */
export async function writtenHelp(words: readonly string[], io: CliIo): Promise<string | undefined> {
  if ((io.stdout.columns ?? HELP_WIDTH) < HELP_WIDTH) return undefined;
  const { HELP_PAGES } = await import("./help_pages.ts");
  return HELP_PAGES[words.join(" ")];
}
