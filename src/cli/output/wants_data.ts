import type { CliContext } from "../core/context.ts";

/** True when data is wanted, and not a view for a person. */
export function wantsData({ globals }: Pick<CliContext, "globals">): boolean {
  return globals.format === "json" || globals.format === "jsonl";
}
