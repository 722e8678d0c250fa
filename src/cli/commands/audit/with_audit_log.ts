import { openAuditLog } from "../../../audit/open_audit_log.ts";
import type { AuditLog } from "../../../audit/audit_log.ts";
import type { CliContext } from "../../core/context.ts";
import { UsageError } from "../../core/errors/cli_error.ts";

/**
 * Opens the log that was named, or that of PLATFORM_ADS_MCP_AUDIT, passes it to `step`, and closes it.
 *
 * @throws {UsageError} when none is named.
 */
export async function withAuditLog<Result>(
  named: string | undefined,
  { io }: CliContext,
  step: (log: AuditLog) => Promise<Result>,
): Promise<Result> {
  const place = named ?? (io.env["PLATFORM_ADS_MCP_AUDIT"] || undefined);
  if (place === undefined) {
    throw new UsageError(
      "Cannot read an audit log: none is named. Give its file, or set PLATFORM_ADS_MCP_AUDIT",
    );
  }
  const log = await openAuditLog(place);
  try {
    return await step(log);
  } finally {
    await log.close();
  }
}
