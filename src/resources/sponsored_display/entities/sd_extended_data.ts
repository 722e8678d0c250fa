/** What the platform adds to an entity of Sponsored Display when extended data is asked for. */
export interface SdExtendedData {
  /** When it was created, in milliseconds since 1970. */
  readonly creationDate?: number;
  /** When it was last changed, in milliseconds since 1970. */
  readonly lastUpdatedDate?: number;
  /** Whether it is shown, or why not, such as `CAMPAIGN_PAUSED`. */
  readonly servingStatus?: string;
}
