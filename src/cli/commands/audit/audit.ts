import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import type { CommandKit } from "../../core/command.ts";
import { auditShowCommand } from "./audit_show.ts";
import { auditVerifyCommand } from "./audit_verify.ts";

/** `adsctl audit`. */
export function auditCommand(kit: CommandKit): CommandUnknownOpts {
  const group = kit.group("audit", {
    summary: "Check and read the audit log of a tool server",
    details:
      "platform-ads-mcp --audit FILE writes every call of a tool down: who, which tool, a digest of the arguments, the " +
      "plan, the approval and the result. Each entry holds the hash of the one before it.",
    examples: [
      ["adsctl audit verify audit.jsonl", "was anything changed or left out?"],
      ["adsctl audit show audit.jsonl --tool apply_plan --since -7", "what agents applied in a week"],
    ],
    library: "const verdict = await verifyAudit((await openAuditLog(place)).lines())",
  });
  for (const make of [auditVerifyCommand, auditShowCommand]) group.addCommand(make(kit));
  return group;
}
