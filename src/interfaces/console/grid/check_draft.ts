import { sameValue } from "../../../base/json/canonical_json.ts";
import { valueAt } from "../../../base/json/field_path.ts";
import type { ProfileClient } from "../../../client/profile_client.ts";
import { type DraftItem, draftItems } from "../../../operations/plans/draft_items.ts";
import { jsonInput } from "../../../operations/model/field_schema.ts";
import { planUpdate } from "../../../operations/plans/plan_writes.ts";
import type { ChangePlan } from "../../../plans/change_plan/change_plan.ts";
import type { Change } from "../../../plans/model/change.ts";
import type { Edit, EditPlace } from "../../../plans/store/edit_draft.ts";
import { refusingBadInput } from "../http/refusing.ts";

/** An edit whose field has become something else in the account. */
interface Conflict extends EditPlace {
  readonly label: string;
  readonly value: unknown;
  readonly seen: unknown;
  /** Value that the account has now. */
  readonly now: unknown;
}

/** A draft compared with the account. */
export interface CheckedDraft {
  /** The plan that the edits would make; not saved. */
  readonly plan: ChangePlan | undefined;
  /** Edits that no update can carry, by the reason. */
  readonly refused: readonly { readonly edits: readonly Edit[]; readonly message: string }[];
  readonly conflicts: readonly Conflict[];
  /** Edits that the account has already. */
  readonly done: readonly EditPlace[];
  /** Edits of entities that the account no longer has. */
  readonly missing: readonly EditPlace[];
}

/** Plans the edits of a draft by the operation `plan update`, and compares them with the account. Saves nothing. */
export async function checkDraft(
  profile: ProfileClient,
  edits: readonly Edit[],
  { note, signal }: { note?: string | undefined; signal: AbortSignal },
): Promise<CheckedDraft> {
  const items = draftItems(edits);
  const refused = items.flatMap(({ edits, problem }) =>
    problem === undefined ? [] : [{ edits, message: problem }]
  );
  const usable = items.filter(({ problem }) => problem === undefined);
  if (usable.length === 0) return { plan: undefined, refused, conflicts: [], done: [], missing: [] };
  const values = {
    entity: "campaigns",
    items: usable.map(({ item }) => item),
    note: note ?? "Edits in the grid",
  };
  const plan = await refusingBadInput(async () =>
    await planUpdate.run({ profile, signal }, await jsonInput(planUpdate, values))
  );
  return { plan, refused, ...compared(usable, plan) };
}

function compared(
  items: readonly DraftItem[],
  plan: ChangePlan,
): Pick<CheckedDraft, "conflicts" | "done" | "missing"> {
  const changes = new Map(plan.changes.map((change) => [`${change.kind} ${change.id}`, change]));
  const gone = new Set(plan.missing);
  const conflicts: Conflict[] = [];
  const done: EditPlace[] = [];
  const missing: EditPlace[] = [];
  for (const edit of items.flatMap(({ edits }) => edits)) {
    const { kind, id, field, value, seen, label } = edit;
    const change = changes.get(`${kind} ${id}`);
    if (change === undefined) {
      (gone.has(id) ? missing : done).push({ kind, id, field });
      continue;
    }
    if (!isChanged(change, field)) {
      done.push({ kind, id, field });
      continue;
    }
    const now = plainValue(valueAt(change.before, field));
    if (!sameValue(now, seen)) conflicts.push({ kind, id, field, label, value, seen, now });
  }
  return { conflicts, done, missing };
}

function isChanged({ before, after }: Change, field: string): boolean {
  return !sameValue(plainValue(valueAt(before, field)), plainValue(valueAt(after, field)));
}

/** A value as the grid has it: states in capitals, nothing as `null`. */
function plainValue(value: unknown): unknown {
  if (value === undefined) return null;
  return typeof value === "string" && /^(?:enabled|paused)$/.test(value) ? value.toUpperCase() : value;
}
