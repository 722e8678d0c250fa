/** Effect of an object or list in an update: parts that it does not name are kept, or lost. */
export type ObjectEffect = "merged" | "replaced";

/** The two forms of requests that a kind of entity may have. */
export type WireName = "legacy" | "unified";

/**
 * Measured effects by kind, field and wire; a test measures each. A field without an entry may be merged or replaced: of
 * lists of placements and of tags on the unified wire, this is published nowhere.
 */
export const OBJECT_EFFECTS: Readonly<
  Record<string, Readonly<Record<string, Readonly<Partial<Record<WireName, ObjectEffect>>>>>>
> = {
  "portfolios": { budget: { legacy: "replaced" }, budgetControls: { legacy: "replaced" } },
  "sp.campaigns": {
    budget: { legacy: "replaced", unified: "merged" },
    dynamicBidding: { legacy: "replaced" },
    tags: { legacy: "replaced" },
  },
  "sb.campaigns": { bidding: { legacy: "merged", unified: "merged" }, tags: { legacy: "replaced" } },
};

/** Objects with amounts, which an update sends whole wherever the platform may replace them. */
const AMOUNTS: ReadonlySet<string> = new Set(["budget", "budgetControls", "dynamicBidding", "bidding"]);

/** Effect of a field of an update; `undefined` where it is unknown. */
export function objectEffect(kind: string, field: string, wire: WireName): ObjectEffect | undefined {
  return OBJECT_EFFECTS[kind]?.[field]?.[wire];
}

/** True for an object that must be sent whole, so that no amount in it is lost. */
export function needsWhole(kind: string, field: string, wire: WireName): boolean {
  return AMOUNTS.has(field) && objectEffect(kind, field, wire) !== "merged";
}
