import { KINDS, type ResourceKind } from "../../../client/entities/kinds.ts";
import type { ResourceSpec } from "../../../client/entities/model/resource_spec.ts";
import type { EntitySource } from "../../model/entity_pull.ts";
import type { ExportEndpoint } from "./export_endpoint.ts";

/** How entities are to be read; `auto` leaves it to the sizes that were met last. */
export type EntitySourceChoice = EntitySource | "auto";

/** Facts of a kind's last pull. */
export interface LastPull {
  readonly entities: number;
  /** When, milliseconds since the epoch. */
  readonly pulledAt: number;
}

/** How the kinds of an endpoint are read, and why. */
interface ChosenSource {
  readonly source: EntitySource;
  /** Why, in words for a person. */
  readonly why: string;
}

/**
 * Requests from which an export is cheaper than lists: it takes one to ask, some twenty looks while it is built, its
 * download, and a few more for what changed.
 */
export const EXPORT_PAYS_FROM = 30;

/** Number of requests for a list of `entities` entities. */
export function listRequests(kind: ResourceKind, entities: number): number {
  return Math.max(1, Math.ceil(entities / sizesOf(kind).page));
}

/**
 * Most ids that are worth reading one by one: with more, a list of the whole kind costs no more than twice as much and
 * asks nothing else.
 *
 * @param entities Entities that the kind has.
 */
export function mostIds(kind: ResourceKind, entities: number): number {
  return Math.max(1, Math.floor(listRequests(kind, entities) / 2)) * sizesOf(kind).ids;
}

/** Chooses how the kinds of an endpoint are read. An export is compared with what is stored, so that a first pull lists. */
export function chooseSource(
  endpoint: ExportEndpoint,
  last: ReadonlyMap<ResourceKind, LastPull>,
  choice: EntitySourceChoice = "auto",
): ChosenSource {
  if (choice === "list") return { source: "list", why: "as asked" };
  const known = endpoint.kinds.filter((kind) => last.has(kind));
  if (known.length === 0) {
    return { source: "list", why: "nothing is stored yet that an export could be compared with" };
  }
  if (choice === "export") return { source: "export", why: "as asked" };
  const requests = known.reduce((sum, kind) => sum + listRequests(kind, last.get(kind)!.entities), 0);
  return requests >= EXPORT_PAYS_FROM
    ? { source: "export", why: `one export in place of about ${requests} requests` }
    : { source: "list", why: `about ${requests} requests; an export pays from ${EXPORT_PAYS_FROM}` };
}

function sizesOf(kind: ResourceKind): ResourceSpec["wire"]["listSizes"] {
  return KINDS[kind].wire.listSizes;
}
