#!/usr/bin/env -S deno run -A
/**
 * `platform-ads-mcp`, the tool server for agents.
 *
 * @module
 */
import { run } from "./src/interfaces/mcp/main.ts";

export {
  type AuditCaller,
  type AuditEntry,
  type AuditLine,
  type AuditLog,
  type AuditProblem,
  type AuditRecord,
  type AuditVerdict,
  type CutOffLine,
  main,
  type McpIo,
  openAuditLog,
  type ProgramCommand,
  type StdioStreams,
  verifyAudit,
} from "./src/interfaces/mcp/mod.ts";

if (import.meta.main) await run();
