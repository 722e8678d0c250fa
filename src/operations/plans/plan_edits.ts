import { sameValue } from "../../base/json/canonical_json.ts";
import type { ChangePlan } from "../../plans/change_plan/change_plan.ts";
import { partOfPlan } from "../../plans/change_plan/part_of_plan.ts";
import type { Change } from "../../plans/model/change.ts";
import { type Edit, type EditValue, placeKey } from "../../plans/store/edit_draft.ts";
import { changedPaths, editedValue, withValue } from "./edit_fields.ts";

interface ProposedChange {
  readonly change: Change;
  /** Kind and id of the edits; an entity that does not exist yet uses its change number as id. */
  readonly row: { readonly kind: string; readonly id: string };
  readonly edits: readonly Edit[];
}

/**
 * One edit per field of an update, and one for each creation, archive or call. A draft starts with these; a discarded
 * edit rejects its change.
 */
export function proposedChanges({ changes }: Pick<ChangePlan, "changes">): ProposedChange[] {
  return changes.map((change, at) => {
    const { kind, op, id, label, before, after } = change;
    const row = { kind, id: id ?? `change-${at + 1}` };
    const edit = (field: string, value: EditValue, seen: EditValue): Edit => ({
      ...row,
      field,
      value,
      seen,
      label,
    });
    if (op !== "update") return { change, row, edits: [edit(op, "yes", null)] };
    const edits = changedPaths(before, after).map((path) =>
      edit(path, valueOf(editedValue(after, path)), valueOf(editedValue(before, path)))
    );
    return { change, row, edits };
  });
}

/** Lists and objects become JSON, which can be kept or rejected but not edited. */
function valueOf(value: unknown): EditValue {
  if (value === undefined || value === null) return null;
  return typeof value === "string" || typeof value === "number" ? value : JSON.stringify(value);
}

export function isRevisable({ op, after }: Change, edits: readonly Edit[], field: string): boolean {
  if (op === "update") {
    return edits.some((edit) => edit.field === field) && isPlain(editedValue(after, field));
  }
  return op === "create" && isPlain(editedValue(after, field));
}

function isPlain(value: unknown): boolean {
  return value === null || typeof value === "string" || typeof value === "number";
}

export interface RevisionCounts {
  readonly kept: number;
  readonly changed: number;
  readonly rejected: number;
}

/**
 * @throws {TypeError} when an edit does not belong to the plan, nothing remains, or a kept change requires a rejected
 * one.
 */
export function revisedPlan(
  plan: ChangePlan,
  edits: readonly Edit[],
): { readonly plan: ChangePlan; readonly counts: RevisionCounts } {
  const wanted = new Map(edits.map((edit) => [placeKey(edit), edit]));
  const byEntity = Map.groupBy(edits, ({ kind, id }) => `${kind} ${id}`);
  const next = proposedChanges(plan).map((proposed) =>
    revisedChange(proposed, {
      kept: proposed.edits.flatMap((edit) => wanted.get(placeKey(edit)) ?? []),
      own: byEntity.get(`${proposed.row.kind} ${proposed.row.id}`) ?? [],
    })
  );
  const rejected = next.filter((change) => change === undefined).length;
  if (rejected === next.length) throw new TypeError("Cannot make a plan: every change is rejected");
  const changed = next.filter((change, at) => change !== undefined && change !== plan.changes[at]).length;
  const counts = { kept: next.length - rejected - changed, changed, rejected };
  const words = [`${changed} changed`, `${rejected} rejected`].filter((part) => !part.startsWith("0 "));
  const note = words.length === 0 ? `Plan ${plan.id}` : `Plan ${plan.id} with ${words.join(" and ")}`;
  try {
    return { plan: partOfPlan(plan, (_, at) => next[at], note), counts };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new TypeError(`${error.message}. Reject the changes that need it too, or keep it`);
  }
}

function revisedChange(
  { change, edits: proposals }: ProposedChange,
  { kept, own }: { readonly kept: readonly Edit[]; readonly own: readonly Edit[] },
): Change | undefined {
  if (kept.length === 0) return undefined;
  const proposed = new Map(proposals.map((edit) => [edit.field, edit]));
  let { before, after } = change;
  for (const edit of own) {
    const { field, value, seen } = edit;
    const proposal = proposed.get(field);
    if (proposal !== undefined && sameValue([value, seen], [proposal.value, proposal.seen])) continue;
    if (!isRevisable(change, proposals, field)) {
      throw new TypeError(`Cannot change "${field}" of "${change.label}": plan and edit differ`);
    }
    after = withValue(after, field, value);
    if (proposal !== undefined && seen !== proposal.seen) {
      before = withValue(before, field, seen ?? undefined);
    }
  }
  const fields = new Set(kept.map(({ field }) => field));
  const keptRoots = new Set([...fields].map(rootOf));
  for (const { field } of proposals) {
    if (fields.has(field)) continue;
    const root = rootOf(field);
    // What the update no longer names stays as it is.
    if (keptRoots.has(root)) after = withValue(after, field, editedValue(before, field));
    else {
      after = withValue(after, root, undefined);
      before = withValue(before, root, undefined);
    }
  }
  return after === change.after && before === change.before ? change : { ...change, before, after };
}

function rootOf(field: string): string {
  return field.split(".")[0] ?? field;
}
