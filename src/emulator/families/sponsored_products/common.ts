import type { JsonObject } from "../../core/json.ts";
import { type Filter, valuesIn } from "../../entities/filter.ts";
import type { HistorySpec, TrackedValue } from "../../entities/entity_resource.ts";
import {
  choice,
  type Field,
  list,
  object,
  optional,
  required,
  type Shape,
  text,
} from "../../entities/shape.ts";

const LISTED_STATES = ["ARCHIVED", "ENABLED", "ENABLING", "OTHER", "PAUSED", "PROPOSED", "USER_DELETED"];

export const MAX_NAME = 128;

export const STATE: Shape = choice("ENABLED", "PAUSED", "PROPOSED");

export const ID: Shape = text({ max: 20 });

export const STATE_FILTER: Filter = valuesIn("state", 10, LISTED_STATES);

export const NATIVE_LANGUAGE: Readonly<Record<string, Field>> = {
  nativeLanguageKeyword: optional(text()),
  nativeLanguageLocale: optional(text()),
};

export const NEGATIVE_MATCH_TYPES = ["NEGATIVE_BROAD", "NEGATIVE_EXACT", "NEGATIVE_PHRASE"];

export const NEGATIVE_EXPRESSION: Shape = expression(["ASIN_BRAND_SAME_AS", "ASIN_SAME_AS"]);

export function expression(types: readonly string[]): Shape {
  return list(object({ type: required(choice(...types)), value: optional(text()) }), 1000);
}

export function keywordTexts(entity: JsonObject): string[] {
  return [String(entity.keywordText)];
}

export function asins(entity: JsonObject): string[] {
  const parts = (entity.expression ?? []) as JsonObject[];
  return parts.filter((part) => String(part.type).startsWith("ASIN_") && part.value !== undefined)
    .map((part) => String(part.value));
}

export function negativeKeywordMetadata(
  { keywordText, matchType }: JsonObject,
): Readonly<Record<string, string>> {
  return {
    keyword: String(keywordText),
    negativeTargetingType: `NEGATIVE_KEYWORD_${String(matchType).replace("NEGATIVE_", "")}`,
  };
}

export const STATUS: TrackedValue = { changeType: "STATUS", read: (entity) => textOf(entity.state) };

export const BID: TrackedValue = { changeType: "BID_AMOUNT", read: (entity) => textOf(entity.bid) };

/** Needed for reports of past days. */
export const NEGATIVE_TARGET_PAST: HistorySpec = {
  entityType: "NEGATIVE_TARGET",
  tracked: [STATUS, { changeType: "EXPRESSION", read: ({ expression }) => JSON.stringify(expression) }],
  unpublished: true,
};

export function textOf(value: unknown): string | undefined {
  return value === undefined ? undefined : String(value);
}
