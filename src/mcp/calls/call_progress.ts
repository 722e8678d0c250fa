import type { ServerContext } from "@modelcontextprotocol/server";

/** Tells the client of a call how far the work is. Never fails. */
export type CallProgress = (done: number, message: string, total?: number) => Promise<void>;

const MIN_STEP = 0.001;
const HEARTBEAT_SECONDS = 1;

/** The progress of a call whose client asked for it; nothing is sent to others. */
export function callProgress(mcp: ServerContext): CallProgress {
  const progressToken = mcp.mcpReq._meta?.progressToken;
  let last = -1;
  return async (done, message, total) => {
    if (progressToken === undefined || mcp.mcpReq.signal.aborted) return;
    // The protocol wants each figure to be larger than the one before.
    const progress = last = done > last ? done : last + MIN_STEP;
    const params = { progressToken, progress, message, ...(total === undefined ? {} : { total }) };
    // The client may be gone by now; the work goes on all the same.
    await mcp.mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
  };
}

/** Reports every second that the work goes on, so that no client takes a wait for the end. */
export function startHeartbeat(progress: CallProgress): ReturnType<typeof setInterval> {
  const began = performance.now();
  return setInterval(() => {
    void progress(-1, `Working for ${Math.round((performance.now() - began) / 1000)} s`);
  }, HEARTBEAT_SECONDS * 1000);
}
