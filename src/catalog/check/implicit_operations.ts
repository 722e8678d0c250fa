import { fieldsOf } from "../../internal/fields_of.ts";
import type { SchemaFinding } from "../../schema/check/finding.ts";
import type { Operation } from "../operation.ts";

/** Ways to what the platform would do to items of an update beside updating them. */
export interface ImplicitOperations {
  /** Ids that items lack: the platform takes such an item for a new entity. */
  readonly creates: readonly string[];
  /** States of items that archive them, which is permanent. */
  readonly archives: readonly string[];
}

/**
 * Other operations implied by an update: an item without its id is a create, one with the state `archived` an archive.
 *
 * @param findings Where the call differs from what is published; tells which ids are missing.
 */
export function implicitOperations(
  operation: Operation,
  body: unknown,
  findings: readonly SchemaFinding[],
): ImplicitOperations {
  if (!isUpdate(operation)) return { creates: [], archives: [] };
  const creates = findings.flatMap(({ path, field = "" }) =>
    isOwnId(operation, path, field) ? [`${path}.${field}`] : []
  );
  return { creates, archives: archivesIn(body, "") };
}

function isUpdate({ method, operationId, path }: Operation): boolean {
  return method === "PUT" || method === "PATCH" || /update/i.test(operationId) || /\/update\//.test(path);
}

/** True for `keywordId` of an item of `keywords`, not for the ids of what the item is in. */
function isOwnId({ path }: Operation, way: string, field: string): boolean {
  const [, list] = /^(\w*)\[\d+\]$/.exec(way) ?? [];
  if (list === undefined || !field.endsWith("Id")) return false;
  return `${path}/${list}`.toLowerCase().includes(field.slice(0, -2).toLowerCase());
}

function archivesIn(value: unknown, way: string): string[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => archivesIn(item, `${way}[${index}]`));
  return Object.entries(fieldsOf(value)).flatMap(([name, field]) => {
    const inner = way === "" ? name : `${way}.${name}`;
    if (Array.isArray(field)) return archivesIn(field, inner);
    return name === "state" && way !== "" && /^archived$/i.test(String(field)) ? [inner] : [];
  });
}
