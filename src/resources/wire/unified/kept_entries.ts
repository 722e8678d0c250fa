import { fieldsOf } from "../../../internal/fields_of.ts";
import type { Fields } from "../resource_wire.ts";

/**
 * Says which entries of a list the platform kept although an update left them out. Whether it replaces lists or merges
 * them is published nowhere, so each update is judged by the entity that its verdict shows.
 */
export function keptEntries(sent: Fields, now: Fields): string | undefined {
  const tags = fieldsOf(now["tags"]);
  const labels = sent["tags"] === undefined
    ? []
    : Object.keys(tags).filter((key) => !(key in fieldsOf(sent["tags"])));
  if (labels.length > 0) return `The platform kept labels that the update left out: ${labels.join(", ")}`;
  for (const [field, list] of LISTS) {
    const wanted = fieldsOf(sent[field])[list];
    const found = fieldsOf(now[field])[list];
    if (!Array.isArray(wanted) || !Array.isArray(found)) continue;
    const names = new Set(wanted.map((one) => fieldsOf(one)["placement"]));
    const kept = found.map(fieldsOf).filter(({ placement, percentage }) =>
      !names.has(placement) && percentage !== 0
    );
    if (kept.length === 0) continue;
    const texts = kept.map(({ placement, percentage }) => `${placement} ${percentage}%`);
    return `The platform kept placements that the update left out: ${texts.join(", ")}`;
  }
  return undefined;
}

/** Brands is left out: it keeps the placements that an update does not name on the older wire as well. */
const LISTS: readonly [field: string, list: string][] = [
  ["dynamicBidding", "placementBidding"],
];
