import type { Change } from "../../../src/plans/model/change.ts";
import { ChangePlan } from "../../../src/plans/change_plan/change_plan.ts";
import type { ChangePlanFields } from "../../../src/plans/model/plan_data.ts";
import { PlanStore } from "../../../src/plans/store/plan_store.ts";
import type { Judging } from "../../support/judging.ts";
import { FakeTarget } from "../../support/fake_target.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";

/** When everything in a scene happens. */
export const NOW = "2026-09-30T12:00:00.000Z";

/** An update of a keyword's bid from 1 to 2. */
export function bid(id: string, more: Partial<Change> = {}): Change {
  return {
    kind: "sp.keywords",
    op: "update",
    id,
    before: { bid: 1 },
    after: { bid: 2 },
    label: `k${id}`,
    ...more,
  };
}

/** Campaign and ad group of the keywords of a scene. */
export const IN_GROUP = { campaignId: "7", adGroupId: "8" };

/** A plan of the profile of a {@linkcode FakeTarget}. */
export function planOf(changes: readonly Change[], more: Partial<ChangePlanFields> = {}): ChangePlan {
  return new ChangePlan({ profileId: "100", countryCode: "US", changes, ...more });
}

/** A store in a new folder, and an account with the keywords 1 to 3, whose bid is 1. */
export interface StoreScene {
  readonly store: PlanStore;
  readonly target: FakeTarget;
  /** Path of a file of the hidden folder. */
  hidden(id: string, ending: string): string;
}

/** Runs a test with a store. */
export async function inStore(
  run: (scene: StoreScene) => Promise<void>,
  { policy }: Pick<Judging, "policy"> = { policy: undefined },
): Promise<void> {
  await using folder = await temporaryFolder();
  const store = PlanStore.open(folder.file("plans"), { now: () => Date.parse(NOW) });
  const keywords = Object.fromEntries(
    ["1", "2", "3"].map((id) => [id, { keywordId: id, bid: 1, ...IN_GROUP }]),
  );
  const target = new FakeTarget({
    "sp.keywords": keywords,
    "sp.ad_groups": { 8: { ...IN_GROUP, defaultBid: 1 } },
    "sp.campaigns": { 7: { campaignId: "7", name: "Shoes" } },
  });
  if (policy !== undefined) target.judge = (request) => policy.admit(request);
  await run({
    store,
    target,
    hidden: (id, ending) => `${store.path}/.plans/plan-${id}.${ending}`,
  });
}

/** Permissions of a file; those of its owner alone where the system has none. */
export async function modeOf(path: string): Promise<number> {
  if (Deno.build.os === "windows") return 0o600;
  return (await Deno.stat(path)).mode! & 0o777;
}
