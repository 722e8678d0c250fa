/**
 * An open enumeration: editors complete known values, and any other string is accepted, as the platform adds new ones.
 */
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
  /** Additional fields, as returned by the platform. */
  readonly [field: string]: unknown;
}

/** An entity whose type lists only its known fields. */
export interface OpenFields {
  /** Fields that the platform may add later. */
  readonly [field: string]: unknown;
}

/** Fields that entities of Sponsored Products share. */
export interface Entity extends OpenFields {
  /** `ENABLED`, `PAUSED` or `ARCHIVED`; newer values are passed through. */
  readonly state: EntityState;
  /** The advertiser's own tags, at most 50; below campaign level, available only on the unified wire. */
  readonly tags?: Readonly<Record<string, string>>;
  /** Creation and update times, if requested by `extended`. */
  readonly extendedData?: ExtendedData;
}

/** Fields of entities that belong to a campaign. */
export interface InCampaign {
  /** Id of the campaign it belongs to. */
  readonly campaignId: string;
}

/** Fields of entities that belong to an ad group. */
export interface InAdGroup extends InCampaign {
  /** Id of the ad group it belongs to. */
  readonly adGroupId: string;
}

/** Bid premium for one audience, for Sponsored Products and Sponsored Brands. */
export interface ShopperCohortBid {
  /** Common property of the shoppers. */
  readonly shopperCohortType: OpenEnum<"AUDIENCE_SEGMENT">;
  /** The audience; at most one. */
  readonly audienceSegments?: readonly AudienceSegment[];
  /** Percent, 0 to 900. */
  readonly percentage?: number;
}

/** An audience: a group of shoppers. */
export interface AudienceSegment {
  /** Id of the audience in the audience service. */
  readonly audienceId: string;
  /** Source of the audience. */
  readonly audienceSegmentType?: OpenEnum<"BEHAVIOR_DYNAMIC" | "SPONSORED_ADS_AMC">;
}
