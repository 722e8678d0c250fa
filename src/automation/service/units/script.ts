import { counted } from "../../../base/text/money_text.ts";
import { basename } from "node:path";
import { readNamedFile } from "../../../base/runtime/read_named_file.ts";
import type { Unit } from "./unit.ts";

/** Runs a user's script. */
export const script = {
  timedBy: "scripts",
  after: ["sync", "entities"],
  run: async (run, parts) => {
    const { runScript } = await import("../../scripts/run_script.ts");
    const { tellAlerts } = await import("./script_alerts.ts");
    const { profile, timer, signal } = run;
    const { store, query, plans, readRows } = parts;
    const { data, timeout, memory } = timer;
    if (data !== undefined && readRows === undefined) throw new Error(`Nothing here reads rows of ${data}`);
    const source = await readNamedFile(timer.file!, "the script");
    const result = await runScript(source, {
      profile,
      store,
      query,
      plans,
      name: basename(timer.file!),
      data: data === undefined ? [] : await readRows?.(data),
      seconds: timeout,
      megabytes: memory,
      onLog: (line) => parts.onLog?.(line, run),
      signal,
    });
    const { raised, failed } = await tellAlerts(result, run, parts);
    if (!result.ok) throw new Error(result.problem ?? "The script failed");
    const waits = failed.length === 0 ? "" : `, ${failed.length} wait for ${failed[0]!.channel}`;
    return `${counted(result.plans.length, "plan")}, ${counted(raised.length, "new alert")}${waits}`;
  },
} satisfies Unit;
