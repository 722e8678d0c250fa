import { waiting, windowsText } from "./windows_text.ts";
import type { Unit } from "./unit.ts";

/** Stores the results of clean-room queries. */
export const workflows = {
  timedBy: "sync",
  isShared: true,
  run: async ({ timer, signal }, { store, room, poll }) => {
    const { loadWorkflows } = await import("../../../account/runs/load_workflows.ts");
    const { syncWorkflows } = await import("../../../account/runs/sync_workflows.ts");
    if (room === undefined) throw new Error("No clean room is known here");
    const files = await loadWorkflows([timer.file!]);
    const outcomes = await syncWorkflows(store, await room(), files, { signal, ...waiting(poll) });
    signal.throwIfAborted();
    const hidden = outcomes.find(({ warning }) => warning !== undefined)?.warning;
    return windowsText(
      outcomes.map(({ workflowId, ...one }) => ({ ...one, name: workflowId })),
      hidden === undefined ? [] : [hidden],
    );
  },
} satisfies Unit;
