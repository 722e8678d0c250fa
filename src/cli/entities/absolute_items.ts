import type { Resource } from "../../resources/resource.ts";
import { roundMoney } from "../../internal/money_text.ts";
import { decimalsOf } from "../../markets.ts";
import { valueAt } from "../../internal/field_path.ts";
import { isRelative } from "./cell_values.ts";
import { nestFields } from "./nest_fields.ts";
import type { UpdateItems } from "./update_items.ts";
import { UpdateRows, type UpdateValues } from "./update_rows.ts";

/** Updates whose entities are read at a time, so that those of a very long file are never all in memory. */
const READ_TOGETHER = 10_000;

/** Updates whose values are all known. */
interface AbsoluteItems {
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
  { rows, relative }: Pick<UpdateItems, "rows" | "relative">,
  resource: Resource,
  options: { signal: AbortSignal; onRead?: (count: number) => void },
): Promise<AbsoluteItems> {
  const { idField } = resource;
  if (relative === 0) return { items: rows.items(idField), missing: [], warnings: [] };
  const decimals = decimalsOf(resource.profile.countryCode);
  const items = new UpdateRows();
  const known = new Map<string, UpdateValues>();
  const missing: string[] = [];
  const warnings: string[] = [];
  let now = new Map<string, Record<string, unknown>>();
  for (let at = 0; at < rows.length; at++) {
    if (at % READ_TOGETHER === 0) {
      now = await resource.getMany(relativeIds(rows, at), { signal: options.signal });
      options.onRead?.(at);
    }
    const id = rows.id(at);
    const wanted = rows.values(at);
    if (!wanted.isWorkedOut) {
      items.add(id, wanted);
      continue;
    }
    const entity = now.get(id);
    if (entity === undefined) {
      missing.push(id);
      continue;
    }
    const changes: (readonly [string, unknown])[] = [];
    for (const [path, value] of wanted.changes) {
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
    if (changes.length === 0) continue;
    const key = JSON.stringify(changes);
    const values = known.get(key) ?? { changes, fields: nestFields(changes, id), isWorkedOut: false };
    known.set(key, values);
    items.add(id, values);
  }
  return { items: items.items(idField), missing, warnings };
}

/** Ids of the next updates that have values to be worked out. */
function relativeIds(rows: UpdateRows, from: number): string[] {
  const ids: string[] = [];
  for (let at = from; at < Math.min(rows.length, from + READ_TOGETHER); at++) {
    if (rows.values(at).isWorkedOut) ids.push(rows.id(at));
  }
  return ids;
}

/** The amount at a path; a campaign's `budget` may mean the amount inside of it. */
function presentAmount(entity: Record<string, unknown>, path: string): number | undefined {
  const value = valueAt(entity, path);
  const inner = path === "budget" && typeof value === "object" && value !== null
    ? valueAt(entity, "budget.budget")
    : value;
  return typeof inner === "number" ? inner : undefined;
}
