import type { ChangePlan, ProfileClient, ResourceKind } from "../../../mod.ts";
import type { SeededRandom } from "../../support/seeded_random.ts";
import { moneyIn } from "./money_in.ts";

/** A day after that on which the clocks of the tests stand still. */
const DAY = "2026-10-15";
const KINDS: readonly ResourceKind[] = [
  "sp.campaigns",
  "sp.ad_groups",
  "sp.keywords",
  "sp.targets",
  "sp.negative_keywords",
  "sp.negative_targets",
  "sp.campaign_negative_keywords",
  "sp.campaign_negative_targets",
  "sp.product_ads",
  "sb.campaigns",
  "sb.ad_groups",
  "sb.ads",
  "sb.keywords",
  "sb.targets",
  "sb.negative_keywords",
  "sb.negative_targets",
  "sd.campaigns",
  "sd.ad_groups",
  "sd.product_ads",
  "sd.targets",
  "sd.negative_targets",
  "portfolios",
];
const OPERATIONS = ["create", "create", "update", "update", "archive"] as const;

/** A new entity, or the changes of one. */
export type Item = Record<string, unknown>;

/** What the plans are made of: entities of the account, some of them archived, and values of every quality. */
export class PlanMaker {
  readonly #random: SeededRandom;
  readonly #us: ProfileClient;
  readonly #found = new Map<string, Item[]>();
  #number = 0;

  constructor(us: ProfileClient, random: SeededRandom) {
    this.#us = us;
    this.#random = random;
  }

  /** Reads the account as it is now. */
  async read(): Promise<void> {
    for (const kind of KINDS) {
      this.#found.set(kind, await this.#us.resource(kind).list({ states: null }));
    }
  }

  /** A plan of one kind and operation, or of several whose changes may refer to each other. */
  plan(): Promise<ChangePlan> {
    return this.#random.integer(1, 3) === 1 ? this.#mixed() : this.#plain();
  }

  async #plain(): Promise<ChangePlan> {
    const [kind, op] = [this.#random.pick(KINDS), this.#random.pick(OPERATIONS)];
    const resource = this.#us.resource(kind as string);
    const { idField } = resource;
    if (op === "create") return await resource.planCreate(times(8, () => this.#create(kind)));
    if (op === "update" || !resource.archivable) {
      const items = times(8, () => this.#update(kind));
      return await resource.planUpdate([...new Map(items.map((item) => [item[idField], item])).values()]);
    }
    return await resource.planArchive([
      ...new Set(times(6, () => String(this.#one(kind)?.[idField] ?? "404404"))),
    ]);
  }

  /** Changes of all kinds; often a new campaign, with what belongs to it. */
  async #mixed(): Promise<ChangePlan> {
    const draft = this.#us.plan();
    const touched = new Set<string>();
    if (this.#random.integer(0, 1) === 1) {
      draft.create("sp.campaigns", this.#create("sp.campaigns"), { as: "campaign" });
      const campaignId = { ref: "campaign" };
      draft.create("sp.ad_groups", { ...this.#create("sp.ad_groups"), campaignId }, { as: "group" });
      const adGroupId = { ref: "group" };
      for (const kind of ["sp.keywords", "sp.targets", "sp.product_ads", "sp.negative_keywords"] as const) {
        draft.create(kind as string, { ...this.#create(kind), campaignId, adGroupId });
      }
    }
    for (const kind of times(8, () => this.#random.pick(KINDS))) {
      const op = this.#random.pick(OPERATIONS);
      if (op === "create") {
        draft.create(kind as string, this.#create(kind));
        continue;
      }
      const { idField, archivable } = this.#us.resource(kind as string);
      const item = this.#update(kind);
      const id = String(item[idField]);
      if (touched.has(`${kind} ${id}`)) continue;
      touched.add(`${kind} ${id}`);
      if (op === "archive" && archivable) draft.archive(kind, id);
      else draft.update(kind as string, item);
    }
    return await draft.build();
  }

  #one(kind: string): Item | undefined {
    const all = this.#found.get(kind) ?? [];
    return all.length === 0 ? undefined : this.#random.pick(all);
  }

  /** Mostly a good value, sometimes one of the others. */
  #mostly<T>(good: T, others: readonly T[]): T {
    return this.#random.integer(1, 4) > 1 ? good : this.#random.pick(others);
  }

  #amount(good: number): number {
    const [local, twice] = [good, good * 2].map((amount) => moneyIn(this.#us.countryCode, amount));
    return this.#mostly(local ?? good, [0.001, 0.01, 1.005, 400, 5000, 99_999, 30_000_000, twice ?? good]);
  }

  #text(): string {
    this.#number++;
    const good = `preflight word ${this.#number}`;
    const there = String(this.#one("sp.keywords")?.["keywordText"] ?? good);
    return this.#mostly(good, [
      there,
      `${good} `,
      "a ".repeat(11) + "b",
      "one two three four five",
      "x".repeat(81),
      "shoes (red)",
      "-shoes",
      "50% off",
      "Automatically Selected Keywords",
      "same text twice",
    ]);
  }

  #name(kind: string): string {
    this.#number++;
    const there = String(this.#one(kind)?.["name"] ?? "x");
    return this.#mostly(`Preflight ${this.#number}`, [
      there,
      there.toUpperCase(),
      "y".repeat(300),
      "same name twice",
    ]);
  }

  #day(): string {
    return this.#mostly(DAY, ["2026-01-01", "2026-09-29", "2026-09-30", "2027-12-31"]);
  }

  #where(family: string): Item {
    const adGroup = this.#one(`${family}.ad_groups`) ?? {};
    return {
      campaignId: this.#mostly(adGroup["campaignId"], [
        "404404",
        this.#one(`${family}.campaigns`)?.["campaignId"],
      ]),
      adGroupId: this.#mostly(adGroup["adGroupId"], ["404405"]),
    };
  }

  /** What a target is, or a negative one keeps out. */
  #expression(): Item[] {
    const asin = `B0PREF${String(this.#random.integer(1000, 9999))}`;
    return this.#random.pick([
      [{ type: "ASIN_SAME_AS", value: asin }],
      [{ type: "ASIN_SAME_AS", value: asin }],
      [{ type: "ASIN_SAME_AS", value: "not an asin" }],
      [],
    ]);
  }

