import { isPostgres } from "../../base/text/is_postgres.ts";
import type { AuditLog } from "./audit_log.ts";
import { FileAuditLog } from "./file_audit_log.ts";

/**
 * Returns the log at a location: a file or a PostgreSQL database. The location is opened only when the log is used.
 *
 * @param place Path of a file, or `postgres://USER:PASSWORD@HOST:PORT/DATABASE`.
 *
 * @example
 * ```ts
 * import { openAuditLog } from "@platform/ads/mcp";
 *
 * async function printTools(place: string): Promise<void> {
 *   const log = await openAuditLog(place);
 *   for await (const { text } of log.lines()) console.log(JSON.parse(text).tool);
 *   await log.close();
 * }
 * ```
 */
export async function openAuditLog(
  place: string,
  options: { readonly now?: () => number } = {},
): Promise<AuditLog> {
  if (!isPostgres(place)) return new FileAuditLog(place, options);
  const { PostgresAuditLog } = await import("./postgres_audit_log.ts");
  return new PostgresAuditLog(place, options);
}
