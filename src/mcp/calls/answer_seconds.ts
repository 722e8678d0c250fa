import type { ServerContext } from "@modelcontextprotocol/server";

/** Seconds after which a client gives up that does not say when it does. */
const USUAL_TIMEOUT = 60;
const MAX_TIMEOUT = 3600;
/** Part of a client's timeout in which it is answered. */
const MARGIN = 5 / 6;

/**
 * Seconds in which a call must be answered: less than the client waits. A client says how long it waits in the field
 * `timeout` of a request's `_meta`, in seconds; 60 are assumed otherwise.
 *
 * @param wanted Seconds that the arguments of the call ask for.
 */
export function answerSeconds(mcp: ServerContext, wanted = 0): number {
  const timeout = mcp.mcpReq._meta?.["timeout"];
  const isKnown = typeof timeout === "number" && timeout > 0 && timeout <= MAX_TIMEOUT;
  return isKnown ? timeout * MARGIN : Math.max(USUAL_TIMEOUT * MARGIN, wanted);
}
