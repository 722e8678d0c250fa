import type { ToolSettings } from "../mcp_context.ts";

/** The command with which a person approves a plan of this server, wherever they run it. */
export function approveCommand(planId: string, { planFolder, demo }: ToolSettings): string {
  const folder = /^[\w./-]+$/.test(planFolder) ? planFolder : `"${planFolder}"`;
  return `adsctl plan approve ${planId} --folder ${folder}${demo ? " --demo" : ""}`;
}
