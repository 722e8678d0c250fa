import { withoutFields } from "../../base/json/fields_of.ts";
import { sameValue } from "../../base/json/canonical_json.ts";
import { mergeFields } from "../../plans/state/merge_fields.ts";
import type { Fields } from "../../client/entities/model/resource_wire.ts";
import type { AccountNode } from "../files/account_reading.ts";
import { type AccountSettings, isManaged, nounOf } from "../files/account_settings.ts";
import { keyFields, productFields } from "../files/entity_key.ts";
import { entityInFile, specOf } from "../files/file_kinds.ts";
import type { WantedEntity } from "../files/wanted_entities.ts";

interface EntityDifference {
  readonly before: Fields;
  readonly after: Fields;
  readonly fixed: readonly { readonly field: string; readonly message: string }[];
}

export function compareEntity(
  { kind, fields }: WantedEntity,
  { entity, id }: Pick<AccountNode, "entity" | "id">,
  { settings, today, lost = [] }: {
    settings: AccountSettings;
    today: string;
    lost?: readonly string[];
  },
): EntityDifference {
  const spec = specOf(kind);
  const now = entityInFile(kind, entity);
  const own = withoutFields(fields, lost);
  const before: Fields = {};
  const after: Fields = {};
  const fixed: { field: string; message: string }[] = [];
  for (const field in kind.fields) {
    if (!isManaged(settings, kind.kind, field)) continue;
    const wanted = own[field] ?? emptied(settings, { spec, field, kind: kind.kind, now });
    if (wanted === undefined) continue;
    const next = mergeFields(now[field], wanted);
    if (next === undefined || sameValue(now[field], next)) continue;
    const began = now[field];
    if (field === "startDate" && typeof began === "string" && began <= today) {
      // Nothing can be done about the first day of what has begun.
      if (String(wanted) > today) {
        fixed.push({ field, message: `has been ${began}, and cannot be changed any more` });
      }
      continue;
    }
    if (spec.updatable.includes(field)) {
      if (now[field] !== undefined) before[field] = now[field];
      after[field] = next;
    } else if (!keyFields(kind).includes(field) || productFields(kind).includes(field)) {
      const advice = spec.advice?.[field] ?? "Remove it from the file and add a new one under another name";
      const message =
        `is ${JSON.stringify(now[field]) ?? "empty"} in the ${nounOf(kind.kind)} ${id}, and an update ` +
        `cannot change it. ${advice}`;
      fixed.push({ field, message });
    }
  }
  return { before, after, fixed };
}

/** Returns `null` for each managed field that is empty in the file but set in the account, which clears the field. */
function emptied(
  { managed }: AccountSettings,
  { spec, field, kind, now }: {
    spec: { clearable?: readonly string[] };
    field: string;
    kind: string;
    now: Fields;
  },
): null | undefined {
  const isOwned = managed[kind]?.includes(field) === true && spec.clearable?.includes(field) === true;
  return isOwned && now[field] !== undefined ? null : undefined;
}

export function createFields(
  { kind, fields }: WantedEntity,
  { today, currency }: { today: string; currency: string },
): Fields {
  const spec = specOf(kind);
  const item: Fields = {};
  for (const [field, value] of Object.entries(fields)) {
    if (value === null) continue;
    // The platform starts a campaign today rather than on a day that has passed.
    if (field === "startDate" && typeof value === "string" && value < today) continue;
    if (field === "state" && spec.bornEnabled) continue;
    item[field] = value;
  }
  if (kind.kind === "portfolios") item["budget"] = portfolioBudget(item["budget"], { today, currency });
  if (kind.kind === "sb.campaigns") item["bidding"] = newBidding(item["bidding"]);
  return Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined));
}

/** A create accepts at most three placements; the rest follow in an update. */
const MAX_NEW_PLACEMENTS = 3;

function newBidding(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("bidAdjustmentsByPlacement" in value)) return value;
  const { bidAdjustmentsByPlacement: list, ...rest } = value;
  if (!Array.isArray(list)) return value;
  const adjusted = list.filter(({ percentage }: Fields) => percentage !== 0).slice(0, MAX_NEW_PLACEMENTS);
  return adjusted.length === 0 ? rest : { ...rest, bidAdjustmentsByPlacement: adjusted };
}

function portfolioBudget(value: unknown, { today, currency }: { today: string; currency: string }): unknown {
  if (typeof value !== "object" || value === null) return value;
  const { startDate, ...budget }: Fields = { ...value };
  const start = typeof startDate === "string" && startDate < today ? today : startDate;
  const parts = { ...budget, ...(start === undefined ? {} : { startDate: start }) };
  return "amount" in parts ? { ...parts, currencyCode: currency } : parts;
}
