import type { ProfileClient, ResourceKind } from "../../../mod.ts";
import type { Emulator } from "../../../src/emulator/mod.ts";
import type { SeededRandom } from "../../support/seeded_random.ts";
import { moneyIn } from "./money_in.ts";

type Item = Record<string, unknown>;

/** Takes everything out of every profile of an emulator: markets and accounts stay, without a single campaign. */
export function emptyAccounts(emulator: Emulator): void {
  const profiles = (["NA", "EU", "FE"] as const).flatMap((region) => emulator.state.profiles(region)).map((
    { record },
  ) => ({ record, collections: {}, history: [] }));
  emulator.restore(JSON.stringify({ ...JSON.parse(emulator.snapshot()), profiles }));
}

/**
 * Fills an empty profile over HTTP: campaigns of both products, manual and automatic, with what belongs to them, in any
 * state and with any budgets and bids; some of it is archived in the end, from below and from above.
 */
export async function fillAtRandom(us: ProfileClient, random: SeededRandom): Promise<void> {
  const amount = (low: number, high: number): number =>
    moneyIn(us.countryCode, low + random.next() * (high - low));
  const state = (): string => random.pick(["ENABLED", "ENABLED", "PAUSED"]);
  /** Up to `most` of what is made of each of them. */
  const below = <T>(places: readonly T[], most: number, make: (place: T, at: number) => Item): Item[] =>
    places.flatMap((place) => Array.from({ length: random.integer(0, most) }, (_, at) => make(place, at)));
  const create = async (kind: ResourceKind, items: readonly Item[]): Promise<Item[]> => {
    if (items.length === 0) return [];
    const resource = us.resource(kind as string);
    const result = await resource.create(items);
    result.raiseForErrors();
    const made = await resource.list({ ids: result.ids, states: null });
    return [...made];
  };
  const text = (): string => `random words ${random.integer(1, 9_999_999)}`;
  const asin = (): string => `B0R${String(random.integer(1_000_000, 9_999_999))}`;

  const isSeller = us.profile.accountInfo?.type === "seller";
  const product = (): Item => isSeller ? { sku: `SKU-${asin()}` } : { asin: asin() };

  const portfolios = await create(
    "portfolios",
    below([0], 4, (_, at) => ({ name: `Portfolio ${at}`, state: "ENABLED" })),
  );
  const campaigns = await create(
    "sp.campaigns",
    Array.from({ length: random.integer(5, 12) }, (_, at) => ({
      name: `Campaign ${at}`,
      state: state(),
      targetingType: random.pick(["MANUAL", "MANUAL", "AUTO"]),
      budget: { budget: amount(3, 90), budgetType: "DAILY" },
      startDate: random.pick(["2026-09-30", "2026-10-01", "2026-11-20"]),
      ...(random.integer(0, 2) === 0 ? { endDate: random.pick(["2026-12-24", "2027-06-30"]) } : {}),
      ...(portfolios.length > 0 && random.integer(0, 2) === 0
        ? { portfolioId: random.pick(portfolios)["portfolioId"] }
        : {}),
    })),
  );
  const adGroups = await create(
    "sp.ad_groups",
    below(campaigns, 3, ({ campaignId }, at) => ({
      campaignId,
      name: `Ad group ${at}`,
      state: state(),
      defaultBid: amount(0.1, 2.5),
    })),
  );
  const automatic = new Set(
    campaigns.flatMap(({ campaignId, targetingType }) => targetingType === "AUTO" ? [campaignId] : []),
  );
  const manual = adGroups.filter(({ campaignId }) => !automatic.has(campaignId));
  const forTargets = new Set(manual.filter(() => random.integer(0, 2) === 0));
  const within = ({ campaignId, adGroupId }: Item): Item => ({ campaignId, adGroupId });
  const match = (): string => random.pick(["EXACT", "PHRASE", "BROAD"]);
  await create(
    "sp.keywords",
    below(manual.filter((group) => !forTargets.has(group)), 6, (group) => ({
      ...within(group),
      keywordText: text(),
      matchType: match(),
      state: state(),
      ...(random.integer(0, 3) === 0 ? {} : { bid: amount(0.1, 2.9) }),
    })),
  );
  await create(
    "sp.targets",
    below([...forTargets], 5, (group) => ({
      ...within(group),
      expression: [{ type: "ASIN_SAME_AS", value: asin() }],
      expressionType: "MANUAL",
      state: state(),
      bid: amount(0.1, 2.9),
    })),
  );
  await create(
    "sp.product_ads",
    below(adGroups, 3, (group) => ({ ...within(group), ...product(), state: state() })),
  );
  await create(
    "sp.negative_keywords",
    below(adGroups, 2, (group) => ({
      ...within(group),
      keywordText: text(),
      matchType: random.pick(["NEGATIVE_EXACT", "NEGATIVE_PHRASE"]),
      state: "ENABLED",
    })),
  );
  await create(
    "sp.negative_targets",
    below(adGroups, 1, (group) => ({
      ...within(group),
      expression: [{ type: "ASIN_SAME_AS", value: asin() }],
      state: "ENABLED",
    })),
  );
  await create(
    "sp.campaign_negative_keywords",
    below(campaigns, 2, ({ campaignId }) => ({
      campaignId,
      keywordText: text(),
      matchType: "NEGATIVE_EXACT",
      state: "ENABLED",
    })),
  );
  await create(
    "sp.campaign_negative_targets",
    below(campaigns, 1, ({ campaignId }) => ({
      campaignId,
      expression: [{ type: "ASIN_SAME_AS", value: asin() }],
      state: "ENABLED",
    })),
  );
  const brands = await create(
    "sb.campaigns",
    Array.from({ length: random.integer(2, 5) }, (_, at) => ({
      name: `Brands ${at}`,
      state: state(),
      budget: amount(200, 900),
      budgetType: random.pick(["DAILY", "DAILY", "LIFETIME"]),
      startDate: "2026-10-01",
    })),
  );
  const brandGroups = await create(
    "sb.ad_groups",
    below(brands, 2, ({ campaignId }, at) => ({ campaignId, name: `Ad group ${at}`, state: state() })),
  );
  await create(
    "sb.ads",
    below(brandGroups, 1, ({ adGroupId }, at) => {
      const asins = [asin(), asin(), asin()];
      const creative = { brandName: "Fernpfad", headline: "Sleep outside", asins };
      const landingPage = { pageType: "PRODUCT_LIST", asins };
      return { adGroupId, name: `Ad ${at}`, state: state(), creative, landingPage };
    }),
  );
  await create(
    "sb.keywords",
    below(brandGroups, 4, (group) => ({
      ...within(group),
      keywordText: text(),
      matchType: random.pick(["exact", "phrase", "broad"]),
      bid: amount(0.4, 3),
    })),
  );
  await create(
    "sb.negative_keywords",
    below(brandGroups, 2, (group) => ({ ...within(group), keywordText: text(), matchType: "negativeExact" })),
  );
  await create(
    "sb.targets",
    below(brandGroups, 3, (group) => ({
      ...within(group),
      expressions: random.pick([
        [{ type: "asinSameAs", value: asin() }],
        [{ type: "asinCategorySameAs", value: String(random.integer(1, 9_999_999)) }],
      ]),
      bid: amount(0.4, 3),
    })),
  );
  await create(
    "sb.negative_targets",
    below(brandGroups, 2, (group) => ({
      ...within(group),
      expressions: [{ type: "asinSameAs", value: asin() }],
    })),
  );
  const displays = await create(
    "sd.campaigns",
    Array.from({ length: random.integer(2, 5) }, (_, at) => ({
      name: `Display ${at}`,
      state: state(),
      budget: amount(20, 90),
      tactic: random.pick(["T00020", "T00030"]),
      costType: random.pick(["cpc", "cpc", "vcpm"]),
      startDate: "2026-10-01",
    })),
  );
  const displayGroups = await create(
    "sd.ad_groups",
    below(displays, 2, ({ campaignId, costType }, at) => ({
      campaignId,
      name: `Ad group ${at}`,
      state: state(),
      defaultBid: costType === "vcpm" ? amount(8, 15) : amount(0.4, 2.5),
    })),
  );
  await create(
    "sd.product_ads",
    below(displayGroups, 3, (group) => ({ ...within(group), ...product(), state: state() })),
  );
  await create(
    "sd.targets",
    below(displayGroups, 4, (group, at) => ({
      ...within(group),
      expressionType: "manual",
      expression: group["tactic"] === "T00030" && at % 2 === 0
        ? [{ type: "views", value: [{ type: "exactProduct" }, { type: "lookback", value: String(at + 7) }] }]
        : [{ type: "asinSameAs", value: asin() }],
      state: state(),
    })),
  );
  await create(
    "sd.negative_targets",
    below(displayGroups, 2, (group) => ({
      adGroupId: group["adGroupId"],
      expressionType: "manual",
      expression: [{ type: "asinSameAs", value: asin() }],
      state: "enabled",
    })),
  );
  for (
    const kind of [
      "sd.targets",
      "sd.ad_groups",
      "sd.campaigns",
      "sp.keywords",
      "sp.product_ads",
      "sp.ad_groups",
      "sb.keywords",
      "sb.targets",
      "sp.campaigns",
      "sb.campaigns",
    ]
  ) {
    const resource = us.resource(kind);
    const ids = (await resource.list()).map((entity) => String(entity[resource.idField]));
    const archived = ids.filter(() => random.integer(0, 6) === 0);
    if (archived.length > 0) (await resource.delete(archived)).raiseForErrors();
  }
}
