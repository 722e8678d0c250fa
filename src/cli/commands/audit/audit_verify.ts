import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { parseEntry } from "../../../audit/audit_chain.ts";
import type { AuditLine } from "../../../audit/audit_log.ts";
import { type AuditVerdict, verifyAudit } from "../../../audit/verify_audit.ts";
import { visibleText } from "../../../internal/visible_text.ts";
import type { CommandKit } from "../../core/command.ts";
import type { CliContext } from "../../core/context.ts";
import { UsageError } from "../../core/errors/cli_error.ts";
import { EXIT } from "../../core/errors/exit_codes.ts";
import { printJson, wantsData } from "../../output/print_rows.ts";
import { withAuditLog } from "./with_audit_log.ts";

const HASH = /^[0-9a-f]{64}$/;

/** Options of {@linkcode runAuditVerify}. */
export interface AuditVerifyOptions {
  /** Hash of an entry that must be in the log. */
  readonly expect?: string;
}

/** `adsctl audit verify`. */
export function auditVerifyCommand(kit: CommandKit): CommandUnknownOpts {
  return kit.leaf("verify", {
    summary: "Check that no entry was changed, left out, moved or put in",
    details:
      "Names the first line that is wrong and ends with 4. Files that were renamed when they were full are read too. " +
      "Who can write the file could write the whole chain anew, or cut off its end: keep the hash that this prints in " +
      "another place, and give it with --expect the next time. A line that was not written to its end, because a process " +
      "was killed, is reported and is no error.",
    examples: [
      ["adsctl audit verify audit.jsonl", "the last line has the hash to keep"],
      ["adsctl audit verify audit.jsonl --expect HASH", "is what was there the last time still there?"],
    ],
    library: "const verdict = await verifyAudit(log.lines())",
  })
    .argument("[place]", "file or postgres:// address (default: PLATFORM_ADS_MCP_AUDIT)")
    .option("--expect <hash>", "hash that an earlier check printed; it must be in the log")
    .action((place, options, self) => kit.run((context) => runAuditVerify(place, options, context), self));
}

/** Checks a log. */
export async function runAuditVerify(
  place: string | undefined,
  { expect }: AuditVerifyOptions,
  context: CliContext,
): Promise<number> {
  if (expect !== undefined && !HASH.test(expect)) {
    throw new UsageError(
      `Cannot expect "${expect}": it is not a hash of 64 digits, as adsctl audit verify prints it`,
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
}

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
