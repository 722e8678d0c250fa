import { isPostgres } from "../../../../base/text/is_postgres.ts";
import { loadPolicy } from "../../../../plans/policy/load_policy.ts";
import type { FiguresSource } from "../../../../plans/review/figures_source.ts";
import type { DayLedger } from "../../../../plans/state/day_ledger.ts";
import type { Policy } from "../../../../plans/policy/policy.ts";
import { stateFolder } from "../../../../base/runtime/user_folders.ts";
import type { CliContext } from "../context/context.ts";
import { storePlace } from "../options/store_option.ts";

/**
 * Keeps the policy's daily totals in the state folder, and also in a PostgreSQL store for all machines that share it.
 *
 * @throws {ConfigurationError} when the policy is unusable; nothing may be sent then.
 */
export async function openPolicy(
  path: string,
  { io, globals }: Pick<CliContext, "io" | "globals">,
  { figures }: { readonly figures: FiguresSource },
): Promise<Policy> {
  const place = storePlace({}, { io, globals });
  const isShared = isPostgres(place);
  return await loadPolicy(path, {
    ledger: isShared
      ? await sharedLedger(place, io.now)
      : `${stateFolder(io.env, { of: "what the policy counts", option: "--store" })}/${
        globals.demo ? "demo-policy-days" : "policy-days"
      }`,
    now: io.now,
    figures,
  });
}

async function sharedLedger(address: string, now: () => number): Promise<DayLedger> {
  const { PostgresLedger } = await import("../../../../store/postgres/postgres_ledger.ts");
  return new PostgresLedger(address, { now });
}
