/** Fate of the parts of an object that an update omits: they are kept (`merged`) or lost (`replaced`). */
export type ObjectEffect = "merged" | "replaced";

export type WireName = "legacy" | "unified";

/**
 * Measured effect of updates by field, each covered by a test. Fields without an entry are undocumented and may be
 * merged or replaced.
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

/** Fields that are sent as a whole if the platform may replace them. */
const AMOUNTS: ReadonlySet<string> = new Set(["budget", "budgetControls", "dynamicBidding", "bidding"]);

export function objectEffect(kind: string, field: string, wire: WireName): ObjectEffect | undefined {
  return OBJECT_EFFECTS[kind]?.[field]?.[wire];
}

export function needsWhole(kind: string, field: string, wire: WireName): boolean {
  return AMOUNTS.has(field) && objectEffect(kind, field, wire) !== "merged";
}
