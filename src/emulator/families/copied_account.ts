import type { JsonObject } from "../core/json.ts";
import type { AccountCopy, ProfileCopy } from "../state/account_copy.ts";
import type { DemoAccount } from "../state/demo_account.ts";
import type { ProfileContents } from "../state/profile_state.ts";

/**
 * The history starts empty, because a copy does not contain earlier changes.
 *
 * @throws {RangeError} when the copy contains a profile twice, or none.
 */
export function copiedAccount({ profiles }: AccountCopy): DemoAccount {
  const byId = new Map<string, ProfileCopy>();
  for (const copy of profiles) {
    const { profileId } = copy.record;
    if (byId.has(profileId)) {
      throw new RangeError(`Cannot start the emulator: profile ${profileId} is there twice`);
    }
    byId.set(profileId, copy);
  }
  if (byId.size === 0) {
    throw new RangeError("Cannot start the emulator: the copy of an account holds no profile");
  }
  let taken: ReadonlySet<string> | undefined;
  return {
    profiles: () => [...profiles],
    isTaken: (id) => (taken ??= idsOf(profiles)).has(id),
    contents: ({ profileId }): ProfileContents => ({
      collections: keptCollections(byId.get(profileId)!.collections),
      history: [],
    }),
  };
}

type Collections = Readonly<Record<string, readonly JsonObject[]>>;

function idsOf(profiles: readonly ProfileCopy[]): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const { collections } of profiles) {
    for (const entities of Object.values(collections)) {
      for (const entity of entities) {
        for (const [field, value] of Object.entries(entity)) if (field.endsWith("Id")) ids.add(String(value));
      }
    }
  }
  return ids;
}

/** In a copy, Display entities have inline extended data, and negative targets lack their campaign. */
function keptCollections(collections: Collections): Collections {
  const campaignOf = new Map(
    (collections["sd.ad_groups"] ?? []).map((one) => [one.adGroupId, one.campaignId]),
  );
  return Object.fromEntries(
    Object.entries(collections).map(([name, entities]) => {
      if (!name.startsWith("sd.")) return [name, entities];
      const kept = entities.map(keptDisplay);
      if (name !== "sd.negative_targets") return [name, kept];
      return [
        name,
        kept.map((target) => ({
          ...target,
          campaignId: target.campaignId ?? campaignOf.get(target.adGroupId) ?? null,
          resolvedExpression: target.resolvedExpression ?? target.expression ?? [],
        })),
      ];
    }),
  );
}

function keptDisplay({ servingStatus: _, ...given }: JsonObject): JsonObject {
  const { creationDate, lastUpdatedDate, ...entity } = given;
  if (creationDate === undefined) return given;
  return { ...entity, extendedData: { creationDate, lastUpdateDate: lastUpdatedDate ?? creationDate } };
}
