import { isObject, type Json, type JsonObject } from "./core/json.ts";
import type { ProfileState } from "./state/profile_state.ts";

const FIELDS: Readonly<Record<string, string>> = {
  adGroups: "adGroupId",
  ads: "adId",
  campaigns: "campaignId",
  creatives: "creativeId",
  keywords: "keywordId",
  negativeKeywords: "keywordId",
  negativeTargets: "targetId",
  portfolios: "portfolioId",
  productAds: "adId",
  targets: "targetId",
};

/**
 * Maps recorded ids consistently to ids of an emulated profile, by the kind that field and path imply. Items with an
 * ad group get its campaign. Ids of other kinds stay.
 */
export class OwnIds {
  readonly #profile: ProfileState;
  readonly #given = new Map<string, Map<string, JsonObject>>();

  constructor(profile: ProfileState) {
    this.#profile = profile;
  }

  body(path: string, value: Json): Json {
    return this.#replaced(path, value, undefined);
  }

  place(path: string): string {
    let field: string | undefined;
    return path.split("/").map((segment) => {
      const id = /^\d+$/.test(segment) && field !== undefined ? this.#id(path, field, segment) : segment;
      field = FIELDS[segment];
      return id;
    }).join("/");
  }

  query(path: string, text: string): string {
    const query = new URLSearchParams(text);
    for (const [name, value] of [...query]) {
      const field = fieldOf(name);
      if (field === undefined) continue;
      query.set(name, value.split(",").map((id) => this.#id(path, field, id)).join(","));
    }
    return query.toString();
  }

  #replaced(path: string, value: Json, field: string | undefined): Json {
    if (Array.isArray(value)) return value.map((part) => this.#replaced(path, part, field));
    if (!isObject(value)) {
      return field === undefined || value === null ? value : this.#own(path, field, value);
    }
    const fields: JsonObject = {};
    for (const [name, part] of Object.entries(value)) {
      if (part !== undefined) fields[name] = this.#replaced(path, part, fieldOf(name) ?? field);
    }
    const { adGroupId, campaignId } = value;
    const adGroup = adGroupId === undefined ? undefined : this.#entity(path, "adGroupId", String(adGroupId));
    if (campaignId !== undefined && adGroup?.campaignId !== undefined) fields.campaignId = adGroup.campaignId;
    return fields;
  }

  #own(path: string, field: string, value: Json): Json {
    if (typeof value === "string") return this.#id(path, field, value);
    if (typeof value !== "number" && typeof value !== "bigint") return value;
    return BigInt(this.#id(path, field, String(value)));
  }

  #id(path: string, field: string, recorded: string): string {
    return String(this.#entity(path, field, recorded)?.[field] ?? recorded);
  }

  #entity(path: string, field: string, recorded: string): JsonObject | undefined {
    const kind = kindOf(path, field);
    if (kind === undefined) return undefined;
    const given = this.#given.get(kind) ?? new Map<string, JsonObject>();
    this.#given.set(kind, given);
    const known = given.get(recorded);
    if (known !== undefined) return known;
    const live = this.#profile.collection(kind).all().filter(({ state }) =>
      String(state).toUpperCase() !== "ARCHIVED"
    );
    const own = live[given.size % Math.max(1, live.length)];
    if (own !== undefined) given.set(recorded, own);
    return own;
  }
}

function fieldOf(name: string): string | undefined {
  const [, field] = /^(\w+Id)(?:s|Filter)?$/.exec(name) ?? [];
  return field;
}

function kindOf(path: string, field: string): string | undefined {
  const [, product = "sp"] = /^\/(sp|sb|sd)\//.exec(path) ?? [];
  const isNegative = /negative/i.test(path);
  const prefix = isNegative ? /campaignNegative/i.test(path) ? "campaign_negative_" : "negative_" : "";
  switch (field) {
    case "campaignId":
      return `${product}.campaigns`;
    case "adGroupId":
      return `${product}.ad_groups`;
    case "keywordId":
      return `${product}.${prefix}keywords`;
    case "targetId":
      return `${product}.${prefix}targets`;
    case "adId":
      return product === "sb" ? "sb.ads" : `${product}.product_ads`;
    case "portfolioId":
      return "portfolios";
    case "creativeId":
      return "sd.creatives";
    default:
      return undefined;
  }
}
