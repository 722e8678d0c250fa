import { isPostgres } from "../../../internal/is_postgres.ts";
import type { ScriptQuery } from "../../../scripts/script.ts";
import type { CliContext } from "../../core/context.ts";
import { lazyImport } from "../../core/lazy_import.ts";

/**
 * Runs queries of scripts in a process of their own, which ends with the script. A server ends a query by itself, so only
 * files need it.
 *
 * @returns `undefined` for a store on a server, and where this program cannot start itself.
 */
export async function scriptQuery(place: string, { io }: CliContext): Promise<ScriptQuery | undefined> {
  const { program } = io;
  if (program === undefined || isPostgres(place)) return undefined;
  const { queryInSubprocess } = await lazyImport<
    typeof import("../../../store/queries/query_in_subprocess.ts")
  >("../store/queries/query_in_subprocess");
  return (query) => queryInSubprocess(program, place, query);
}
