import type { Target } from "./target.ts";

/**
 * ASIN of a clause that targets exactly one product; `undefined` for every other clause.
 *
 * @example
 * ```ts
 * import { asin } from "@platform/ads";
 *
 * console.log(asin({ expression: [{ type: "ASIN_SAME_AS", value: "B0DVQWC048" }] })); // B0DVQWC048
 * console.log(asin({ expression: [{ type: "ASIN_CATEGORY_SAME_AS", value: "7" }] })); // undefined
 * ```
 */
export function asin(target: Pick<Target, "expression">): string | undefined {
  const [only, ...more] = target.expression;
  if (more.length > 0 || only === undefined) return undefined;
  return only.type === "ASIN_SAME_AS" || only.type === "ASIN_EXPANDED_FROM" ? only.value : undefined;
}
