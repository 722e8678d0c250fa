import { idText } from "../../base/json/id_of.ts";
import type { Change, EntityFields } from "../model/change.ts";
import { isChangeRef } from "../model/change_ref.ts";
import { AccountReading, type KeywordPlace, type ReadTarget } from "./account_reading.ts";
import { bidField, inheritsBid, ownBid } from "./amounts.ts";
import {
  familyOf,
  isAdGroupKind,
  isCampaignKind,
  isGlobalKind,
  known,
  placeKinds,
} from "../model/prior_state.ts";

interface ReadPriorStateOptions {
  readonly account?: AccountReading | undefined;
  readonly below?: boolean | undefined;
  readonly surroundings?: boolean | undefined;
  readonly places?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

const BIDDERS: readonly string[] = [
  "sp.ad_groups",
  "sp.keywords",
  "sp.targets",
  "sb.keywords",
  "sb.targets",
  "sd.ad_groups",
  "sd.targets",
];

export const RIVALS: Readonly<Record<string, string>> = {
  "sp.keywords": "sp.targets",
  "sp.targets": "sp.keywords",
};

export const NEGATED: Readonly<Record<string, { readonly kind: string; readonly place: KeywordPlace }>> = {
  "sp.negative_keywords": { kind: "sp.keywords", place: "adGroupId" },
  "sp.campaign_negative_keywords": { kind: "sp.keywords", place: "campaignId" },
  "sb.negative_keywords": { kind: "sb.keywords", place: "adGroupId" },
};

const ADS: Readonly<Record<string, string>> = {
  "sp.ad_extensions": "sp.product_ads",
  "sb.ad_extensions": "sb.ads",
};

/**
 * Reads touched entities, then their ad groups, campaigns and portfolios, each kind once. Unreadable parts are judged
 * as unknown.
 */
export async function readPriorState(
  changes: readonly Change[],
  client: ReadTarget,
  options: ReadPriorStateOptions = {},
): Promise<AccountReading> {
  const { signal, surroundings = false, places: allPlaces = false } = options;
  const reading = (options.account ?? new AccountReading()).by(client, signal);
  const entities = changes.filter(({ op }) => op !== "call");
  for (const { kind, id } of entities) reading.want(kind, id);
  await reading.read((kind) => familyOf(kind) !== undefined && !isPlace(kind));
  const places = entities.flatMap((change) => {
    const kinds = placeKinds(change.kind);
    return kinds === undefined ? [] : [{ change, kinds }];
  });
  for (const { change, kinds } of places) {
    const entity = known(reading.entity(change.kind, change.id));
    if (entity !== undefined && !surroundings && !allPlaces && !needsAdGroup(change, entity)) continue;
    reading.want(kinds.adGroups, groupOf(change, entity));
  }
  await reading.read(isAdGroupKind);
  for (const { change, kinds } of places) {
    const entity = known(reading.entity(change.kind, change.id));
    const group = known(reading.entity(kinds.adGroups, groupOf(change, entity) ?? null));
    const ads = ADS[change.kind];
    if (surroundings && ads !== undefined) {
      reading.want(ads, idText(entity?.["adId"]) ?? plannedId(change.after["adId"]));
    }
    for (const owner of [entity, group]) reading.want(kinds.campaigns, idText(owner?.["campaignId"]));
    if (!surroundings && (entity ?? group) !== undefined) continue;
    reading.want(kinds.campaigns, plannedId(change.after["campaignId"]));
  }
  await reading.read((kind) => kind !== "portfolios");
  for (const { kind, id, after } of entities) {
    if (!isCampaignKind(kind) || !("portfolioId" in after)) continue;
    reading.want("portfolios", idText(known(reading.entity(kind, id))?.["portfolioId"]));
    reading.want("portfolios", plannedId(after["portfolioId"]));
  }
  for (const { change, kinds } of places) {
    const entity = known(reading.entity(change.kind, change.id));
    const groupId = groupOf(change, entity);
    const group = known(reading.entity(kinds.adGroups, groupId ?? null));
    const isCampaign = isCampaignKind(change.kind);
    const campaignId = isCampaign
      ? change.id
      : idText((entity ?? group)?.["campaignId"]) ?? idText(group?.["campaignId"]) ??
        plannedId(change.after["campaignId"]);
    const campaign = known(reading.entity(kinds.campaigns, campaignId ?? null));
    // The copy of a global ad group alone names that one.
    if (campaign?.["globalCampaignId"] !== undefined) reading.want(kinds.adGroups, groupId);
    if (!allPlaces) continue;
    reading.want("portfolios", idText(campaign?.["portfolioId"]));
    if (isCampaign) reading.want("portfolios", plannedId(change.after["portfolioId"]));
  }
  await reading.read(() => true);
  reading.touch(entities);
  if (options.below) {
    for (const { kind, op, id, after } of entities) {
      // What is below the copies of global ones is in several profiles.
      if (op !== "update" || id === null || isGlobalKind(kind) || !mayWake(kind, after)) continue;
      await reading.readBelow({ kind, id }, biddersOf(kind).filter((bidder) => bidder !== kind), ownBid);
    }
  }
  if (surroundings) await readSurroundings(entities, reading);
  return reading;
}

export async function readChanged(changes: readonly Change[], reading: AccountReading): Promise<void> {
  for (const { kind, op, id } of changes) if (op !== "call") reading.want(kind, id);
  await reading.read(() => true);
  for (const change of changes) {
    if (change.op === "call" && Object.keys(change.before).length > 0) await reading.readCall(change);
  }
}

async function readSurroundings(
  entities: readonly Change[],
  reading: AccountReading,
): Promise<void> {
  const named = entities.filter(({ after, op }) =>
    // In what does not exist yet there is nothing to equal.
    op === "create" ? !Object.values(after).some(isChangeRef) : "name" in after
  );
  for (const [kind, own] of Map.groupBy(named, (change) => change.kind)) {
    await reading.readHolders(
      kind,
      own.map(({ id, after }) => ({ ...known(reading.entity(kind, id)), ...after })),
    );
  }
  for (const [kind, rival] of Object.entries(RIVALS)) {
    const created = entities.filter((change) => change.kind === kind && change.op === "create");
    const adGroups = new Set(created.flatMap(({ after }) => plannedId(after["adGroupId"]) ?? []));
    await reading.readHeld(rival, [...adGroups]);
  }
  for (const [negative, { kind, place }] of Object.entries(NEGATED)) {
    const created = entities.filter((change) => change.kind === negative && change.op === "create");
    const places = new Set(created.flatMap(({ after }) => plannedId(after[place]) ?? []));
    await reading.readKeywords(kind, place, [...places]);
  }
  const campaigns = entities.flatMap(({ kind, op, id, after }) =>
    kind === "sp.campaigns" && op === "update" && id !== null && "budget" in after ? [id] : []
  );
  await reading.readBids(campaigns, biddersOf("sp.campaigns"), comparedBid);
}

export function comparedBid(kind: string, entity: EntityFields): number {
  if (kind === "sp.targets" && entity["expressionType"] !== "AUTO") return 0;
  return Number(entity[bidField(kind)] ?? 0);
}

function biddersOf(kind: string): readonly string[] {
  return BIDDERS.filter((bidder) => familyOf(bidder) === familyOf(kind));
}

function isPlace(kind: string): boolean {
  return isCampaignKind(kind) || isAdGroupKind(kind);
}

function groupOf({ after }: Change, entity: EntityFields | undefined): string | undefined {
  return idText(entity?.["adGroupId"]) ?? plannedId(after["adGroupId"]);
}

/** Returns an id of a plan; `undefined` for a malformed id, which must not be requested. */
function plannedId(value: unknown): string | undefined {
  const id = idText(value);
  return id !== undefined && /^\d{1,20}$/.test(id) ? id : undefined;
}

function needsAdGroup({ kind, op, after }: Change, entity: EntityFields): boolean {
  // Each marketplace may inherit another default bid.
  if (entity["campaignId"] === undefined || isGlobalKind(kind)) return true;
  if (op === "archive" && inheritsBid(kind)) return ownBid(kind, entity) === undefined;
  return inheritsBid(kind) && ("bid" in after || "state" in after) &&
    (ownBid(kind, entity) === undefined || ("bid" in after && ownBid(kind, after) === undefined));
}

function mayWake(kind: string, after: EntityFields): boolean {
  const fields = isCampaignKind(kind)
    ? ["state", "endDate", "startDate", "dynamicBidding", "bidding"]
    : isAdGroupKind(kind)
    ? ["state"]
    : [];
  return fields.some((field) => field in after);
}
