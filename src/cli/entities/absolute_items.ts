import type { Resource } from "../../resources/resource.ts";
import { roundMoney } from "../../internal/money_text.ts";
import { decimalsOf } from "../../markets.ts";
import { valueAt } from "../../internal/field_path.ts";
import { isRelative } from "./cell_values.ts";
import { nestFields } from "./nest_fields.ts";
import type { UpdateItem } from "./update_items.ts";

/** Updates whose values are all known. */
export interface AbsoluteItems {
  /** The updates, as the library takes them. */
  readonly items: readonly Record<string, unknown>[];
  /** Ids of relative updates that the platform did not return. */
  readonly missing: readonly string[];
  /** Relative updates that were left out, because there is no present value to work from. */
  readonly warnings: readonly string[];
}

/**
 * Works out relative values (`+10%`, `*1.2`) from the present ones, rounded to the currency's decimals. Reads the
 * entities only where there is something to work out.
 */
export async function absoluteItems(
  updates: readonly UpdateItem[],
  resource: Resource,
  options: { signal: AbortSignal },
): Promise<AbsoluteItems> {
  const relative = updates.filter(needsPresent);
  const now = relative.length === 0
    ? new Map<string, Record<string, unknown>>()
    : await resource.getMany(relative.map(({ id }) => id), options);
  const decimals = decimalsOf(resource.profile.countryCode);
  const items: Record<string, unknown>[] = [];
  const missing: string[] = [];
  const warnings: string[] = [];
  for (const update of updates) {
    const entity = now.get(update.id);
    if (entity === undefined && needsPresent(update)) {
      missing.push(update.id);
      continue;
    }
    const changes = new Map<string, unknown>();
    for (const [path, value] of update.changes) {
      if (!isRelative(value)) {
        changes.set(path, value);
        continue;
      }
      const present = presentAmount(entity!, path);
      if (present === undefined) {
        const name = `${resource.spec.noun} ${update.id} ${resource.spec.label(entity!)}`.trim();
        warnings.push(`${name}: it has no "${path}" of its own, so ${value.text} was left out`);
      } else {
        changes.set(path, roundMoney(present * value.factor, decimals));
      }
    }
    if (changes.size > 0) items.push({ [resource.idField]: update.id, ...nestFields(changes, update.where) });
  }
  return { items, missing, warnings };
}

function needsPresent({ changes }: UpdateItem): boolean {
  return [...changes.values()].some(isRelative);
}

/** The amount at a path; a campaign's `budget` may mean the amount inside of it. */
function presentAmount(entity: Record<string, unknown>, path: string): number | undefined {
  const value = valueAt(entity, path);
  const inner = path === "budget" && typeof value === "object" && value !== null
    ? valueAt(entity, "budget.budget")
    : value;
  return typeof inner === "number" ? inner : undefined;
}
