import type { CliContext } from "../context/context.ts";

/** True when data is wanted, and not a view for a person. */
export function wantsData({ globals }: Pick<CliContext, "globals">): boolean {
  return globals.format === "json" || globals.format === "jsonl";
}

/** True where rows are drawn as a table for a person; everything else is read by a program. */
export function drawsTable({ globals, io }: Pick<CliContext, "globals" | "io">): boolean {
  return globals.format === "table" || (globals.format === "auto" && io.stdout.isTerminal);
}
