import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { parseEntry } from "../../../audit/audit_chain.ts";
import type { AuditEntry } from "../../../audit/audit_record.ts";
import { visibleText } from "../../../internal/visible_text.ts";
import type { CommandKit } from "../../core/command.ts";
import type { CliContext } from "../../core/context.ts";
import { EXIT } from "../../core/errors/exit_codes.ts";
import { parseMoment } from "../../options/moments.ts";
import { positiveInteger } from "../../options/parse_values.ts";
import { printRows } from "../../output/print_rows.ts";
import type { Row } from "../../output/row_printer.ts";
import { withAuditLog } from "./with_audit_log.ts";

const COLUMNS = ["at", "who", "tool", "phase", "verdict", "plan", "approval", "result"];
const FIELDS = ["n", ...COLUMNS, "kind", "tenant", "call", "arguments", "policy", "hash"];

/** Options of {@linkcode runAuditShow}. */
export interface AuditShowOptions {
  /** Subject of the caller, or its tenant. */
  readonly who?: string;
  readonly tool?: string;
  /** Id of a plan. */
  readonly plan?: string;
  /** As typed: days or hours ago, a day, or a moment. */
  readonly since?: string;
  /** Maximum number of entries, newest first. */
  readonly limit?: number;
}

/** `adsctl audit show`. */
export function auditShowCommand(kit: CommandKit): CommandUnknownOpts {
  return kit.leaf("show", {
    summary: "List the calls of an audit log, oldest first",
    details: "It reads what is there; adsctl audit verify says whether that was changed.",
    examples: [
      ["adsctl audit show audit.jsonl --since -1", "the last day"],
      [
        "adsctl audit show audit.jsonl --plan 20261120-101500-1a2b3c4d --json",
        "who made and who applied a plan",
      ],
    ],
    library: "for await (const { text } of log.lines()) { ... }",
    fields: FIELDS,
  })
    .argument("[place]", "file or postgres:// address (default: PLATFORM_ADS_MCP_AUDIT)")
    .option("--who <name>", "only calls of this subject or tenant")
    .option("--tool <name>", "only calls of this tool")
    .option("--plan <id>", "only calls that made, read or applied this plan")
    .option("--since <moment>", "days ago (-7), hours ago (-3h), a day or a moment (UTC)")
    .option("--limit <n>", "the newest so many", positiveInteger)
    .action((place, options, self) => kit.run((context) => runAuditShow(place, options, context), self));
}

/** Lists calls. */
export async function runAuditShow(
  place: string | undefined,
  { who, tool, plan, since, limit = Infinity }: AuditShowOptions,
  context: CliContext,
): Promise<number> {
  const { io, globals } = context;
  const from = since === undefined
    ? undefined
    : new Date(parseMoment(since, { option: "--since", now: io.now(), timeZone: "UTC" })).toISOString();
  const isWanted = (entry: AuditEntry): boolean =>
    (who === undefined || entry.who.subject === who || entry.who.tenant === who) &&
    (tool === undefined || entry.tool === tool) && (plan === undefined || entry.plan === plan) &&
    (from === undefined || entry.at >= from);
  const rows: Row[] = [];
  let unread = 0;
  await withAuditLog(place, context, async (log) => {
    for await (const { text } of log.lines()) {
      const entry = parseEntry(text);
      if (entry === undefined) unread++;
      else if (isWanted(entry)) rows.push(rowOf(entry));
      if (rows.length > 2 * limit) rows.splice(0, rows.length - limit);
    }
  });
  await printRows(rows.slice(-limit), { columns: COLUMNS, fields: FIELDS }, context);
  if (unread > 0 && !globals.quiet) {
    await io.stderr.write(
      `warning: ${unread} ${
        unread === 1 ? "line is not an entry" : "lines are not entries"
      }. Look with "adsctl audit verify"\n`,
    );
  }
  return EXIT.done;
}

/** The entry as a row. Somebody may have written anything into the file. */
function rowOf({ who, ...entry }: AuditEntry): Row {
  const fields = { ...entry, who: who.subject, kind: who.kind, tenant: who.tenant };
  return Object.fromEntries(
    Object.entries(fields).map((
      [name, value],
    ) => [name, typeof value === "string" ? visibleText(value) : value]),
  );
}
