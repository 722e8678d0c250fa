import type { Region } from "../../../base/markets/markets.ts";
import type { JsonObject } from "../../core/json.ts";
import { hash, type Random } from "../../core/random.ts";
import type { IdSource } from "../../state/demo_account.ts";
import type { HistoryEvent } from "../../state/history_event.ts";
import type { PlacedProfile } from "../../state/profile_record.ts";
import { targetMetadata } from "../sponsored_products/target_metadata.ts";

interface HistoryDemoParts {
  readonly collections: Readonly<Record<string, readonly JsonObject[]>>;
  readonly random: Random;
  readonly now: number;
}

interface Followed {
  readonly collection: string;
  readonly idField: string;
  readonly entityType: string;
  readonly changeType: "BID_AMOUNT" | "BUDGET_AMOUNT" | "STATUS";
  readonly entities: number;
  readonly read: (entity: JsonObject) => string | undefined;
}

const DAY = 86_400_000;
const DAYS = 88;
const MAX_CHANGES = 3;

const FOLLOWED: readonly Followed[] = [
  {
    ...of("sp.keywords", "KEYWORD"),
    changeType: "BID_AMOUNT",
    entities: 30,
    read: (each) => amount(each.bid),
  },
  { ...of("sp.keywords", "KEYWORD"), changeType: "STATUS", entities: 8, read: pausedOnly },
  {
    ...of("sb.keywords", "KEYWORD"),
    changeType: "BID_AMOUNT",
    entities: 10,
    read: (each) => amount(each.bid),
  },
  {
    ...of("sp.targets", "PRODUCT_TARGETING"),
    changeType: "BID_AMOUNT",
    entities: 5,
    read: (each) => amount(each.bid),
  },
  {
    ...of("sp.ad_groups", "AD_GROUP"),
    changeType: "BID_AMOUNT",
    entities: 3,
    read: (each) => amount(each.defaultBid),
  },
  {
    ...of("sp.campaigns", "CAMPAIGN"),
    changeType: "BUDGET_AMOUNT",
    entities: 5,
    read: (each) => amount((each.budget as JsonObject).budget),
  },
  { ...of("sp.campaigns", "CAMPAIGN"), changeType: "STATUS", entities: 2, read: pausedOnly },
];

/** Oldest first; events of a value are consistent and end with its current value. */
export function buildChangeHistory(parts: HistoryDemoParts): HistoryEvent[] {
  const today = Math.floor(parts.now / DAY) * DAY;
  const events = FOLLOWED.flatMap((followed) => {
    const candidates = (parts.collections[followed.collection] ?? []).filter((entity) =>
      isOpen(entity) && followed.read(entity) !== undefined && createdAt(entity) < today - DAYS * DAY
    );
    const chosen = parts.random.shuffled(candidates).slice(0, followed.entities);
    return chosen.flatMap((entity) => changesOf(entity, followed, { random: parts.random, today }));
  });
  return events.sort((a, b) => a.timestamp - b.timestamp);
}

function changesOf(
  entity: JsonObject,
  followed: Followed,
  { random, today }: { random: Random; today: number },
): HistoryEvent[] {
  const { changeType, entityType, idField, read } = followed;
  const count = changeType === "STATUS" ? 1 : random.integer(1, MAX_CHANGES);
  const moments = Array.from({ length: count }, () => today - random.integer(1, DAYS * DAY)).sort((a, b) =>
    b - a
  );
  let newValue = read(entity)!;
  return moments.flatMap((timestamp) => {
    const previousValue = changeType === "STATUS" ? "ENABLED" : before(newValue, random);
    if (previousValue === newValue) return [];
    const event = {
      entityType,
      entityId: String(entity[idField]),
      changeType,
      previousValue,
      newValue,
      timestamp,
    };
    newValue = previousValue;
    return [{ ...event, metadata: metadataOf(entity, entityType) }];
  });
}

function of(collection: string, entityType: string): Pick<Followed, "collection" | "entityType" | "idField"> {
  const idFields: Readonly<Record<string, string>> = {
    CAMPAIGN: "campaignId",
    AD_GROUP: "adGroupId",
    PRODUCT_TARGETING: "targetId",
  };
  return { collection, entityType, idField: idFields[entityType] ?? "keywordId" };
}

function metadataOf(entity: JsonObject, entityType: string): Record<string, string> {
  const { campaignId, adGroupId, keywordText, matchType, expression } = entity;
  return {
    campaignId: String(campaignId),
    ...(adGroupId === undefined ? {} : { adGroupId: String(adGroupId) }),
    ...(keywordText === undefined
      ? {}
      : { keyword: String(keywordText), keywordType: `KEYWORD_${String(matchType).toUpperCase()}` }),
    ...(expression === undefined ? {} : targetMetadata(entity)),
    ...(entityType === "CAMPAIGN" ? { campaignBudgetType: "DAILY" } : {}),
  };
}

