import { isObject, type JsonObject } from "../../core/json.ts";

const PREDEFINED: Readonly<Record<string, string>> = {
  QUERY_HIGH_REL_MATCHES: "CLOSE-MATCH",
  QUERY_BROAD_REL_MATCHES: "LOOSE-MATCH",
  ASIN_SUBSTITUTE_RELATED: "SUBSTITUTES",
  ASIN_ACCESSORY_RELATED: "COMPLEMENTS",
};

export function targetMetadata({ expression, expressionType }: JsonObject): Readonly<Record<string, string>> {
  const first = Array.isArray(expression) && isObject(expression[0]) ? String(expression[0].type) : "";
  const predefined = PREDEFINED[first];
  return {
    targetingExpression: JSON.stringify(expression),
    productTargetingType: expressionType === "AUTO" ? "PREDEFINED" : "EXPRESSION",
    ...(predefined === undefined ? {} : { predefinedTarget: predefined }),
  };
}
