/** How the shape of a value differs from its published description. */
export interface SchemaCorrection {
  /** Slug of the API. */
  readonly api: string;
  /**
   * Way to the shape: `models`, its name, then keywords; or `operations`, its name, `p` and a place, `b` and a media
   * type, or `r`, a status and a media type, then keywords.
   */
  readonly at: readonly (string | number)[];
  /** Keywords to set; `null` takes one away. */
  readonly set: Readonly<Record<string, unknown>>;
  /** Why. */
  readonly reason: string;
}

/** Shapes whose published description is wrong about the live API. They win over what is fetched. */
export const SCHEMA_CORRECTIONS: readonly SchemaCorrection[] = [
  ...["startDate", "endDate"].map((name) => ({
    api: "advertising-billing",
    at: ["models", "CreateBillingStatementRequest", "properties", name],
    set: { pattern: null },
    reason: "The slashes around the published pattern are a way of writing it, and no day matches them",
  })),
  {
    api: "sponsored-brands-v3",
    at: ["operations", "createAsset", "p", "header"],
    set: { required: null },
    reason: "The header is one of the parts of the form that the body is, not of the request",
  },
  {
    api: "sponsored-display",
    at: ["operations", "listCreativeModerations", "p", "query", "properties", "language"],
    set: { pattern: null },
    reason:
      "The published pattern escapes its first bracket, so that none of the listed languages matches it",
  },
];
