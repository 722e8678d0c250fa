import { loadPolicy } from "../../../policy/load_policy.ts";
import type { Policy } from "../../../policy/policy.ts";
import { stateFolder } from "../../../runtime/user_folders.ts";
import type { CliContext } from "../context.ts";
import { storeFigures } from "../store_figures.ts";

/**
 * Reads a policy that remembers the day in the user's state folder and takes figures from the store.
 *
 * @throws {ConfigurationError} when it cannot be used. Nothing may be sent then.
 */
export async function openPolicy(
  path: string,
  { io, globals }: Pick<CliContext, "io" | "globals">,
): Promise<Policy> {
  return await loadPolicy(path, {
    ledger: `${stateFolder(io.env)}/${globals.demo ? "demo-policy-days" : "policy-days"}`,
    now: io.now,
    figures: storeFigures({ io, globals }),
  });
}
