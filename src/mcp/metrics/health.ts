import type { McpContext } from "../mcp_context.ts";

/** Requirements of a ready server. */
export type CheckedContext = Pick<McpContext, "ads" | "store">;

/** How a server is. */
export interface Health {
  /** True as long as it can say so. */
  readonly alive: true;
  /** True when it can serve calls. */
  readonly ready: boolean;
  /** True when settings and credentials of the platform are there. Nothing is sent to find out. */
  readonly credentials: boolean;
  /** True when the report store responds; absent where there is none. */
  readonly store?: boolean;
}

/** Milliseconds that a check may take. */
const TIMEOUT = 3_000;

/** Checks that a server is ready; of several accounts, that all of them are. Shows no data of any account. */
export async function health(contexts: readonly CheckedContext[]): Promise<Health> {
  const credentials = await all(contexts.map((context) => context.ads()));
  const stores = contexts.flatMap(({ store }) => store === undefined ? [] : [store]);
  const store = stores.length === 0 ? undefined : await all(stores.map(async (one) => {
    await (await one.warehouse()).query("SELECT 1 AS one", [], { maxRows: 1 });
  }));
  return {
    alive: true,
    ready: credentials && store !== false,
    credentials,
    ...(store === undefined ? {} : { store }),
  };
}

async function all(checks: readonly Promise<unknown>[]): Promise<boolean> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error("It took too long")), TIMEOUT);
  try {
    await Promise.race([Promise.all(checks), late.promise]);
    return true;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}
