import type { Resource } from "../../resources/resource.ts";
import { roundMoney } from "../../internal/money_text.ts";
import { decimalsOf } from "../../markets.ts";
import { valueAt } from "../../internal/field_path.ts";
import { isRelative } from "./cell_values.ts";
import { nestFields } from "./nest_fields.ts";
import type { UpdateItems } from "./update_items.ts";

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
  updates: Pick<UpdateItems, "items" | "relative">,
  resource: Resource,
  options: { signal: AbortSignal },
): Promise<AbsoluteItems> {
  if (updates.relative.size === 0) return { items: updates.items, missing: [], warnings: [] };
  const now = await resource.getMany(Array.from(updates.relative.values(), ({ id }) => id), options);
  const decimals = decimalsOf(resource.profile.countryCode);
  const items: Record<string, unknown>[] = [];
  const missing: string[] = [];
  const warnings: string[] = [];
  for (const item of updates.items) {
    const update = updates.relative.get(item);
    if (update === undefined) {
      items.push(item);
      continue;
    }
    const { id, where } = update;
    const entity = now.get(id);
    if (entity === undefined) {
      missing.push(id);
      continue;
    }
    const changes: (readonly [string, unknown])[] = [];
    for (const [path, value] of update.changes) {
      if (!isRelative(value)) {
        changes.push([path, value]);
        continue;
      }
      const present = presentAmount(entity, path);
      if (present === undefined) {
        const name = `${resource.spec.noun} ${id} ${resource.spec.label(entity)}`.trim();
        warnings.push(`${name}: it has no "${path}" of its own, so ${value.text} was left out`);
      } else {
        changes.push([path, roundMoney(present * value.factor, decimals)]);
      }
    }
    if (changes.length > 0) items.push({ [resource.idField]: id, ...nestFields(changes, where) });
  }
  return { items, missing, warnings };
}

/** The amount at a path; a campaign's `budget` may mean the amount inside of it. */
function presentAmount(entity: Record<string, unknown>, path: string): number | undefined {
  const value = valueAt(entity, path);
  const inner = path === "budget" && typeof value === "object" && value !== null
    ? valueAt(entity, "budget.budget")
    : value;
  return typeof inner === "number" ? inner : undefined;
}
