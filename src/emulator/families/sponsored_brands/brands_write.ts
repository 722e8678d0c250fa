import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { runItems } from "../../entities/batch.ts";
import type { FlatParent } from "../../entities/flat_resource.ts";
import { faultProblem, type FlatProblem } from "../../entities/flat_verdict.ts";
import { refusal } from "../../http/refusal.ts";
import type { Context } from "../../routing/context.ts";
import type { BidKind } from "../../core/marketplaces.ts";
import { bidRange, decimalsOf } from "../../core/marketplaces.ts";
import type { ProfileState } from "../../state/profile_state.ts";

const MAX_ITEMS = 100;

const BRANDS_PARENTS: readonly FlatParent[] = [
  { field: "adGroupId", kind: "sb.ad_groups" },
  { field: "campaignId", kind: "sb.campaigns" },
];

export interface BrandsVerdict {
  /** Zero-based. */
  readonly index: number;
  readonly id?: string;
  readonly problem?: FlatProblem;
}

export function runBrandsBatch(
  context: Context,
  listName: string,
  act: (item: JsonObject) => string | FlatProblem,
): BrandsVerdict[] {
  const outcomes = runItems<JsonObject, string | FlatProblem>(readItems(context.body, listName), context, {
    act,
    spoil: faultProblem,
  });
  return outcomes.map((outcome, index) =>
    typeof outcome === "string" ? { index, id: outcome } : { index, problem: outcome }
  );
}

function readItems(body: Json | undefined, listName: string): JsonObject[] {
  const items = isObject(body) ? body[listName] : undefined;
  if (!Array.isArray(items) || items.length === 0 || items.length > MAX_ITEMS || !items.every(isObject)) {
    throw refusal(400, `${listName} must be a list of 1 to ${MAX_ITEMS} objects`, "details");
  }
  return items;
}

export function checkBrandsPlace(
  item: JsonObject,
  { profile }: Pick<Context, "profile">,
): FlatProblem | undefined {
  for (const { field, kind } of BRANDS_PARENTS) {
    if (item[field] === undefined && field === "campaignId") continue;
    const found = profile.collection(kind).get(String(item[field]));
    if (found === undefined) return { code: "NOT_FOUND", description: `${field} was not found` };
    if (found.state === "ARCHIVED") return { code: "INVALID_ARGUMENT", description: `${field} is archived` };
  }
  const adGroup = profile.collection("sb.ad_groups").get(String(item.adGroupId));
  const campaign = profile.collection("sb.campaigns").get(String(adGroup?.campaignId));
  if (item.campaignId !== undefined && campaign?.campaignId !== String(item.campaignId)) {
    return { code: "NOT_FOUND", description: "adGroupId was not found in this campaign" };
  }
  return campaign?.state === "ARCHIVED"
    ? { code: "INVALID_ARGUMENT", description: "The campaign is archived" }
    : undefined;
}

export function checkBrandsOpen(
  { campaignId, adGroupId }: JsonObject,
  { profile }: Pick<Context, "profile">,
): FlatProblem | undefined {
  const parents = [["sb.campaigns", campaignId], ["sb.ad_groups", adGroupId]] as const;
  const isClosed = parents.some(([kind, id]) =>
    profile.collection(kind).get(String(id))?.state === "ARCHIVED"
  );
  return isClosed
    ? { code: "INVALID_ARGUMENT", description: "Parent entity is archived, updates are forbidden" }
    : undefined;
}

export function checkBrandsBid(
  bid: Json | undefined,
  kind: BidKind,
  profile: ProfileState,
): FlatProblem | undefined {
  if (bid === undefined) return undefined;
  const { countryCode } = profile.record;
  const [low, high] = bidRange(countryCode, kind);
  if (typeof bid !== "number" || bid < low || bid > high) {
    return { code: "INVALID_ARGUMENT", description: `bid must be a number from ${low} to ${high}` };
  }
  const decimals = decimalsOf(countryCode);
  if (Number(bid.toFixed(decimals)) === bid) return undefined;
  return { code: "INVALID_ARGUMENT", description: `bid has more than ${decimals} decimals` };
}

/** Ad groups with video have separate bid limits. */
export function bidKindOf(adGroupId: Json | undefined, profile: ProfileState): BidKind {
  const isVideo = profile.collection("sb.ads").all().some(({ adGroupId: id, creative }) =>
    id === String(adGroupId) && isObject(creative) && String(creative.type).includes("VIDEO")
  );
  return isVideo ? "sbVideo" : "sbImage";
}
