import type { PlanDraft } from "../../client/entities/plan_draft.ts";
import { kindOf } from "./write_operation.ts";

type Item = Readonly<Record<string, unknown>>;

/** Fields of an item that are not of the entity: its kind, and its name for other items. */
export const TREE_FIELDS = ["entity", "as"] as const;

/** True for items that name their kinds. */
export function isMixed(items: readonly Item[]): boolean {
  return items.some(({ entity }) => entity !== undefined);
}

/** Adds updates to a draft; `entity` is the kind of those that name none. */
export function mixedDraft(draft: PlanDraft, items: readonly Item[], entity: string): PlanDraft {
  for (const { entity: own, ...fields } of items) draft.update(kindOf(String(own ?? entity)), fields);
  return draft;
}

/** True for items of several kinds, or items that others refer to. */
export function isTree(items: readonly Item[]): boolean {
  return items.some((item) => TREE_FIELDS.some((field) => item[field] !== undefined));
}

/**
 * Refuses items whose kind is not known, or whose name is not a text.
 *
 * @throws {ConfigurationError | TypeError} that says which item.
 */
export function checkTree(items: readonly Item[]): void {
  for (const [at, item] of items.entries()) {
    for (const field of TREE_FIELDS) {
      const value = item[field];
      if (value === undefined || (typeof value === "string" && value !== "")) continue;
      throw new TypeError(
        `Cannot plan item ${at}: "${field}" is ${JSON.stringify(value)}, and must be a text`,
      );
    }
    if (typeof item["entity"] === "string") kindOf(item["entity"]);
  }
}

/** Adds the items to a draft; `entity` is the kind of those that name none. */
export function treeDraft(draft: PlanDraft, items: readonly Item[], entity: string): PlanDraft {
  for (const { entity: own, as, ...fields } of items) {
    draft.create(kindOf(String(own ?? entity)), fields, as === undefined ? {} : { as: String(as) });
  }
  return draft;
}
