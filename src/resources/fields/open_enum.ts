/** Known values complete in an editor; any other string is accepted too, for the platform adds new ones. */
export type OpenEnum<Known extends string> = Known | (string & Record<never, never>);

/** State of an entity. Sponsored Brands keywords use lower case. */
export type EntityState = OpenEnum<
  "ENABLED" | "PAUSED" | "ARCHIVED" | "PROPOSED" | "ENABLING" | "USER_DELETED" | "OTHER"
>;

/** Fields that the platform adds to a Sponsored Products entity or a portfolio on request for extended data. */
export interface ExtendedData {
  /** When the entity was created, ISO 8601. */
  readonly creationDateTime?: string;
  /** When it was last changed, ISO 8601. */
  readonly lastUpdateDateTime?: string;
  /** Further parts as the platform gives them. */
  readonly [field: string]: unknown;
}