/**
 * Makes up an earlier value with the same number of decimals. The value stays unchanged if it is too small to differ.
 */
function before(value: string, random: Random): string {
  const decimals = value.split(".")[1]?.length ?? 0;
  return String(Number((Number(value) * random.pick([0.8, 0.85, 0.9, 1.1, 1.2])).toFixed(decimals)));
}

function isOpen(entity: JsonObject): boolean {
  return String(entity.state).toUpperCase() !== "ARCHIVED";
}

function createdAt(entity: JsonObject): number {
  const { creationDateTime, creationDate = 0 } = (entity.extendedData ?? {}) as JsonObject;
  return typeof creationDateTime === "string" ? Date.parse(creationDateTime) : Number(creationDate);
}

function amount(value: unknown): string | undefined {
  return value === undefined ? undefined : String(value);
}

function pausedOnly(entity: JsonObject): string | undefined {
  return entity.state === "PAUSED" ? "PAUSED" : undefined;
}

export function buildLabels(
  collections: Readonly<Record<string, readonly JsonObject[]>>,
): Record<string, JsonObject[]> {
  const live = (kind: string): JsonObject[] =>
    (collections[kind] ?? []).filter(({ state }) => String(state).toUpperCase() !== "ARCHIVED");
  const products = live("sp.campaigns").map(({ campaignId }) => String(campaignId));
  const brands = live("sb.campaigns").map(({ campaignId }) => String(campaignId));
  const groups = live("sp.ad_groups").filter(({ campaignId }) => String(campaignId) === products[2])
    .map(({ adGroupId }) => String(adGroupId));
  const label = (name: string, type: string, objects: readonly string[]): JsonObject => ({
    labelId: `label-${(hash(`${name} ${objects[0]}`) >>> 0).toString(36)}`,
    labelName: name,
    labelObjectType: type,
    labelObjectIds: [...objects],
  });
  return {
    labels: [
      label("Core range", "CAMPAIGN", [...products.slice(0, 2), ...brands.slice(0, 1)]),
      label("On trial", "AD_GROUP", groups),
    ],
  };
}

type Row = readonly [
  region: Region,
  country: string,
  currency: string,
  timezone: string,
  account: { readonly type: string; readonly name: string; readonly subType?: string },
];

const NO_LIMIT = 999_999_999;

const ROWS: readonly Row[] = [
  ["NA", "US", "USD", "America/Los_Angeles", { type: "seller", name: "Fernpfad Outdoor" }],
  ["NA", "CA", "CAD", "America/Los_Angeles", { type: "seller", name: "Maple & Main Kitchen" }],
  ["NA", "MX", "MXN", "America/Los_Angeles", { type: "vendor", name: "Casa Jacarandá" }],
  ["EU", "UK", "GBP", "Europe/London", { type: "vendor", subType: "KDP_AUTHOR", name: "Imogen Marsh" }],
  ["EU", "DE", "EUR", "Europe/Paris", { type: "seller", name: "Küchenglück Müller" }],
  ["EU", "DE", "EUR", "Europe/Paris", { type: "vendor", name: "Gartenzwerg & Söhne GmbH" }],
  ["FE", "JP", "JPY", "Asia/Tokyo", { type: "vendor", name: "みどり茶房" }],
  ["FE", "AU", "AUD", "Australia/Sydney", { type: "seller", name: "Billabong Pets" }],
];

const GLOBAL = [0, 4, 7];

/**
 * Eight profiles in three regions. Two are in Germany, and the one in the United Kingdom belongs to an author. One
 * profile per region belongs to a global account. Further profiles repeat these with numbered names.
 */
export function demoProfiles(ids: IdSource, count: number = ROWS.length): PlacedProfile[] {
  return demoRows(count).map(([region, countryCode, currencyCode, timezone, account], index) => ({
    region,
    ...(GLOBAL.includes(index) ? { account: ids.at(GLOBAL[0]! + 1) } : {}),
    record: {
      profileId: ids.at(index + 1),
      countryCode,
      currencyCode,
      dailyBudget: NO_LIMIT,
      timezone,
      accountInfo: {
        marketplaceStringId: `A1DEMO${countryCode}MARKET`,
        id: `ENTITY${ids.at(index + 101)}`,
        ...account,
        validPaymentMethod: true,
      },
    },
  }));
}

function demoRows(count: number): Row[] {
  return Array.from({ length: count }, (_, index) => {
    const [region, country, currency, timezone, account] = ROWS[index % ROWS.length]!;
    const round = Math.floor(index / ROWS.length);
    const name = round === 0 ? account.name : `${account.name} ${round + 1}`;
    return [region, country, currency, timezone, { ...account, name }];
  });
}
