/**
 * The tool server for agents. Run `mcp.ts`, or use these exports to run the server inside a program.
 *
 * @module
 */
export { main, type McpIo } from "./main.ts";
export type { StdioStreams } from "./serve_stdio.ts";
export type { ProgramCommand } from "../../store/model/query_question.ts";
export { openAuditLog } from "../../automation/audit/open_audit_log.ts";
export { type AuditProblem, type AuditVerdict, verifyAudit } from "../../automation/audit/verify_audit.ts";
export type { AuditLine, AuditLog } from "../../automation/audit/audit_log.ts";
export type { AuditCaller, AuditEntry, AuditRecord, CutOffLine } from "../../automation/audit/audit_log.ts";
