import type { Change, EntityFields } from "../change.ts";

/**
 * Id of the campaign that an entity is in; `undefined` where nothing names one. What the account says comes first and what
 * is sent second, for a plan may say anything of itself.
 *
 * @param read The entity as it is now; `undefined` when it was not read.
 */
export function campaignIdOf(
  { before, after, campaignId }: Change,
  read: EntityFields | undefined,
): string | undefined {
  const id = [read?.["campaignId"], after["campaignId"], campaignId, before["campaignId"]]
    .find((one) => typeof one === "string" || typeof one === "number");
  return id === undefined ? undefined : String(id);
}
