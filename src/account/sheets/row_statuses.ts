import type { Finding } from "../../plans/model/finding.ts";
import type { PlanData } from "../../plans/model/plan_data.ts";
import type { AppliedVerdict } from "../../plans/store/applied_record.ts";
import { readRequests } from "./plan_sheet.ts";
import type { SheetFile } from "../tables/open_tables.ts";
import { entityKey, type SheetRequest } from "./sheet_requests.ts";
import type { RowPlace } from "./sheet_row.ts";
import type { SheetReadingHints } from "./sheet_rows.ts";

/** Outcome of a row's change, or the reason why the row has no change. */
export type RowStatusWord =
  | AppliedVerdict["outcome"]
  | "planned"
  | "unchanged"
  | "missing"
  | "ignored"
  | "error";

/** Texts for the columns Status and Reason of a row. */
export interface RowStatus extends RowPlace {
  /** Stable code for programs. */
  readonly status: RowStatusWord;
  /** Explanation for people; empty if there is none. */
  readonly reason: string;
}

/** Returns the status of each row with an operation. Existing entities are matched by id, new ones by row. */
export async function rowStatuses(
  file: SheetFile,
  plan: PlanData,
  { verdicts, hints }: { verdicts: readonly AppliedVerdict[] | undefined; hints: SheetReadingHints },
): Promise<RowStatus[]> {
  const { requests, problems } = await readRequests(file, {
    ...hints,
    countryCode: plan.countryCode,
    skipBadRows: true,
  });
  const places = new Map<string, number>();
  for (const [at, { ref, kind, id }] of plan.changes.entries()) {
    places.set(id === null ? `new ${ref}` : entityKey({ kind, id }), at);
  }
  const missing = new Set(plan.missing);
  const findings = Map.groupBy(plan.findings, ({ change }) => change);
  const statuses = new Map<string, RowStatus>();
  for (const request of requests) {
    const at = places.get(
      request.id === null ? `new ${request.ref}` : entityKey({ ...request, id: request.id }),
    );
    const found = at === undefined
      ? unplanned(request, missing)
      : verdicts?.[at] === undefined
      ? planned(findings.get(at))
      : { status: verdicts[at].outcome, reason: verdicts[at].message ?? "" };
    for (const place of request.rows) statuses.set(placeKey(place), { ...place, ...found });
  }
  for (const [key, group] of Map.groupBy(problems, placeKey)) {
    const reason = group.map(({ header, message }) => header === "" ? message : `${header}: ${message}`).join(
      "; ",
    );
    const [{ tab, row } = { tab: "", row: 0 }] = group;
    statuses.set(key, { tab, row, status: "error", reason });
  }
  return [...statuses.values()];
}

export function placeKey({ tab, row }: RowPlace): string {
  return `${row} ${tab}`;
}

function unplanned(
  { op, id }: SheetRequest,
  missing: ReadonlySet<string>,
): Pick<RowStatus, "status" | "reason"> {
  if (id !== null && missing.has(id)) return { status: "missing", reason: "The account has no such entity" };
  if (op === "update") return { status: "unchanged", reason: "No updatable field differs" };
  const reason = op === "create" ? "The account has an equal one" : "It is archived";
  return { status: "already", reason };
}

function planned(findings: readonly Finding[] = []): Pick<RowStatus, "status" | "reason"> {
  return { status: "planned", reason: findings.map(({ message }) => message).join("; ") };
}
