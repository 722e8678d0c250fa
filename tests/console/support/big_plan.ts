import { ChangePlan } from "../../../mod.ts";

/** A plan that changes the bids of so many keywords of an account that need not exist, in campaigns of 200. */
export function bigPlan(count: number): ChangePlan {
  const changes = Array.from({ length: count }, (_, at) => {
    const before = 20 + (at * 37) % 180;
    const after = Math.round(before * (0.7 + (at % 11) / 15));
    return {
      kind: "sp.keywords",
      op: "update" as const,
      id: `${9_000_000_000_000 + at}`,
      before: { bid: before / 100 },
      after: { bid: after / 100 },
      label: `"running shoes ${at}" (EXACT)`,
      campaignId: `${7_000_000 + Math.floor(at / 200)}`,
    };
  });
  const campaigns = Object.fromEntries(
    [...new Set(changes.map(({ campaignId }) => campaignId))].map((id) => [id, `Shoes ${id}`]),
  );
  return new ChangePlan({
    profileId: "192654822749401",
    countryCode: "US",
    changes,
    names: { campaigns, ad_groups: {} },
    note: "Bids of the week",
  });
}
