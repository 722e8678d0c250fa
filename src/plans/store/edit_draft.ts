import { fieldsOf } from "../../base/json/fields_of.ts";
import { isObject } from "../../base/json/is_object.ts";
import { withFileLock } from "../../base/runtime/file_lock.ts";
import { ConfigurationError } from "../../errors.ts";
import { PlanPlaces } from "./plan_places.ts";
import { readIfThere } from "../../base/runtime/read_named_file.ts";

/** Value of one field, as an update takes it; `null` for an empty one. */
export type EditValue = string | number | null;

/** A new value for one field of one entity. */
export interface Edit {
  readonly kind: string;
  readonly id: string;
  /** Path of the field, for example `bid` or `budget.budget`. */
  readonly field: string;
  readonly value: EditValue;
  /** Value of the account when the edit was made. */
  readonly seen: EditValue;
  /** Name of the entity for people. */
  readonly label: string;
}

/** Field of an edit, without its values. */
export type EditPlace = Pick<Edit, "kind" | "id" | "field">;

/** Edits of one profile that are not a plan yet. */
export interface EditDraft {
  /** Grows with every change of the draft; 0 for a draft that was never saved. */
  readonly revision: number;
  readonly edits: readonly Edit[];
  /** Plan made of exactly these edits. */
  readonly planId: string | undefined;
}

/** A change of a draft. */
export interface DraftStep {
  /** Revision that the caller has seen. */
  readonly revision: number;
  /** Edits to add, or to take the place of others of the same field. */
  readonly set?: readonly Edit[];
  /** Edits to remove. */
  readonly discard?: readonly EditPlace[] | "all";
  /** Plan made of the edits as they are. */
  readonly planId?: string;
}

/** Edits that one draft can hold. */
export const MAX_EDITS = 100_000;

const LOCK = { lease: 10_000, maxWait: 30_000 };

/**
 * Reads the draft of a profile.
 *
 * @throws {ConfigurationError} for a file that is not a draft.
 */
export async function readDraft(folder: string, profileId: string): Promise<EditDraft> {
  const path = placeOf(folder, profileId);
  const text = await readIfThere(path);
  return text === undefined ? { revision: 0, edits: [], planId: undefined } : parseDraft(text, path);
}

/**
 * Changes the draft of a profile.
 *
 * @returns the draft after the step; `undefined` when the draft has another revision, and nothing was changed.
 */
export async function changeDraft(
  folder: string,
  profileId: string,
  step: DraftStep,
): Promise<EditDraft | undefined> {
  const path = placeOf(folder, profileId);
  const done = await withFileLock(`${path}.lock`, LOCK, async (files) => {
    const before = await readDraft(folder, profileId);
    if (before.revision !== step.revision) return undefined;
    const after = changed(before, step);
    const { revision, edits, planId } = after;
    await files.writeText(path, JSON.stringify({ version: 1, revision, plan_id: planId, edits }), {
      mode: 0o600,
    });
    return after;
  });
  if (done === undefined) throw new ConfigurationError(`Cannot change "${path}": another program holds it`);
  return done.result;
}

function changed(before: EditDraft, { set = [], discard = [], planId }: DraftStep): EditDraft {
  const edits = new Map((discard === "all" ? [] : before.edits).map((edit) => [placeKey(edit), edit]));
  if (discard !== "all") { for (const place of discard) edits.delete(placeKey(place)); }
  for (const edit of set) {
    const key = placeKey(edit);
    if (edit.value === edit.seen) edits.delete(key);
    else edits.set(key, edit);
  }
  if (edits.size > MAX_EDITS) {
    throw new RangeError(`Cannot keep ${edits.size} edits: a draft holds at most ${MAX_EDITS}`);
  }
  return { revision: before.revision + 1, edits: [...edits.values()], planId };
}

/** The field of an edit as a text. */
export function placeKey({ kind, id, field }: EditPlace): string {
  return `${kind} ${id} ${field}`;
}

/**
 * Reads the text of a draft file.
 *
 * @param name Path for the message.
 * @throws {ConfigurationError} for a file that is not a draft.
 */
export function parseDraft(text: string, name: string): EditDraft {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Refused below.
  }
  const { version, revision, plan_id: planId, edits } = fieldsOf(value);
  const isWhole = version === 1 && Number.isInteger(revision) && Array.isArray(edits) && edits.every(isEdit);
  if (!isWhole) {
    throw new ConfigurationError(
      `Cannot read the draft "${name}": it is damaged. Move it away to begin a new one`,
    );
  }
  return { revision: Number(revision), edits, planId: typeof planId === "string" ? planId : undefined };
}

/** True for an edit; its kind and field are not looked up. */
export function isEdit(value: unknown): value is Edit {
  if (!isObject(value)) return false;
  const { kind, id, field, label, value: next, seen } = value;
  const isValue = (one: unknown): boolean =>
    one === null || typeof one === "string" || (typeof one === "number" && Number.isFinite(one));
  return [kind, id, field].every((text) => typeof text === "string" && text !== "") &&
    typeof label === "string" && isValue(next) && isValue(seen);
}

function placeOf(folder: string, profileId: string): string {
  return new PlanPlaces(folder).hidden(profileId, "draft.json");
}
