/** One of the three regional hosts groups: North America, Europe (with India), Far East (with Australia). */
export type Region = "NA" | "EU" | "FE";

/** Every region, in the order in which they are asked. */
export const REGIONS: readonly Region[] = ["NA", "EU", "FE"];
