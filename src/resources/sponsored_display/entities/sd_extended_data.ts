/** Fields that the platform adds to an entity of Sponsored Display on request for extended data. */
export interface SdExtendedData {
  /** When it was created, in milliseconds since 1970. */
  readonly creationDate?: number;
  /** When it was last changed, in milliseconds since 1970. */
  readonly lastUpdatedDate?: number;
  /** Delivery status with its reason, such as `CAMPAIGN_PAUSED`. */
  readonly servingStatus?: string;
}
