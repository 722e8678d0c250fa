import { idOf } from "../../base/json/id_of.ts";
import type { EntityFields } from "../../plans/model/change.ts";
import type { ReportRow } from "../../client/reports/file/report_row.ts";
import type { ReportPresetName } from "../../client/reports/requests/presets.ts";
import { KINDS, type ResourceKind } from "../../client/entities/kinds/kinds.ts";
import { comparedText } from "../../client/entities/model/check_keyword_text.ts";
import { KeyedSpill } from "../tables/keyed_spill.ts";
import { EXPRESSION } from "../../client/entities/model/targeting_text.ts";

const NAME = "name:";

export interface JoinCounts {
  joined: number;
  named: number;
  readonly missing: Set<string>;
  readonly several: Set<string>;
}

interface NamedId {
  readonly key: string;
  readonly id: string;
  readonly isLive: boolean;
}

/** Size of the cache; most rows of a file share a few campaigns and ad groups. */
const MAX_FOUND = 10_000;

export class NameIndex {
  readonly #names = new KeyedSpill<NamedId>(({ key }) => key);
  readonly #found = new Map<string, string | null | undefined>();

  add(kind: ResourceKind, entity: EntityFields): void {
    const id = idOf(entity, KINDS[kind].idField);
    if (id === undefined) return;
    const isLive = String(entity["state"] ?? "ENABLED").toUpperCase() !== "ARCHIVED";
    for (const key of keysOf(kind, entity)) this.#names.push({ key, id, isLive });
  }

  close(): void {
    this.#names.close();
  }

  /** Adds the ids that belong to a row's names. An unknown or ambiguous name gets an id made from the name. */
  join(row: ReportRow, preset: ReportPresetName, counts: JoinCounts): ReportRow {
    const family = preset.slice(0, 2);
    const text = (name: string): string => String(row[name] ?? "").trim();
    const campaignName = text("campaignName");
    const campaign = this.#only(`${family}.campaigns ${campaignName}`);
    const campaignId = typeof campaign === "string" ? campaign : `${NAME}${campaignName}`;
    if (campaign === undefined) counts.missing.add(campaignName);
    else if (campaign === null) counts.several.add(campaignName);
    if (typeof campaign === "string") counts.joined += 1;
    else counts.named += 1;
    const ids: Record<string, string> = { campaignId };
    if (text("adGroupName") !== "") {
      const group = this.#only(`${family}.ad_groups ${campaignId} ${text("adGroupName")}`);
      ids["adGroupId"] = group ?? `${NAME}${campaignName} > ${text("adGroupName")}`;
    }
    const place = ids["adGroupId"] ?? campaignId;
    const below = (kind: string, what: string): string =>
      this.#only(`${family}.${kind} ${place} ${what}`) ?? `${place.replace(/^(?!name:)/, NAME)} > ${what}`;
    if (preset === "sp_targeting" || preset === "sp_search_terms") {
      const [targeting, match] = [text("targeting"), text("matchType")];
      const isKeyword = /^(?:EXACT|PHRASE|BROAD)$/.test(match);
      ids["keywordId"] = isKeyword
        ? below("keywords", `${comparedText(targeting)} (${match})`)
        : below("targets", targetingKey(targeting));
      if (isKeyword) ids["keyword"] = targeting;
    } else if (preset === "sb_targeting" || preset === "sb_search_terms") {
      const [keyword, target] = [text("keywordText"), text("targetingText")];
      if (keyword !== "") {
        ids["keywordId"] = below("keywords", `${comparedText(keyword)} (${text("matchType")})`);
      }
      ids["targetingId"] = keyword === "" ? below("targets", targetingKey(target)) : ids["keywordId"] ?? "";
    } else if (preset === "sd_targeting") {
      ids["targetingId"] = below("targets", targetingKey(text("targetingText")));
    } else if (preset === "sp_advertised_products") {
      ids["adId"] = below("product_ads", text("advertisedSku") || text("advertisedAsin"));
    } else if (preset === "sd_advertised_products") {
      ids["adId"] = below("product_ads", text("promotedSku") || text("promotedAsin"));
    }
    return { ...row, ...ids };
  }

  /**
   * Returns the id for a key, preferring live entities to archived ones. `null` if ambiguous, `undefined` if unknown.
   */
  #only(key: string): string | null | undefined {
    if (this.#found.has(key)) return this.#found.get(key);
    const all = this.#names.all(key);
    const live = all.filter(({ isLive }) => isLive);
    const [first, second] = live.length > 0 ? live : all;
    const id = second === undefined ? first?.id : null;
    if (this.#found.size >= MAX_FOUND) this.#found.clear();
    this.#found.set(key, id);
    return id;
  }
}

export function isNamed(id: unknown): boolean {
  return typeof id === "string" && id.startsWith(NAME);
}

function keysOf(kind: ResourceKind, entity: EntityFields): string[] {
  const text = (name: string): string => String(entity[name] ?? "").trim();
  const place = text("adGroupId") || text("campaignId");
  switch (kind.slice(3)) {
    case "campaigns":
      return [`${kind} ${text("name")}`];
    case "ad_groups":
      return [`${kind} ${text("campaignId")} ${text("name")}`];
    case "keywords":
      return [`${kind} ${place} ${comparedText(text("keywordText"))} (${text("matchType").toUpperCase()})`];
    case "targets":
      return [`${kind} ${place} ${targetingKey(EXPRESSION.write(entity["expression"]))}`];
    case "product_ads":
      return [...new Set([text("sku"), text("asin")])].filter((one) => one !== "").map((one) =>
        `${kind} ${place} ${one}`
      );
    default:
      return [];
  }
}

/** Returns a key to compare targeting texts by; ignores case and quotes. */
function targetingKey(text: string): string {
  return text.toLowerCase().replaceAll('"', "").replace(/\s+/g, " ").trim();
}