  #brandsExpressions(): Item[] {
    const value = `B0PREF${String(this.#random.integer(1000, 9999))}`;
    const there = this.#one("sb.targets")?.["expressions"] as Item[] | undefined;
    return this.#random.pick([
      [{ type: "asinSameAs", value }],
      [{ type: "ASIN_SAME_AS", value }],
      there ?? [{ type: "asinBrandSameAs", value: "8" }],
      [{ type: "asinSameAs", value: "not an asin" }],
      [{ type: "asinCategorySameAs", value: "7" }, { type: "asinPriceLessThan", value: "40" }],
      [{ type: "asinBrandSameAs" }],
      [{ type: "similarProduct", value: "1" }],
      [],
    ]);
  }

  #displayExpression(): Item[] {
    const asin = `B0PREF${String(this.#random.integer(1000, 9999))}`;
    return this.#random.pick([
      [{ type: "asinSameAs", value: asin }],
      [{ type: "asinSameAs", value: asin }],
      [{ type: "asinSameAs", value: "not an asin" }],
      [{ type: "asinCategorySameAs", value: "7" }, { type: "asinPriceLessThan", value: "40" }],
      [{ type: "views", value: [{ type: "exactProduct" }, { type: "lookback", value: "30" }] }],
      [{ type: "hearsay", value: "1" }],
      [],
    ]);
  }

  #state(): string {
    return this.#mostly("ENABLED", ["PAUSED", "paused", "ENABLED"]);
  }

  #without(item: Item): Item {
    if (this.#random.integer(1, 8) > 1) return item;
    const left = this.#random.pick(Object.keys(item));
    return Object.fromEntries(Object.entries(item).filter(([field]) => field !== left));
  }

  #create(kind: ResourceKind): Item {
    const family = kind.slice(0, 2);
    const where = this.#where(family);
    const state = this.#state();
    const text = { keywordText: this.#text() };
    const negative = { ...text, matchType: this.#mostly("NEGATIVE_EXACT", ["NEGATIVE_PHRASE", "EXACT"]) };
    switch (kind) {
      case "sp.campaigns":
        return this.#without({
          name: this.#name(kind),
          state,
          targetingType: this.#mostly("MANUAL", ["AUTO", "BOTH"]),
          budget: { budget: this.#amount(20), budgetType: "DAILY" },
          startDate: this.#day(),
          endDate: this.#mostly("2027-12-31", ["2026-10-01", "2026-01-01"]),
        });
      case "sb.campaigns": {
        const { campaignId: _, ...plain } = this.#without({
          campaignId: "",
          name: this.#name(kind),
          state,
          budget: this.#amount(20),
          budgetType: this.#mostly("DAILY", ["LIFETIME"]),
        });
        return plain;
      }
      case "sd.campaigns":
        return this.#without({
          name: this.#name(kind),
          state,
          budget: this.#amount(20),
          tactic: this.#mostly("T00020", ["T00030", "T00001"]),
          costType: this.#mostly("cpc", ["vcpm", "CPC"]),
          startDate: this.#day(),
          endDate: this.#mostly("20271231", ["2026-10-01", "20260101"]),
        });
      case "sd.ad_groups":
        return this.#without({
          campaignId: where["campaignId"],
          name: this.#name(kind),
          state,
          defaultBid: this.#amount(0.5),
          bidOptimization: this.#mostly("clicks", ["conversions", "fame"]),
        });
      case "sd.targets":
        return this.#without({
          ...where,
          expression: this.#displayExpression(),
          expressionType: "manual",
          bid: this.#amount(0.5),
          state,
        });
      case "sd.negative_targets":
        return this.#without({
          adGroupId: where["adGroupId"],
          expression: this.#displayExpression(),
          expressionType: "manual",
          state,
        });
      case "sp.ad_groups":
      case "sb.ad_groups":
        return this.#without({
          campaignId: where["campaignId"],
          name: this.#name(kind),
          state,
          ...(kind === "sp.ad_groups" ? { defaultBid: this.#amount(0.5) } : {}),
        });
      case "sp.targets":
        return this.#without({
          ...where,
          expression: this.#random.pick([
            [{ type: "ASIN_SAME_AS", value: `B0PREF${String(this.#random.integer(1000, 9999))}` }],
            [{ type: "ASIN_SAME_AS", value: "not an asin" }],
            [{ type: "ASIN_CATEGORY_SAME_AS", value: "7" }],
            [{ type: "ASIN_CATEGORY_SAME_AS" }],
            [{ type: "QUERY_HIGH_REL_MATCHES" }],
            [],
          ]),
          expressionType: "MANUAL",
          bid: this.#amount(0.5),
          state,
        });
      case "sp.negative_keywords":
        return this.#without({ ...where, ...negative, state });
      case "sp.campaign_negative_keywords":
        return this.#without({ campaignId: where["campaignId"], ...negative, state });
      case "sp.negative_targets":
        return this.#without({ ...where, expression: this.#expression(), state });
      case "sp.campaign_negative_targets":
        return this.#without({ campaignId: where["campaignId"], expression: this.#expression(), state });
      case "portfolios":
        return this.#without({ name: this.#name(kind), state: "ENABLED" });
      case "sb.ads": {
        const asins = ["B0PREF0001", "B0PREF0002", "B0PREF0003"];
        return this.#without({
          adGroupId: where["adGroupId"],
          name: this.#name(kind),
          state,
          creative: {
            brandName: "Fernpfad",
            headline: "Sleep outside",
            asins,
            brandLogoAssetID: "asset.logo:version_v1",
            customImages: [{ assetId: "asset.image:version_v1" }],
          },
          landingPage: { pageType: "PRODUCT_LIST", asins },
        });
      }
      case "sd.product_ads":
      case "sp.product_ads": {
        const there = this.#one(kind) ?? {};
        const product = `B0PREF${String(this.#random.integer(1000, 9999))}`;
        return this.#without({
          ...where,
          asin: this.#mostly(product, ["short", there["asin"] as string | undefined ?? product]),
          sku: this.#mostly(`SKU-${product}`, [there["sku"] as string | undefined ?? product]),
          state,
        });
      }
      case "sb.targets":
        return this.#without({ ...where, expressions: this.#brandsExpressions(), bid: this.#amount(0.6) });
      case "sb.negative_targets":
        return this.#without({ ...where, expressions: this.#brandsExpressions() });
      case "sb.negative_keywords":
        return this.#without({
          ...where,
          ...text,
          matchType: this.#mostly("negativeExact", ["negativePhrase"]),
        });
      case "sb.keywords":
        return this.#without({
          ...where,
          ...text,
          matchType: this.#mostly("exact", ["phrase", "fuzzy"]),
          bid: this.#amount(0.6),
        });
      default:
        return this.#without({
          ...where,
          ...text,
          matchType: this.#mostly("EXACT", ["PHRASE", "BROAD", "FUZZY"]),
          bid: this.#amount(0.5),
          state,
        });
    }
  }

  #update(kind: ResourceKind): Item {
    const resource = this.#us.resource(kind as string);
    const { idField, spec } = resource;
    const item: Item = {
      [idField]: this.#one(kind)?.[idField] ?? "404404",
      state: this.#random.pick(["ENABLED", "PAUSED"]),
    };
    if (!spec.settableStates.includes("PAUSED")) item["state"] = "ENABLED";
    if (spec.updatable.includes("bid")) item["bid"] = this.#amount(0.7);
    if (spec.updatable.includes("defaultBid")) item["defaultBid"] = this.#amount(0.7);
    if (kind.endsWith(".campaigns")) item["budget"] = this.#amount(1.5);
    if (spec.updatable.includes("name") && this.#random.integer(0, 1) === 1) item["name"] = this.#name(kind);
    if (spec.updatable.includes("startDate") && this.#random.integer(0, 4) === 1) {
      item["startDate"] = this.#day();
    }
    if (kind.startsWith("sp.") && kind.endsWith("negative_targets") && this.#random.integer(0, 1) === 1) {
      item["expression"] = this.#expression();
    }
    if (spec.updatable.includes("endDate") && this.#random.integer(0, 2) === 1) item["endDate"] = this.#day();
    if (spec.updatable.includes("portfolioId") && this.#random.integer(0, 3) === 1) {
      item["portfolioId"] = this.#mostly(String(this.#one("portfolios")?.["portfolioId"] ?? "1"), ["404404"]);
    }
    return item;
  }
}

function times<T>(count: number, make: () => T): T[] {
  return Array.from({ length: count }, make);
}
