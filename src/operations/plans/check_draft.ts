import { sameValue } from "../../base/json/canonical_json.ts";
import { counted } from "../../base/text/money_text.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import type { ChangePlan } from "../../plans/change_plan/change_plan.ts";
import { ensureJudged } from "../../plans/review/approval.ts";
import { unjudgedFindings } from "../../plans/review/judge.ts";
import { reviewed } from "../../plans/change_plan/reviewed.ts";
import type { Change } from "../../plans/model/change.ts";
import type { Finding } from "../../plans/model/finding.ts";
import type { Edit, EditPlace } from "../../plans/store/edit_draft.ts";
import { judgeStored } from "../../plans/store/judge_stored.ts";
import type { PlanStore } from "../../plans/store/plan_store.ts";
import { jsonInput } from "../model/field_schema.ts";
import { type DraftItem, draftItems } from "./draft_items.ts";
import { editedValue } from "./edit_fields.ts";
import { proposedChanges, revisedPlan, type RevisionCounts } from "./plan_edits.ts";
import { planUpdate } from "./plan_writes.ts";

interface Conflict extends EditPlace {
  readonly label: string;
  readonly value: unknown;
  readonly seen: unknown;
  readonly now: unknown;
}

export interface CheckedDraft {
  readonly plan: ChangePlan | undefined;
  readonly findings: readonly Finding[];
  /** Edits that no update can contain, grouped by reason. */
  readonly refused: readonly { readonly edits: readonly Edit[]; readonly message: string }[];
  readonly conflicts: readonly Conflict[];
  readonly done: readonly EditPlace[];
  readonly missing: readonly EditPlace[];
  readonly counts?: RevisionCounts;
}

export interface RevisedPlan {
  readonly plan: ChangePlan;
  readonly store: PlanStore;
}

interface CheckOptions {
  readonly revises?: RevisedPlan | undefined;
  readonly note?: string | undefined;
  readonly signal: AbortSignal;
}

/**
 * Compares the edits, or the revised plan, with the account. Saves nothing.
 *
 * @throws {TypeError} when the edits leave nothing of the revised plan.
 */
export async function checkDraft(
  profile: ProfileClient,
  edits: readonly Edit[],
  { revises, note, signal }: CheckOptions,
): Promise<CheckedDraft> {
  if (revises !== undefined) return await checkRevision(profile, edits, { ...revises, note, signal });
  const items = draftItems(edits);
  const refused = refusedIn(items);
  const usable = items.filter(({ problem }) => problem === undefined);
  if (usable.length === 0) {
    return { plan: undefined, findings: [], refused, conflicts: [], done: [], missing: [] };
  }
  const values = {
    entity: "campaigns",
    items: usable.map(({ item }) => item),
    note: note ?? "Edits in the grid",
  };
  const { plan } = await planUpdate.run({ profile, signal }, await jsonInput(planUpdate, values));
  return { plan, findings: plan.findings, refused, ...compared(usable, plan) };
}

async function checkRevision(
  profile: ProfileClient,
  edits: readonly Edit[],
  { plan: of, store, note, signal }: RevisedPlan & Pick<CheckOptions, "note" | "signal">,
): Promise<CheckedDraft> {
  // A plan without these findings could be approved where the whole one cannot.
  ensureJudged({ plan: of, unjudged: unjudgedFindings(of, profile) });
  const updates = new Set(
    proposedChanges(of).flatMap(({ change, row }) => change.op === "update" ? [`${row.kind} ${row.id}`] : []),
  );
  const refused = refusedIn(
    draftItems(
      edits.filter(({ kind, id, value, seen }) =>
        updates.has(`${kind} ${id}`) && !isJson(value) && !isJson(seen)
      ),
    ),
  );
  const { plan: bare, counts } = revisedPlan(of, edits);
  const plan = await reviewed(
    note === undefined ? bare : { ...bare, note: `${note} (${bare.note})` },
    profile,
    {
      sent: await store.sentBefore(bare),
      signal,
    },
  );
  const { findings, drift } = await judgeStored(plan, profile, { store, signal });
  const byEntity = Map.groupBy(edits, ({ kind, id }) => `${kind} ${id}`);
  const conflicts: Conflict[] = [];
  const done: EditPlace[] = [];
  const missing: EditPlace[] = [];
  for (const [at, { fields, already }] of drift) {
    const change = plan.changes[at];
    const own = byEntity.get(`${change?.kind} ${change?.id}`) ?? [];
    for (const { label, value, seen, ...place } of own) {
      const drifted = fields.find(({ field }) =>
        place.field === field || place.field.startsWith(`${field}.`)
      );
      if (already) done.push(place);
      else if (drifted === undefined) {
        // Others changed another field of it, or it is gone.
        if (fields.some(({ field, actual }) => field.endsWith("Id") && actual === undefined)) {
          missing.push(place);
        }
      } else {
        const now = plainValue(editedValue({ [drifted.field]: drifted.actual }, place.field));
        if (!sameValue(now, plainValue(seen))) conflicts.push({ ...place, label, value, seen, now });
      }
    }
  }
  return {
    plan,
    findings: findings.filter(({ code }) => code !== "DRIFTED"),
    refused,
    conflicts,
    done,
    missing,
    counts,
  };
}

function isJson(value: unknown): boolean {
  return typeof value === "string" && /^[[{]/.test(value);
}

function refusedIn(items: readonly DraftItem[]): CheckedDraft["refused"] {
  return items.flatMap(({ edits, problem }) => problem === undefined ? [] : [{ edits, message: problem }]);
}

export interface DraftRefusal {
  readonly code: "BAD_EDITS" | "CONFLICT" | "NOTHING_LEFT";
  readonly message: string;
  readonly lines: readonly string[];
}

export function draftRefusal({ plan, refused, conflicts }: CheckedDraft): DraftRefusal | undefined {
  const [first] = refused;
  if (first !== undefined) {
    return { code: "BAD_EDITS", message: first.message, lines: refused.map(({ message }) => message) };
  }
  if (conflicts.length > 0) {
    return {
      code: "CONFLICT",
      message: `Cannot make the plan: ${counted(conflicts.length, "field")} ${
        conflicts.length === 1 ? "has" : "have"
      } changed in the account in the meantime. Keep your value or take theirs for each`,
      lines: conflicts.map(({ kind, id, label, field, value, seen, now }) =>
        `${kind} ${id} ${JSON.stringify(label)}: ${field} was ${JSON.stringify(seen)} and is ${
          JSON.stringify(now)
        }; the draft sets ${JSON.stringify(value)}`
      ),
    };
  }
  return plan !== undefined && plan.changes.length > 0 ? undefined : {
    code: "NOTHING_LEFT",
    message: "Cannot make a plan: the account already has these values",
    lines: [],
  };
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
    const now = plainValue(editedValue(change.before, field));
    if (!sameValue(now, seen)) conflicts.push({ kind, id, field, label, value, seen, now });
  }
  return { conflicts, done, missing };
}

function isChanged({ before, after }: Change, field: string): boolean {
  return !sameValue(plainValue(editedValue(before, field)), plainValue(editedValue(after, field)));
}

/** Normalizes a value for comparison: states in capitals, `null` for an absent value. */
function plainValue(value: unknown): unknown {
  if (value === undefined) return null;
  return typeof value === "string" && /^(?:enabled|paused)$/.test(value) ? value.toUpperCase() : value;
}
