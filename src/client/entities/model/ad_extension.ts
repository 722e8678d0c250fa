import type { ItemInput } from "./item_input.ts";
import type { Entity, InAdGroup, OpenEnum } from "./entity_fields.ts";

/** An ad extension: a question that shoppers may ask about the product, or a video of the product. */
export interface AdExtension extends InAdGroup, Entity {
  /** Id that the platform gives the extension: digits, exact past 2^53. */
  readonly adExtensionId: string;
  /** Id of the extended ad; absent if the platform names only the ad group. */
  readonly adId?: string;
  /** Type of extension: `PROMPTS` for a question, `VIDEO` for a video. Sponsored Brands has only questions. */
  readonly adExtensionType: OpenEnum<"PROMPTS" | "VIDEO">;
  /** The question of a `PROMPTS` extension. */
  readonly promptText?: string;
  /** `OPTED_OUT` if the advertiser does not want the extension. */
  readonly adExtensionStatus?: OpenEnum<"OPTED_OUT">;
  /** Type of the video of a `VIDEO` extension; the platform makes the video. */
  readonly videoType?: OpenEnum<"SPOTLIGHT">;
  /** Asset id of the video, once it exists. */
  readonly renderedAssetId?: string;
  /** URL of the video's cover image, once it exists. */
  readonly renderedCoverImageUrl?: string;
}

/** An ad extension to create. */
export type NewAdExtension = ItemInput<AdExtension, "adGroupId" | "adExtensionType" | "state">;

/** Update of an ad extension: its id and the fields to change. */
export type AdExtensionUpdate = ItemInput<AdExtension, "adExtensionId">;
