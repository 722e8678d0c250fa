import type { Change, EntityFields } from "../plans/change.ts";
import type { ResourceSpec } from "../resources/resource_spec.ts";
import type { WireWrite } from "../resources/wire/resource_wire.ts";
import type { ApiRequest } from "../transport/api_request.ts";
import type { ProfileClient } from "./profile_client.ts";

/**
 * Derives the changes of a write request from its path and body, for all requests of resources. An update of an item
 * without an id is a create, as the platform treats it.
 *
 * @returns `undefined` for a request that is none of theirs, or whose body cannot be read to its end.
 */
export async function changesOfRequest(
  request: ApiRequest,
  { client, kinds }: { client: ProfileClient; kinds: Readonly<Record<string, ResourceSpec>> },
): Promise<Change[] | undefined> {
  if (request.params !== undefined && Object.keys(request.params).length > 0) return undefined;
  for (const [kind, spec] of Object.entries(kinds)) {
    const write = spec.wire.readWrite?.(request);
    if (write === undefined) continue;
    if (write.op !== "archive" && write.items.some((item) => !isUnderstood(item, spec))) return undefined;
    return await changesOf(write, { kind, spec, client, signal: request.signal });
  }
  return undefined;
}

/** False for an item with a field that the kind is not known to have: what it does cannot be judged. */
function isUnderstood(item: EntityFields, spec: ResourceSpec): boolean {
  const { idField, idFields, updatable, required, columns, numeric, choices = {}, moreFields = [], parents } =
    spec;
  const known = new Set([
    ...[idField, "state", "tags", "adId", "targetId"],
    ...idFields,
    ...updatable,
    ...required,
    ...columns,
    ...numeric,
    ...moreFields,
    ...Object.keys(choices),
    ...Object.keys(parents),
  ]);
  return Object.keys(item).every((field) => known.has(field));
}

async function changesOf(
  write: WireWrite,
  { kind, spec, client, signal }: {
    kind: string;
    spec: ResourceSpec;
    client: ProfileClient;
    signal: AbortSignal | undefined;
  },
): Promise<Change[]> {
  const idOf = (item: EntityFields): string | null => {
    // An archive names ids as its verdicts do: those of negative keywords have another name than in lists.
    const id = write.op === "archive" ? Object.values(item)[0] : item[spec.idField];
    return write.op === "create" || id === undefined || id === null || id === "" ? null : String(id);
  };
  const ids = write.items.flatMap((item) => idOf(item) ?? []);
  const found = ids.length === 0
    ? new Map()
    : await client.resource(kind).getMany([...new Set(ids)], { signal });
  return write.items.map((item): Change => {
    const id = idOf(item);
    const { [spec.idField]: _, ...fields } = item;
    const entity: EntityFields = id === null ? {} : found.get(id) ?? {};
    const after = write.op === "archive"
      ? { state: spec.stateCase === "upper" ? "ARCHIVED" : "archived" }
      : fields;
    const before = Object.fromEntries(
      Object.keys(after).flatMap((name) => entity[name] === undefined ? [] : [[name, entity[name]]]),
    );
    const campaignId = entity["campaignId"] ?? fields["campaignId"];
    return {
      kind,
      op: id === null ? "create" : write.op === "archive" ? "archive" : "update",
      id,
      before,
      after,
      label: spec.label({ ...entity, ...fields }),
      ...(typeof campaignId === "string" ? { campaignId } : {}),
    };
  });
}
