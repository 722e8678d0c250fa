import type { CliContext } from "../core/context.ts";
import { wrapLines } from "./wrap_lines.ts";

/** Writes a text for a person on standard output; on a terminal its lines break between words. */
export async function writeText(text: string, { io: { stdout } }: Pick<CliContext, "io">): Promise<void> {
  await stdout.write(wrapLines(text, stdout.columns));
}
