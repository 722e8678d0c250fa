import { ConfigurationError } from "../errors.ts";
import type { Resource } from "../resources/resource.ts";
import type { ProfileClient } from "./profile_client.ts";

const KINDS: Readonly<Record<string, (client: ProfileClient) => Resource>> = {
  "sp.campaigns": (client) => generic(client.sp.campaigns),
  "sp.ad_groups": (client) => generic(client.sp.adGroups),
  "sp.keywords": (client) => generic(client.sp.keywords),
  "sp.targets": (client) => generic(client.sp.targets),
  "sp.negative_keywords": (client) => generic(client.sp.negativeKeywords),
  "sp.negative_targets": (client) => generic(client.sp.negativeTargets),
  "sp.campaign_negative_keywords": (client) => generic(client.sp.campaignNegativeKeywords),
  "sp.campaign_negative_targets": (client) => generic(client.sp.campaignNegativeTargets),
  "sp.product_ads": (client) => generic(client.sp.productAds),
  "sb.campaigns": (client) => generic(client.sb.campaigns),
  "sb.ad_groups": (client) => generic(client.sb.adGroups),
  "sb.ads": (client) => generic(client.sb.ads),
  "sb.keywords": (client) => generic(client.sb.keywords),
  "sb.negative_keywords": (client) => generic(client.sb.negativeKeywords),
  "portfolios": (client) => generic(client.portfolios),
};

/**
 * Every resource kind, as plans write it.
 *
 * @example
 * ```ts
 * import { type ProfileClient, RESOURCE_KINDS } from "@platform/ads";
 *
 * async function counts(us: ProfileClient): Promise<void> {
 *   for (const kind of RESOURCE_KINDS) console.log(kind, (await us.resource(kind).list()).length);
 * }
 * ```
 */
export const RESOURCE_KINDS: readonly string[] = Object.keys(KINDS);

/**
 * The resource behind a kind. Underscores and hyphens, and a family joined by a dot or either of them, are the same:
 * `sb.ad_groups`, `sb_ad_groups` and `sb-ad-groups`.
 *
 * @throws {ConfigurationError} that lists the kinds when there is no such kind.
 */
export function resourceOf(client: ProfileClient, kind: string): Resource {
  const name = canonicalKind(kind);
  const find = Object.hasOwn(KINDS, name) ? KINDS[name] : undefined;
  if (find === undefined) {
    throw new ConfigurationError(`Cannot find a resource "${kind}". There is ${RESOURCE_KINDS.join(", ")}`);
  }
  return find(client);
}

/** The spelling of a kind that plans use. */
export function canonicalKind(kind: string): string {
  return kind.toLowerCase().replaceAll("-", "_").replace(/^(sp|sb)[._]/, "$1.");
}

function generic<Entity extends object, New extends object, Update extends object>(
  resource: Resource<Entity, New, Update>,
): Resource {
  return resource as unknown as Resource;
}
