import { KINDS, type ResourceKind } from "../../client/entities/kinds/kinds.ts";
import { prepareUpdate } from "../../client/entities/model/check_items.ts";
import { withValue } from "./edit_fields.ts";
import { amountTexts } from "./relative_amounts.ts";
import type { Edit } from "../../plans/store/edit_draft.ts";

export interface DraftItem {
  readonly edits: readonly Edit[];
  readonly item: Readonly<Record<string, unknown>>;
  readonly problem?: string;
}

export function isEditable(kind: string, field: string): kind is ResourceKind {
  const [root = ""] = field.split(".");
  return Object.hasOwn(KINDS, kind) && KINDS[kind as ResourceKind].updatable.some((name) => name === root);
}

export function draftItems(edits: readonly Edit[]): DraftItem[] {
  const byEntity = Map.groupBy(edits, ({ kind, id }) => `${kind} ${id}`);
  return [...byEntity.values()].map((own, index) => {
    const [{ kind, id }] = own as [Edit, ...Edit[]];
    const unknown = own.find(({ field }) => !isEditable(kind, field));
    if (unknown !== undefined || !isKind(kind)) {
      return {
        edits: own,
        item: {},
        problem: `Cannot change "${unknown?.field}" of ${kind}: an update has no such field`,
      };
    }
    const spec = KINDS[kind];
    let fields: Record<string, unknown> = { [spec.idField]: id };
    for (const { field, value } of own) fields = withValue(fields, field, value);
    try {
      const [relative] = amountTexts(fields);
      if (relative !== undefined) {
        throw new TypeError(
          `Cannot set "${relative.path}" to ${JSON.stringify(relative.text)}: an edit holds a number`,
        );
      }
      prepareUpdate(spec, fields, { index });
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      return { edits: own, item: fields, problem: error.message };
    }
    return { edits: own, item: { entity: kind, ...fields } };
  });
}

export function isKind(kind: string): kind is ResourceKind {
  return Object.hasOwn(KINDS, kind);
}
