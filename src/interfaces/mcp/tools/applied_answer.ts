import * as z from "zod";
import type { BatchError } from "../../../platform/batch/batch_error.ts";
import type { Change } from "../../../plans/model/change.ts";
import { missingLines } from "../../../plans/change_plan/outcome_text.ts";
import type { AppliedPlan } from "../../../plans/store/write_result.ts";
import { nameInProse, visibleText } from "../../../base/text/visible_text.ts";
import { firstWarnings, fittingRows, MAX_ROWS, shortened } from "../tooling/rows.ts";
import type { ResultCache } from "../calls/result_cache.ts";
import { platformText } from "../calls/failure_text.ts";
import { textTable } from "../calls/text_table.ts";
import type { ToolAnswer } from "../tooling/tool.ts";

const MAX_CREATED = 20;

export type Approver = "person" | "signed_approval" | "fingerprint_only";

export const APPLIED = z.object({
  plan_id: z.string(),
  ok: z.boolean(),
  summary: z.string(),
  succeeded: z.int(),
  failed: z.int(),
  failures: z.array(z.record(z.string(), z.unknown())),
  failures_uri: z.string().optional(),
  approved_by: z.enum(["person", "signed_approval", "fingerprint_only"]),
  created: z.array(z.object({ kind: z.string(), id: z.string(), label: z.string() })).optional(),
  rollback_plan_id: z.string().optional(),
  rollback_fingerprint: z.string().optional(),
  warnings: z.array(z.string()).optional(),
  result_file: z.string().optional(),
  responses: z.array(z.unknown()).optional(),
});

const WHO: Readonly<Record<Approver, string>> = {
  person: "Approved by a person, according to the client",
  signed_approval: "Approved and signed by a person",
  fingerprint_only:
    "Checked by fingerprint only: this client cannot ask a person, and PLATFORM_ADS_MCP_APPROVAL=terminal is not set",
};

export function appliedAnswer(
  { result, rollback, rollbackWarnings, resultPath, notWritten }: AppliedPlan,
  { approver, results }: { approver: Approver; results: ResultCache },
): ToolAnswer<z.input<typeof APPLIED>> {
  const failures = result.failures.map(({ change, error }) => failureRow(change, error));
  const succeeded = result.changes.length - failures.length;
  const warnings = firstWarnings(rollbackWarnings);
  for (const { message } of notWritten) warnings.push(`Some results could not be saved: ${message}`);

  const responses = result.changes.flatMap(({ response }) =>
    response === undefined ? [] : [shortened(response).value]
  );
  const created = result.changes.flatMap(({ change: { op, kind, label }, id }) =>
    op === "create" && id !== undefined ? [{ kind, id, label }] : []
  );
  const named = created.slice(0, MAX_CREATED);
  const lines = [result.summary(), ...missingLines(result.plan), WHO[approver]];
  lines.push(...named.map(({ kind, id, label }) => `New: ${kind} ${id} ${nameInProse(label)}`));
  if (created.length > named.length) {
    lines.push(`and ${created.length - named.length} more new entities: list_entities has their ids`);
  }
  for (const response of responses) lines.push(`Response: ${JSON.stringify(response)}`);
  if (rollback !== undefined) {
    lines.push(`Plan ${rollback.id} undoes what was accepted; its fingerprint is ${rollback.fingerprint}`);
  }
  lines.push(...warnings.map((warning) => `Warning: ${visibleText(warning)}`));
  const { rows: shown, hasCutValues } = fittingRows(failures.slice(0, MAX_ROWS));
  const isCut = failures.length > shown.length || hasCutValues;
  const uri = isCut ? results.keep(`Failures of plan ${result.plan.id}`, failures) : undefined;
  if (isCut) {
    lines.push(
      `The first ${shown.length} of ${failures.length} failures; whole in ${uri ?? resultPath ?? "no file"}`,
    );
  }
  return {
    data: {
      plan_id: result.plan.id,
      ok: result.ok,
      summary: result.summary(),
      succeeded,
      failed: failures.length,
      failures: shown.map((row) => ({ ...row })),
      ...(uri === undefined ? {} : { failures_uri: uri }),
      approved_by: approver,
      ...(named.length === 0 ? {} : { created: named }),
      ...(rollback === undefined
        ? {}
        : { rollback_plan_id: rollback.id, rollback_fingerprint: rollback.fingerprint }),
      ...(warnings.length === 0 ? {} : { warnings }),
      ...(resultPath === undefined ? {} : { result_file: resultPath }),
      ...(responses.length === 0 ? {} : { responses }),
    },
    text: shown.length === 0 ? lines.join("\n") : `${lines.join("\n")}\n\n${textTable(shown)}`,
    failed: succeeded === 0 && failures.length > 0,
  };
}

function failureRow(change: Change, error: BatchError): Record<string, unknown> {
  const { lowerLimit, upperLimit } = error;
  const limited = lowerLimit !== undefined || upperLimit !== undefined;
  return {
    kind: change.kind,
    id: change.id,
    label: change.label,
    sent: change.after,
    outcome: error.outcome,
    code: platformText(error.code),
    message: platformText(error.message),
    ...(limited ? { allowed: `${lowerLimit ?? "?"} to ${upperLimit ?? "?"}` } : {}),
    ...(error.hint === undefined ? {} : { what_to_do: error.hint }),
  };
}
