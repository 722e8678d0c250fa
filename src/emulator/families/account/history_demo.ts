import { targetMetadata } from "../sponsored_products/targets.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Random } from "../../core/random.ts";
import type { HistoryEvent } from "../../state/history_event.ts";

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
