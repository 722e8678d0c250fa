import type { PlanDraft } from "../../client/entities/plan_draft.ts";
import { kindOf } from "./write_operation.ts";

type Item = Readonly<Record<string, unknown>>;

export const TREE_FIELDS = ["entity", "as"] as const;

export function isMixed(items: readonly Item[]): boolean {
  return items.some(({ entity }) => entity !== undefined);
}

export function mixedDraft(draft: PlanDraft, items: readonly Item[], entity: string): PlanDraft {
  for (const { entity: own, ...fields } of items) draft.update(kindOf(String(own ?? entity)), fields);
  return draft;
}

export function isTree(items: readonly Item[]): boolean {
  return items.some((item) => TREE_FIELDS.some((field) => item[field] !== undefined));
}

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

export function treeDraft(draft: PlanDraft, items: readonly Item[], entity: string): PlanDraft {
  for (const { entity: own, as, ...fields } of items) {
    draft.create(kindOf(String(own ?? entity)), fields, as === undefined ? {} : { as: String(as) });
  }
  return draft;
}
