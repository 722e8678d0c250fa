import { fieldsOf, isObject } from "../../base/json/fields_of.ts";
import { type FileSystem, fileSystem } from "../../base/runtime/file_system.ts";
import { withFileLock } from "../../base/runtime/file_lock.ts";
import { ConfigurationError } from "../../errors.ts";
import { DRAFT_ENDING, PlanPlaces } from "./plan_places.ts";
import type { PlanStore } from "./plan_store.ts";
import { readIfThere } from "../../base/runtime/read_named_file.ts";

export type EditValue = string | number | null;

export interface Edit {
  readonly kind: string;
  readonly id: string;
  readonly field: string;
  readonly value: EditValue;
  readonly seen: EditValue;
  readonly label: string;
}

export type EditPlace = Pick<Edit, "kind" | "id" | "field">;

export interface DraftPlace {
  readonly folder: string;
  readonly profileId: string;
  readonly revises?: { readonly planId: string; readonly edits: readonly Edit[] } | undefined;
}

export interface EditDraft {
  readonly profileId: string | undefined;
  readonly revises: string | undefined;
  /** Increases with every change; 0 for an unsaved draft. */
  readonly revision: number;
  readonly edits: readonly Edit[];
  readonly planId: string | undefined;
}

export interface DraftStep {
  readonly revision: number;
  readonly set?: readonly Edit[];
  readonly discard?: readonly EditPlace[] | "all";
  readonly planId?: string;
}

const MAX_EDITS = 100_000;

const LOCK = { lease: 10_000, maxWait: 30_000 };

export async function readDraft(place: DraftPlace): Promise<EditDraft> {
  const path = draftPath(place);
  const text = await readIfThere(path);
  if (text !== undefined) return parseDraft(text, path);
  const { profileId, revises } = place;
  return { revision: 0, edits: revises?.edits ?? [], planId: undefined, profileId, revises: revises?.planId };
}

/** @returns `undefined` without any change if the draft has another revision. */
export async function changeDraft(place: DraftPlace, step: DraftStep): Promise<EditDraft | undefined> {
  return await withDraft(place, async (before, files) => {
    if (before.revision !== step.revision) return undefined;
    const after = changed(before, step);
    const { revision, edits, planId } = after;
    const data = {
      version: 1,
      revision,
      profile_id: place.profileId,
      revises: place.revises?.planId,
      plan_id: planId,
      edits,
    };
    await files.writeText(draftPath(place), JSON.stringify(data), { mode: 0o600 });
    return after;
  });
}

/**
 * Locks a draft and runs the step on it.
 *
 * @throws {ConfigurationError} when another program holds the draft for too long.
 */
export async function withDraft<Result>(
  place: DraftPlace,
  step: (draft: EditDraft, files: FileSystem) => Promise<Result>,
): Promise<Result> {
  const path = draftPath(place);
  const done = await withFileLock(
    `${path}.lock`,
    LOCK,
    async (files) => await step(await readDraft(place), files),
  );
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
  return { ...before, revision: before.revision + 1, edits: [...edits.values()], planId };
}

export function placeKey({ kind, id, field }: EditPlace): string {
  return `${kind} ${id} ${field}`;
}

export function parseDraft(text: string, name: string): EditDraft {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Refused below.
  }
  const { version, revision, plan_id: planId, profile_id: profileId, revises, edits } = fieldsOf(value);
  const isWhole = version === 1 && Number.isInteger(revision) && Array.isArray(edits) && edits.every(isEdit);
  if (!isWhole) {
    throw new ConfigurationError(
      `Cannot read the draft "${name}": it is damaged. Move it away to begin a new one`,
    );
  }
  const textOf = (one: unknown): string | undefined => typeof one === "string" ? one : undefined;
  return {
    revision: Number(revision),
    edits,
    planId: textOf(planId),
    profileId: textOf(profileId),
    revises: textOf(revises),
  };
}

export function isEdit(value: unknown): value is Edit {
  if (!isObject(value)) return false;
  const { kind, id, field, label, value: next, seen } = value;
  const isValue = (one: unknown): boolean =>
    one === null || typeof one === "string" || (typeof one === "number" && Number.isFinite(one));
  return [kind, id, field].every((text) => typeof text === "string" && text !== "") &&
    typeof label === "string" && isValue(next) && isValue(seen);
}

export function draftPath({ folder, profileId, revises }: DraftPlace): string {
  return new PlanPlaces(folder).draft(revises?.planId ?? profileId);
}

/**
 * Deletes drafts in a folder whose plans can no longer be edited or are gone. Drafts of profiles and damaged files
 * stay.
 *
 * @returns ids of the plans.
 */
export async function dropClosedDrafts(
  store: Pick<PlanStore, "path" | "status" | "find">,
): Promise<string[]> {
  const files = fileSystem();
  const hidden = files.dirname(new PlanPlaces(store.path).draft("any"));
  const dropped: string[] = [];
  for (const name of await files.list(hidden)) {
    if (!name.endsWith(`.${DRAFT_ENDING}`)) continue;
    const path = files.join(hidden, name);
    try {
      const { revises } = parseDraft(await files.readText(path), path);
      if (revises === undefined) continue;
      const { state } = await store.status(revises);
      if (state === "open" && await store.find(revises) !== undefined) continue;
      await files.remove(path);
      dropped.push(revises);
    } catch {
      // Damaged, or deleted by another program meanwhile.
    }
  }
  return dropped;
}
