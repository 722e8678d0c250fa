import type { Target } from "./target.ts";

/** ASIN of a clause that targets exactly one product; `undefined` for every other clause. */
export function asin(target: Pick<Target, "expression">): string | undefined {
  const [only, ...more] = target.expression;
  if (more.length > 0 || only === undefined) return undefined;
  return only.type === "ASIN_SAME_AS" || only.type === "ASIN_EXPANDED_FROM" ? only.value : undefined;
}
