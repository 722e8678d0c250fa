import type { ItemInput } from "./model/item_input.ts";
import type { Entity, InAdGroup, OpenEnum } from "./model/entity_fields.ts";

/** An extension of an ad: a question that shoppers may put about the product, or a video of it. */
export interface AdExtension extends InAdGroup, Entity {
  /** Id that the platform gives the extension: digits, exact past 2^53. */
  readonly adExtensionId: string;
  /** The ad that is extended; absent where the platform names the ad group alone. */
  readonly adId?: string;
  /** `PROMPTS` for a question, `VIDEO` for a video; Sponsored Brands has questions alone. */
  readonly adExtensionType: OpenEnum<"PROMPTS" | "VIDEO">;
  /** The question of a `PROMPTS` extension. */
  readonly promptText?: string;
  /** `OPTED_OUT` where the advertiser does not want the extension. */
  readonly adExtensionStatus?: OpenEnum<"OPTED_OUT">;
  /** Type of the video of a `VIDEO` extension; the platform makes the video. */
  readonly videoType?: OpenEnum<"SPOTLIGHT">;
  /** Asset of the video, once it is made. */
  readonly renderedAssetId?: string;
  /** Address of the picture that stands for the video, once it is made. */
  readonly renderedCoverImageUrl?: string;
}

/** An ad extension to create. */
export type NewAdExtension = ItemInput<AdExtension, "adGroupId" | "adExtensionType" | "state">;

/** Changes of an ad extension, which its id names. */
export type AdExtensionUpdate = ItemInput<AdExtension, "adExtensionId">;
