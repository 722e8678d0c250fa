/** Fields that the platform adds to a Sponsored Brands entity on request for extended data. */
export interface SbExtendedData {
  /** When the entity was created, in milliseconds since the epoch. */
  readonly creationDate?: number;
  /** When it was last changed, in milliseconds since the epoch. */
  readonly lastUpdateDate?: number;
  /** Further parts as the platform gives them. */
  readonly [field: string]: unknown;
}
