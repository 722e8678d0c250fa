import { type Change, ChangePlan } from "../../../mod.ts";
import type { Emulator, JsonObject, ProfileState } from "../../../src/emulator/mod.ts";

const WORD = "simulated word";

/** Raises of a few keywords and a negative keyword, of which the platform takes no second one. */
export function planFor(profile: ProfileState, count: number): ChangePlan {
  const live = profile.collection("sp.keywords").all().filter(({ bid, state }) =>
    typeof bid === "number" && state === "ENABLED"
  );
  const raises = live.slice(0, count).map((keyword): Change => ({
    kind: "sp.keywords",
    op: "update",
    id: String(keyword["keywordId"]),
    before: { bid: keyword["bid"] },
    after: { bid: Math.round(Number(keyword["bid"]) * 110) / 100 },
    label: String(keyword["keywordText"]),
  }));
  const { campaignId, adGroupId } = live[0]!;
  const negative: Change = {
    kind: "sp.negative_keywords",
    op: "create",
    id: null,
    before: {},
    after: { campaignId, adGroupId, keywordText: WORD, matchType: "NEGATIVE_EXACT", state: "ENABLED" },
    label: WORD,
  };
  const { profileId, countryCode } = profile.record;
  return new ChangePlan({ profileId, countryCode: String(countryCode), changes: [...raises, negative] });
}

/** Negative keywords that plans for a profile made, archived ones included. */
export function words(profile: ProfileState): readonly JsonObject[] {
  return profile.collection("sp.negative_keywords").all().filter(({ keywordText }) => keywordText === WORD);
}

/** Raised keywords whose bid is not the one of a side of their plan. */
export function wrongBids(
  profile: ProfileState,
  plan: ChangePlan,
  side: "before" | "after",
): { id: string | null; bid: unknown; wanted: unknown }[] {
  return plan.changes.flatMap(({ op, id, [side]: fields }) => {
    const bid = id === null ? undefined : profile.collection("sp.keywords").get(id)?.["bid"];
    return op !== "update" || bid === fields["bid"] ? [] : [{ id, bid, wanted: fields["bid"] }];
  });
}

/** How often the platform has carried out a change of a keyword. */
export function sends(emulator: Emulator, { record }: ProfileState, keywordId: string): number {
  return emulator.requests().filter(({ method, path, profileId, status = 0, body = "" }) =>
    method === "PUT" && path.endsWith("/sp/keywords") && profileId === String(record.profileId) &&
    status >= 200 && status < 300 &&
    body.includes(`"${keywordId}"`)
  ).length;
}
