import { KINDS, type ResourceKind } from "../../client/entities/kinds.ts";
import { prepareUpdate } from "../../client/entities/fields/check_items.ts";
import { withValue } from "./edit_fields.ts";
import type { Edit } from "../../plans/store/edit_draft.ts";

/** An update made of all edits of one entity. */
export interface DraftItem {
  readonly edits: readonly Edit[];
  /** The update as `plan update` takes it, with its kind as `entity`. */
  readonly item: Readonly<Record<string, unknown>>;
  /** Reason why no such update can be sent. */
  readonly problem?: string;
}

/** True for the field of a kind that an update can change. */
export function isEditable(kind: string, field: string): kind is ResourceKind {
  const [root = ""] = field.split(".");
  return Object.hasOwn(KINDS, kind) && KINDS[kind as ResourceKind].updatable.some((name) => name === root);
}

/** The updates that edits ask for, one for each entity, in the order of the edits. */
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
      prepareUpdate(spec, fields, { index });
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      return { edits: own, item: fields, problem: error.message };
    }
    return { edits: own, item: { entity: kind, ...fields } };
  });
}

/** True for the name of a kind. */
export function isKind(kind: string): kind is ResourceKind {
  return Object.hasOwn(KINDS, kind);
}
