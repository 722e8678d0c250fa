import type { JsonObject } from "../core/json.ts";
import { Life, type PastValues } from "./timeline.ts";
import { expressionOf } from "./vocabulary.ts";

export interface BlockedTerm {
  readonly life: Life;
  blocks(term: string, moment: number): boolean;
}

export function blockedKeyword(entity: JsonObject, past: PastValues): BlockedTerm {
  const text = String(entity.keywordText).toLowerCase();
  const isExact = String(entity.matchType).toUpperCase().endsWith("EXACT");
  return {
    life: new Life(entity, String(entity.keywordId), past),
    blocks: isExact ? (term) => term === text : (term) => ` ${term} `.includes(` ${text} `),
  };
}

export function blockedTarget(entity: JsonObject, past: PastValues): BlockedTerm {
  const id = String(entity.targetId);
  const asins = past.of(id, "EXPRESSION", {
    now: asinsOf(entity),
    read: (text) => asinsOf({ expression: JSON.parse(text ?? "[]") }),
  });
  return { life: new Life(entity, id, past), blocks: (term, moment) => asins.at(moment).includes(term) };
}

function asinsOf(entity: JsonObject): string[] {
  return expressionOf(entity).filter(({ type }) => type === "ASIN_SAME_AS")
    .map(({ value }) => String(value).toLowerCase());
}
