import type { CliContext } from "../context/context.ts";

export function wantsData({ globals }: Pick<CliContext, "globals">): boolean {
  return globals.format === "json" || globals.format === "jsonl";
}

export function drawsTable({ globals, io }: Pick<CliContext, "globals" | "io">): boolean {
  return globals.format === "table" || (globals.format === "auto" && io.stdout.isTerminal);
}
