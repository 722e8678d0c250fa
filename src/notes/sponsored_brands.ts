import type { NoteGroup } from "./note.ts";

export const SPONSORED_BRANDS: NoteGroup = {
  id: "sponsored-brands",
  title: "Sponsored Brands",
  notes: [
    {
      id: "sb-two-generations",
      title: "Two generations side by side",
      text:
        "Campaigns, ad groups and ads are of version 4: JSON lists by POST, ten items a call. Keywords, targets and their negatives are of version 3: a hundred items a call, lower-case states, ids as bare numbers; keywords are listed by GET with commas, targets by POST with filters of a type and values. The same methods serve all of them here.",
    },
    {
      id: "sb-targets-by-id",
      title: "Lists of Brands targets take no ids",
      text:
        "Their filters are for campaigns, ad groups, states and types of creatives, three at most. Up to 20 ids are asked for one by one; more are picked from a list of all, 5,000 a page.",
    },
    {
      id: "sb-target-words",
      title: "Brands targets have expressions, in words of their own",
      text:
        "The field is `expressions`, its predicates are `asinSameAs`, `asinCategorySameAs`, `asinBrandSameAs` and kin; those of Sponsored Products (`ASIN_SAME_AS`) are rewritten. New ones take no state and are enabled; updates change state and bid and repeat the parents, of negative targets the ad group alone; each is archived by a request of its own.",
    },
    {
      id: "sb-keyword-state",
      title: "A new Brands keyword takes no state",
      text:
        'Sent with one, it is refused: INVALID_ARGUMENT, "The noted field is not allowed with this API endpoint : state". Every new keyword is enabled; pause it afterwards.',
    },
    {
      id: "sb-keyword-parents",
      title: "Updates of Brands keywords repeat their parents",
      text:
        "`campaignId` and `adGroupId` must stand in every update. Left out, they are read from the account first; a keyword the account does not have gets a NOT_FOUND verdict, and the others are sent.",
    },
    {
      id: "sb-keyword-archive",
      title: "Brands keywords are archived one request each",
      text:
        "There is no batch for it. A missing keyword gets 404, which becomes a NOT_FOUND verdict on that item alone.",
    },
    {
      id: "sb-negative-states",
      title: "Brands negative keywords and targets are never paused",
      text:
        "They are enabled or archived. Lists of keywords take one state a request; both list the enabled ones unless told otherwise.",
    },
    {
      id: "sb-ad-formats",
      title: "There is no common address for new ads",
      text:
        "Each format has its own: `/sb/v4/ads/productCollectionExtended`, `/video` and so on. `adFormat` of the item chooses it and is never sent; without it an ad is a `productCollectionExtended`, for `productCollection` ended on 2024-11-30. One call makes ads of one format. Lists, updates and archives share `/sb/v4/ads`.",
    },
    {
      id: "sb-ad-creatives",
      title: "An ad shows other products or words by a new version of its creative",
      text:
        "The update of ads takes name and state alone. Where `creative` is updated or planned, the ad is read and a version that takes over the rest is sent to the operation of its type, one request for each ad, after the name and state: `CreateExtendedProductCollectionCreative`, `CreateStoreSpotlightCreative`, `CreateVideoCreative`, `CreateBrandVideoCreative`, `UpdateSponsoredBrandsManualCollectionAds` or `UpdateSponsoredBrandsAutoCollectionAds`. A version goes through moderation; `sponsored-brands-v4:ListCreatives` lists them. The products of a video cannot be changed. `landingPage` of an update is left out, and a plan says so.",
    },
    {
      id: "sb-manual-collection",
      title: "A manual collection's landing page moves",
      text: "It goes into the creative on create and comes back beside it on read.",
    },
    {
      id: "sb-serving-campaign",
      title: "A Brands campaign serves only when it is whole",
      text:
        "A campaign without an ad group and an ad is accepted and never shown. Make the three in order; creative and landing page belong to the ad.",
    },
    {
      id: "sb-author-goals",
      title: "Authors may not create goal campaigns",
      text:
        "With `goal` or `costType` the platform responds with AUTHOR_CREATED_GOAL_CAMPAIGNS_DISABLED. Without them it fills in goal PAGE_VISIT, cost type CPC and KPI CLICKS by itself.",
    },
    {
      id: "sb-placements",
      title: "Four placements are read, three may be described",
      text:
        "`bidding.bidAdjustmentsByPlacement` is the only way to the top-of-search premium. A read gives four placements though the description of the update allows three; what was read is accepted back as it is.",
    },
    {
      id: "sb-budget-number",
      title: "A Brands budget is a plain number",
      text: "`budgetType` stands beside it and cannot be changed.",
    },
  ],
};
