import { nearest } from "../../base/text/nearest.ts";

/** Columns of each group, in the order of a row's groups. */
export const GROUPS = {
  market: ["country_code AS market"],
  profile: ["profile_id"],
  product: ["ad_product AS product"],
  portfolio: ["portfolio_id", "portfolio"],
  campaign: ["campaign_id", "campaign_name AS campaign"],
  ad_group: ["ad_group_id", "ad_group_name AS ad_group"],
  keyword: ["keyword_id", "keyword", "match_type"],
  search_term: ["search_term"],
  month: ["month"],
  week: ["week"],
  day: ["date AS day"],
} as const satisfies Readonly<Record<FigureGroup, readonly string[]>>;

/** A dimension that figures are grouped by. */
export type FigureGroup =
  | "market"
  | "profile"
  | "product"
  | "portfolio"
  | "campaign"
  | "ad_group"
  | "keyword"
  | "search_term"
  | "month"
  | "week"
  | "day";

export const FIGURE_GROUPS: readonly FigureGroup[] = Object.keys(GROUPS) as FigureGroup[];

/**
 * Orders groups from wide to fine.
 *
 * @throws {RangeError} for an unknown group, with the nearest known one.
 */
export function checkGroups(by: readonly string[]): FigureGroup[] {
  const groups = by.map((group) => group.replaceAll("-", "_"));
  for (const [at, group] of groups.entries()) {
    if (FIGURE_GROUPS.some((known) => known === group)) continue;
    const near = nearest(group, FIGURE_GROUPS);
    throw new RangeError(
      `Cannot group figures by "${by[at]}": ${
        near === undefined ? `expected ${FIGURE_GROUPS.join(", ")}` : `did you mean "${near}"?`
      }`,
    );
  }
  return FIGURE_GROUPS.filter((group) => groups.includes(group));
}
