/** A process that writes to a log: `audit_writer.ts <file> <entries>`. */
import { FileAuditLog } from "../../src/automation/audit/file_audit_log.ts";
import { record } from "./audit_contract.ts";

if (import.meta.main) {
  const log = new FileAuditLog(Deno.args[0]!, { lockLease: 1 });
  for (let at = 0; at < Number(Deno.args[1]); at++) await log.append(record(`tool_${Deno.pid}_${at}`));
}
