import { command, group } from "../../shell/command.ts";
import { parseEntry } from "../../../../automation/audit/audit_chain.ts";
import type { AuditEntry, AuditLine, AuditLog } from "../../../../automation/audit/audit_log.ts";
import { visibleText } from "../../../../base/text/visible_text.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { EXIT, UsageError } from "../../shell/io/cli_error.ts";
import { parseMoment } from "../../shell/options/times.ts";
import { positiveInteger } from "../../shell/options/parse_values.ts";
import { printJson, printRows, wantsData } from "../../shell/output/print_rows.ts";
import type { Row } from "../../shell/context/row_printer.ts";
import { type AuditVerdict, verifyAudit } from "../../../../automation/audit/verify_audit.ts";
import { openAuditLog } from "../../../../automation/audit/open_audit_log.ts";
const COLUMNS = ["at", "who", "tool", "phase", "verdict", "plan", "approval", "result"];
const FIELDS = ["n", ...COLUMNS, "kind", "tenant", "call", "arguments", "policy", "hash"];

const auditShowCommand = command(
  (kit) =>
    kit.leaf("show", {
      printsRows: true,
      summary: "List the calls of an audit log, oldest first",
      details: "Does not verify the log; use adsctl auto audit check for that.",
      examples: [
        ["adsctl auto audit show audit.jsonl --since -1", "the last day"],
        [
          "adsctl auto audit show audit.jsonl --plan 20261120-101500-1a2b3c4d --json",
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
      .option("--since <moment>", "days ago (-7), hours ago (-3h), a date or a time (UTC)")
      .option("--limit <n>", "print only the newest n", positiveInteger),
  async (place, { who, tool, plan, since, limit = Infinity }, context) => {
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
        }. Look with "adsctl auto audit check"\n`,
      );
    }
    return EXIT.done;
  },
);

/** Fields are not trusted, because the file may have been edited. */
function rowOf({ who, ...entry }: AuditEntry): Row {
  const fields = { ...entry, who: who.subject, kind: who.kind, tenant: who.tenant };
  return Object.fromEntries(
    Object.entries(fields).map((
      [name, value],
    ) => [name, typeof value === "string" ? visibleText(value) : value]),
  );
}

const HASH = /^[0-9a-f]{64}$/;

const auditVerifyCommand = command(
  (kit) =>
    kit.leaf("check", {
      summary: "Verify that no entry was changed, removed, moved or added",
      details:
        "Prints the first invalid line, with exit code 4. Also reads rotated files. Anyone who can write the file can " +
        "rewrite the whole chain or truncate it: keep the printed hash elsewhere, and pass it with --expect next time. " +
        "A line left incomplete by a killed process is reported, but is not an error.",
      examples: [
        ["adsctl auto audit check audit.jsonl", "the last line has the hash to keep"],
        [
          "adsctl auto audit check audit.jsonl --expect HASH",
          "verify that the last known entry is still in the log",
        ],
      ],
      library: "const verdict = await verifyAudit(log.lines())",
    })
      .argument("[place]", "file or postgres:// address (default: PLATFORM_ADS_MCP_AUDIT)")
      .option("--expect <hash>", "hash that an earlier check printed; it must be in the log"),
  async (place, { expect }, context) => {
    if (expect !== undefined && !HASH.test(expect)) {
      throw new UsageError(
        `Cannot use --expect "${expect}": expected 64 hex digits, printed by adsctl auto audit check`,
      );
    }
    let isFound = expect === undefined;
    const { location, verdict } = await withAuditLog(place, context, async (log) => {
      const watched = async function* (): AsyncGenerator<AuditLine> {
        for await (const line of log.lines()) {
          isFound ||= parseEntry(line.text)?.hash === expect;
          yield line;
        }
      };
      return { location: log.location, verdict: await verifyAudit(watched()) };
    });
    const isGood = verdict.ok && isFound;
    if (wantsData(context)) {
      await printJson({ location, ...verdict, ok: isGood, expectedFound: isFound }, context);
    } else {
      for (const line of linesOf(verdict)) {
        await context.io.stdout.write(`${visibleText(line)}\n`);
      }
      if (verdict.ok && !isFound) {
        await context.io.stdout.write(`Cut off or written anew: no entry has the hash ${expect}\n`);
      }
    }
    return isGood ? EXIT.done : EXIT.refused;
  },
);

function* linesOf({ broken, cutOff, entries, first, last, open }: AuditVerdict): Generator<string> {
  for (const { source, line } of cutOff) yield `Line ${line} of ${source} was not written to its end`;
  if (first !== undefined && first > 1) yield `Begins with entry ${first}: older files are not there`;
  if (open > 0) yield `${open} ${open === 1 ? "call has" : "calls have"} a beginning and no end`;
  if (broken !== undefined) {
    yield `Broken at line ${broken.line} of ${broken.source}: ${broken.problem}. ${
      counted(entries)
    } before it follow each other`;
    return;
  }
  if (last === undefined) yield "No entries";
  else yield `${counted(entries)} follow each other, the last of ${last.at} with hash ${last.hash}`;
}

function counted(entries: number): string {
  return entries === 1 ? "1 entry" : `${entries} entries`;
}

async function withAuditLog<Result>(
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

export const auditCommand = group(
  "audit",
  {
    summary: "Check and read the audit log of a tool server",
    details:
      "platform-ads-mcp --audit FILE logs every tool call: caller, tool, a digest of the arguments, plan, " +
      "approval and result. Each entry contains the hash of the previous one.",
    examples: [
      ["adsctl auto audit check audit.jsonl", "verify the log"],
      ["adsctl auto audit show audit.jsonl --tool apply_plan --since -7", "list a week of applied plans"],
    ],
    library: "const verdict = await verifyAudit((await openAuditLog(place)).lines())",
  },
  [
    auditVerifyCommand,
    auditShowCommand,
  ],
);
