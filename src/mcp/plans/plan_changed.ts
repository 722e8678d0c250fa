import type { McpContext } from "../mcp_context.ts";
import { PLAN_LIST, planUri } from "../resources.ts";

/** Reports to the clients that watch a plan, or the list of plans, that it was saved, applied or refused. */
export function planChanged(context: McpContext, id: string): void {
  context.updated(planUri(id));
  context.updated(PLAN_LIST);
}
