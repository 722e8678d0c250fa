/** A host of the platform: one of the three regions, or the sandbox, which serves all regions. */
export type ApiHost = "NA" | "EU" | "FE" | "SANDBOX";
