import { KINDS, type ResourceKind } from "../../client/entities/kinds/kinds.ts";
import type { ResourceWire } from "../../client/entities/model/resource_wire.ts";
import type { EntitySource } from "../model/entity_pull.ts";
import type { ExportEndpoint } from "./export_endpoint.ts";

/** Source of entities; `auto` decides by the sizes of the last pull. */
export type EntitySourceChoice = EntitySource | "auto";

export interface LastPull {
  readonly entities: number;
  readonly pulledAt: number;
}

interface ChosenSource {
  readonly source: EntitySource;
  readonly why: string;
}

/**
 * Number of requests above which an export is cheaper than lists: the request, about twenty polls, the download, and a
 * few for changes.
 */
export const EXPORT_PAYS_FROM = 30;

export async function listRequests(kind: ResourceKind, entities: number): Promise<number> {
  return Math.max(1, Math.ceil(entities / (await sizesOf(kind)).page));
}

/**
 * Maximum ids worth reading one by one; beyond it, listing the kind costs at most twice as much.
 *
 * @param entities Number of entities of the kind.
 */
export async function mostIds(kind: ResourceKind, entities: number): Promise<number> {
  return Math.max(1, Math.floor(await listRequests(kind, entities) / 2)) * (await sizesOf(kind)).ids;
}

/**
 * Chooses the source of entities. A first pull uses lists, because an export can only be compared with stored
 * entities.
 */
export async function chooseSource(
  endpoint: ExportEndpoint,
  last: ReadonlyMap<ResourceKind, LastPull>,
  choice: EntitySourceChoice = "auto",
): Promise<ChosenSource> {
  if (choice === "list") return { source: "list", why: "as asked" };
  const known = endpoint.kinds.filter((kind) => last.has(kind));
  if (known.length === 0) {
    return { source: "list", why: "nothing is stored yet to compare an export with" };
  }
  if (choice === "export") return { source: "export", why: "as asked" };
  const lists = await Promise.all(known.map((kind) => listRequests(kind, last.get(kind)!.entities)));
  const requests = lists.reduce((sum, list) => sum + list, 0);
  return requests >= EXPORT_PAYS_FROM
    ? { source: "export", why: `one export in place of about ${requests} requests` }
    : { source: "list", why: `about ${requests} requests; exports are used from ${EXPORT_PAYS_FROM}` };
}

async function sizesOf(kind: ResourceKind): Promise<ResourceWire["listSizes"]> {
  return (await KINDS[kind].wire.load()).listSizes;
}
