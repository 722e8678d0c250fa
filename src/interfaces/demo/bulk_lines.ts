import type { ProfileClient } from "../../client/profile_client.ts";

export const BULK_HEADERS: readonly string[] = (
  "Product|Entity|Operation|Campaign ID|Ad Group ID|Portfolio ID|Ad ID|Keyword ID|Product Targeting ID|Campaign Name|" +
  "Ad Group Name|Campaign Name (Informational only)|Ad Group Name (Informational only)|" +
  "Portfolio Name (Informational only)|Start Date|End Date|Targeting Type|State|Campaign State (Informational only)|" +
  "Ad Group State (Informational only)|Daily Budget|SKU|ASIN (Informational only)|" +
  "Eligibility Status (Informational only)|Reason for Ineligibility (Informational only)|Ad Group Default Bid|" +
  "Ad Group Default Bid (Informational only)|Bid|Keyword Text|Native Language Keyword|Native Language Locale|Match Type|" +
  "Bidding Strategy|Placement|Percentage|Product Targeting Expression|" +
  "Resolved Product Targeting Expression (Informational only)|Audience ID|Shopper Cohort Percentage|" +
  "Shopper Cohort Type|Segment Name (Informational only)|Impressions|Clicks|Click-through Rate|Spend|Sales|Orders|Units|" +
  "Conversion Rate|ACOS|CPC|ROAS"
).split("|");

const STRATEGIES: Readonly<Record<string, string>> = {
  LEGACY_FOR_SALES: "Dynamic bids - down only",
  AUTO_FOR_SALES: "Dynamic bids - up and down",
  MANUAL: "Fixed bid",
};
const PLACEMENTS: Readonly<Record<string, string>> = {
  PLACEMENT_TOP: "Placement Top",
  PLACEMENT_PRODUCT_PAGE: "Placement Product Page",
  PLACEMENT_REST_OF_SEARCH: "Placement Rest Of Search",
};
const CLAUSES: Readonly<Record<string, string>> = {
  QUERY_HIGH_REL_MATCHES: "close-match",
  QUERY_BROAD_REL_MATCHES: "loose-match",
  ASIN_SUBSTITUTE_RELATED: "substitutes",
  ASIN_ACCESSORY_RELATED: "complements",
  ASIN_SAME_AS: "asin",
  ASIN_EXPANDED_FROM: "asin-expanded",
  ASIN_CATEGORY_SAME_AS: "category",
  ASIN_BRAND_SAME_AS: "brand",
};

type Cells = Readonly<Record<string, string | number | undefined>>;

export async function bulkLines(
  { sp }: ProfileClient,
  { signal }: { readonly signal?: AbortSignal | undefined },
): Promise<(string | number)[][]> {
  const lines: (string | number)[][] = [[...BULK_HEADERS]];
  const campaigns = new Map<string, string>();
  const groups = new Map<string, string>();
  const put = (entity: string, cells: Cells): void => {
    const line: Cells = {
      ...cells,
      "Product": "Sponsored Products",
      "Entity": entity,
      "Campaign Name (Informational only)": campaigns.get(String(cells["Campaign ID"])),
      "Ad Group Name (Informational only)": groups.get(String(cells["Ad Group ID"])),
    };
    lines.push(BULK_HEADERS.map((header, at) => line[header] ?? (at >= 41 ? 0 : "")));
  };
  const place = (one: { campaignId: string; adGroupId?: string; state?: string }): Cells => ({
    "Campaign ID": one.campaignId,
    "Ad Group ID": one.adGroupId,
    "State": one.state?.toLowerCase(),
  });
  for await (const one of sp.campaigns.iter({ states: null, signal })) {
    campaigns.set(one.campaignId, one.name);
    put("Campaign", {
      ...place(one),
      "Portfolio ID": one.portfolioId,
      "Campaign Name": one.name,
      "Start Date": one.startDate?.replaceAll("-", ""),
      "End Date": one.endDate?.replaceAll("-", ""),
      "Targeting Type": one.targetingType === "AUTO" ? "Auto" : "Manual",
      "Daily Budget": one.budget?.budget,
      "Bidding Strategy": STRATEGIES[String(one.dynamicBidding?.strategy)],
    });
    for (const { placement, percentage } of one.dynamicBidding?.placementBidding ?? []) {
      if (PLACEMENTS[placement] === undefined) continue;
      put("Bidding Adjustment", {
        "Campaign ID": one.campaignId,
        "Placement": PLACEMENTS[placement],
        "Percentage": percentage,
      });
    }
  }
  for await (const one of sp.adGroups.iter({ states: null, signal })) {
    groups.set(one.adGroupId, one.name);
    put("Ad Group", { ...place(one), "Ad Group Name": one.name, "Ad Group Default Bid": one.defaultBid });
  }
  for await (const one of sp.productAds.iter({ states: null, signal })) {
    put("Product Ad", {
      ...place(one),
      "Ad ID": one.adId,
      "SKU": one.sku ?? undefined,
      "ASIN (Informational only)": one.asin ?? undefined,
    });
  }
  for await (const one of sp.keywords.iter({ states: null, signal })) {
    put("Keyword", {
      ...place(one),
      "Keyword ID": one.keywordId,
      "Bid": one.bid,
      "Keyword Text": one.keywordText,
      "Match Type": capital(one.matchType),
    });
  }
  for await (const one of sp.targets.iter({ states: null, signal })) {
    put("Product Targeting", {
      ...place(one),
      "Product Targeting ID": one.targetId,
      "Bid": one.bid,
      "Product Targeting Expression": clauses(one.expression),
    });
  }
  for await (const one of sp.negativeKeywords.iter({ states: null, signal })) {
    put("Negative Keyword", {
      ...place(one),
      "Keyword ID": one.keywordId,
      "Keyword Text": one.keywordText,
      "Match Type": negative(one.matchType),
    });
  }
  for await (const one of sp.campaignNegativeKeywords.iter({ states: null, signal })) {
    put("Campaign Negative Keyword", {
      ...place(one),
      "Keyword ID": one.keywordId,
      "Keyword Text": one.keywordText,
      "Match Type": negative(one.matchType),
    });
  }
  for await (const one of sp.negativeTargets.iter({ states: null, signal })) {
    put("Negative Product Targeting", {
      ...place(one),
      "Product Targeting ID": one.targetId,
      "Product Targeting Expression": clauses(one.expression),
    });
  }
  return lines;
}

function clauses(
  expression: readonly { readonly type: string; readonly value?: string | undefined }[],
): string {
  return expression.map(({ type, value }) =>
    `${CLAUSES[type] ?? type}${value === undefined ? "" : `="${value}"`}`
  ).join(" ");
}

function capital(word: string): string {
  return word.slice(0, 1) + word.slice(1).toLowerCase();
}

function negative(word: string): string {
  return word.split("_").map(capital).join(" ");
}
