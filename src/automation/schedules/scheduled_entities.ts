import { idKey, idOf } from "../../base/json/id_of.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import { fieldsOf } from "../../base/json/fields_of.ts";
import type { EntityFields } from "../../plans/model/change.ts";
import { dailyBudget, ownBid } from "../../plans/state/amounts.ts";
import { isSelected } from "../../plans/policy/campaign_select.ts";
import type { BidOwner } from "../../base/markets/market_limits.ts";
import { KINDS, type ResourceKind } from "../../client/entities/kinds/kinds.ts";
import type { Schedule, ScheduleMove } from "./schedule.ts";

export interface Movable {
  readonly kind: string;
  readonly id: string;
  readonly move: ScheduleMove;
  readonly label: string;
  readonly live: number;
  readonly fields: EntityFields;
  readonly owner?: Omit<BidOwner, "kind"> | undefined;
  readonly schedules: readonly Schedule[];
  readonly set?: WantedAmount | undefined;
}

export interface WantedAmount {
  readonly name: string;
  readonly amount: number;
  readonly reason: string;
}

const BID_KINDS: Readonly<Record<string, readonly string[]>> = {
  sp: ["sp.ad_groups", "sp.keywords", "sp.targets"],
  sb: ["sb.keywords", "sb.targets"],
  sd: ["sd.ad_groups", "sd.targets"],
};

const PLACEMENTS: Readonly<Partial<Record<ScheduleMove, string>>> = {
  placement_top: "PLACEMENT_TOP",
  placement_product: "PLACEMENT_PRODUCT_PAGE",
  placement_rest: "PLACEMENT_REST_OF_SEARCH",
};

/** Reads the entities that schedules can change. Skips archived entities but includes paused ones. */
export async function readMovables(
  profile: ProfileClient,
  schedules: readonly Schedule[],
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<Movable[]> {
  const selected = new Map<string, Movable>();
  const add = (movable: Omit<Movable, "schedules">, schedule: Schedule): void => {
    const key = movableKey(movable);
    const known = selected.get(key);
    selected.set(key, { ...movable, schedules: [...known?.schedules ?? [], schedule] });
  };
  const lists = new Map<string, Promise<EntityFields[]>>();
  const listed = (kind: string): Promise<EntityFields[]> => {
    const reading = lists.get(kind) ?? readAll(profile, kind, signal);
    lists.set(kind, reading);
    return reading;
  };
  for (const schedule of schedules) {
    for (const product of schedule.select?.products ?? ["sp"]) {
      const campaignKind = `${product}.campaigns`;
      const campaigns = (await listed(campaignKind)).filter((campaign) =>
        isSelected(campaign, campaignKind, schedule)
      );
      if (schedule.move !== "bid") {
        for (const campaign of campaigns) {
          const live = liveAmount(campaignKind, campaign, schedule.move);
          const own = named(campaignKind, campaign);
          if (own !== undefined && live !== undefined) {
            add({ ...own, move: schedule.move, live, fields: campaign }, schedule);
          }
        }
        continue;
      }
      const costTypes = new Map(
        campaigns.map((campaign) => [idKey(campaign, "campaignId"), campaign["costType"] ?? "cpc"]),
      );
      if (costTypes.size === 0) continue;
      const videos = product === "sb" ? await adGroupsWithVideos(listed) : undefined;
      // What is in an archived ad group can be moved no more.
      const groups = new Set(
        (await listed(`${product}.ad_groups`)).map((group) => idKey(group, "adGroupId")),
      );
      for (const kind of BID_KINDS[product] ?? []) {
        for (const fields of await listed(kind)) {
          const [campaignId, adGroupId] = [idKey(fields, "campaignId"), idKey(fields, "adGroupId")];
          if (!costTypes.has(campaignId) || !groups.has(adGroupId)) continue;
          const live = liveAmount(kind, fields, "bid");
          const own = named(kind, fields);
          if (own === undefined || live === undefined) continue;
          const owner = { costType: costTypes.get(campaignId), isVideo: videos?.has(adGroupId) };
          add({ ...own, move: "bid", live, fields, owner }, schedule);
        }
      }
    }
  }
  return [...selected.values()];
}

async function adGroupsWithVideos(
  listed: (kind: string) => Promise<readonly EntityFields[]>,
): Promise<ReadonlySet<string>> {
  const videos = (await listed("sb.ads")).filter(({ creative }) =>
    String(fieldsOf(creative)["type"]).toUpperCase().includes("VIDEO")
  );
  return new Set(videos.map((ad) => idKey(ad, "adGroupId")));
}

export function movableKey({ kind, id, move }: Pick<Movable, "kind" | "id" | "move">): string {
  return `${kind} ${id} ${move}`;
}

export function liveAmount(kind: string, fields: EntityFields, move: ScheduleMove): number | undefined {
  if (isState(fields, "ARCHIVED")) return undefined;
  if (move === "state") return isState(fields, "ENABLED") ? 1 : 0;
  if (move === "bid") return ownBid(kind, fields);
  if (move === "budget") return dailyBudget(fields);
  const placement = PLACEMENTS[move];
  const found = placements(fields).find((one) => one["placement"] === placement);
  return Number(found?.["percentage"] ?? 0);
}

export function fieldsFor(
  kind: string,
  fields: EntityFields,
  wanted: ReadonlyMap<ScheduleMove, number>,
): Record<string, unknown> {
  const after: Record<string, unknown> = {};
  let bidding: Record<string, unknown>[] | undefined;
  for (const [move, amount] of wanted) {
    if (move === "bid") after[kind.endsWith(".ad_groups") ? "defaultBid" : "bid"] = amount;
    else if (move === "budget") after["budget"] = kind === "sp.campaigns" ? { budget: amount } : amount;
    else if (move === "state") {
      const word = amount > 0 ? "ENABLED" : "PAUSED";
      after["state"] = /^[a-z]/.test(String(fields["state"])) ? word.toLowerCase() : word;
    } else {
      const placement = PLACEMENTS[move]!;
      bidding = [
        ...(bidding ?? placements(fields)).filter((one) => one["placement"] !== placement),
        { placement, percentage: amount },
      ];
    }
  }
  if (bidding !== undefined) after["dynamicBidding"] = { placementBidding: bidding };
  return after;
}

function placements(fields: EntityFields): Record<string, unknown>[] {
  const list = fieldsOf(fields["dynamicBidding"])["placementBidding"];
  return Array.isArray(list) ? list as Record<string, unknown>[] : [];
}

function isState(fields: EntityFields, state: string): boolean {
  return String(fields["state"]).toUpperCase() === state;
}

function named(kind: string, fields: EntityFields): Pick<Movable, "kind" | "id" | "label"> | undefined {
  const { idField, label } = KINDS[kind as ResourceKind];
  const id = idOf(fields, idField);
  return id === undefined ? undefined : { kind, id, label: label({ ...fields }) };
}

async function readAll(
  profile: ProfileClient,
  kind: string,
  signal: AbortSignal | undefined,
): Promise<EntityFields[]> {
  const found: EntityFields[] = [];
  for await (const fields of profile.resource(kind).iter({ signal })) {
    if (!isState(fields, "ARCHIVED")) found.push(fields);
  }
  return found;
}
