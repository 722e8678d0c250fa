import type { ToolSettings } from "../mcp_context.ts";

/** The command with which a person approves a plan of this server, wherever they run it. */
export function approveCommand(planId: string, settings: ToolSettings): string {
  return `adsctl plan approve ${planId} --folder ${quoted(settings.planFolder)}${accountOption(settings)}`;
}

/** The option by which a command works on the account of this server: ` --demo`; empty for a real account. */
export function accountOption({ demo, rehearsal }: Pick<ToolSettings, "demo" | "rehearsal">): string {
  return rehearsal !== undefined ? ` --rehearse ${quoted(rehearsal)}` : demo ? " --demo" : "";
}

/** A path as a shell takes it. */
export function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `"${path}"`;
}
