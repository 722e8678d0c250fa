import { isPostgres } from "../../../../base/text/is_postgres.ts";
import type { ScriptQuery } from "../../../../automation/scripts/script.ts";
import type { CliContext } from "../../shell/context/context.ts";

/**
 * Runs script queries in subprocesses that end with the script. Database servers can cancel a query, so only file
 * stores need it.
 *
 * @returns `undefined` for a store on a server, or if this program cannot restart itself.
 */
export async function scriptQuery(place: string, { io }: CliContext): Promise<ScriptQuery | undefined> {
  if (io.isProgram !== true || isPostgres(place)) return undefined;
  const [{ MAX_QUERIES, queryInSubprocess }, { thisProgram }, { Limiter }] = await Promise.all([
    import("../../../../store/warehouse/query_in_subprocess.ts"),
    import("../../../../store/warehouse/query_in_subprocess.ts"),
    import("../../../../store/sync/limiter.ts"),
  ]);
  const [program, turns] = [thisProgram(), new Limiter(MAX_QUERIES)];
  return (query) => turns.run(() => queryInSubprocess(program, place, query));
}
