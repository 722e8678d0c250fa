import { McpContext } from "../mcp_context.ts";
import type { Tenants } from "./tenants.ts";

/** Accounts of a server over HTTP: one, or several. */
export interface Served {
  /** By the tenant of a caller; one account has no name. */
  readonly contexts: ReadonlyMap<string | undefined, McpContext>;
  /** Members of the accounts, when there are several. @default there is one, for everybody */
  readonly tenants?: Tenants;
  /** Takes a line for the log. */
  readonly log: (line: string) => void;
  readonly now: () => number;
}

/** Wraps a context that stands for the one account of a server. */
export function servedOf(served: McpContext | Served): Served {
  if (!(served instanceof McpContext)) return served;
  const log = (line: string): void => served.log(line);
  return { contexts: new Map([[undefined, served]]), log, now: served.now };
}
