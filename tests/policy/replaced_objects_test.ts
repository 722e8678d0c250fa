import { deepEqual, equal, match, ok, rejects } from "../support/assert.ts";
import { type Change, ChangePlan, PolicyError, type ProfileClient } from "../../mod.ts";
import { FolderLedger } from "../../src/plans/policy/folder_ledger.ts";
import { parsePolicy } from "../../src/plans/policy/parse_policy.ts";
import { type Emulated, emulated } from "../support/emulated.ts";
import { onBothWires } from "../support/on_both_wires.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { PlatformAds } from "../../mod.ts";
import type { EmulatedOptions } from "../support/emulated.ts";

const BUDGET = { amount: 450, currencyCode: "USD", policy: "MONTHLY_RECURRING" } as const;

/** An account, and a second client of it that a policy judges. */
async function held(
  policy: string,
  options: EmulatedOptions,
  run: (scene: { world: Emulated; us: ProfileClient }) => Promise<void>,
): Promise<void> {
  await using folder = await temporaryFolder();
  await using world = await emulated({ checkRequests: false, ...options });
  const ads = new PlatformAds(world.emulator.credentials, {
    platform: world.emulator.platform,
    now: world.time.now,
    sleep: world.time.sleep,
    ...options.client,
    policy: parsePolicy(`version: 1\napproval: client\n${policy}`, { ledger: new FolderLedger(folder.path) }),
  });
  await run({ world, us: await ads.profile("US") });
}

async function capped({ us }: Emulated): Promise<string> {
  const made = await us.portfolios.create([{ name: "Capped", state: "ENABLED", budget: BUDGET }]);
  made.raiseForErrors();
  return made.ids[0]!;
}

for (const policy of ["max_increase: 10%", "max_spend_increase_per_day: 1"]) {
  onBothWires(
    `a cap is not lost by an update that leaves it out, under ${policy}`,
    (options) =>
      held(policy, options, async ({ world, us }) => {
        const portfolioId = await capped(world);
        const part = { currencyCode: "USD" } as const;
        const body = { portfolios: [{ portfolioId, budget: part }] };
        const refused = (error: Error): boolean => {
          ok(error instanceof PolicyError, String(error));
          match(error.message, /without end|unknown|no period/);
          return true;
        };
        await rejects(us.call("portfolios:UpdatePortfolios", body), refused);
        await rejects(us.request("PUT", "/portfolios", { json: body }), refused);
        const change: Change = {
          kind: "portfolios",
          op: "update",
          id: portfolioId,
          before: { budget: BUDGET },
          after: { budget: part },
          label: "Capped",
        };
        const { profileId, countryCode } = us;
        await new ChangePlan({ profileId, countryCode, changes: [change] }).apply(us);
        await us.portfolios.update([{ portfolioId, budget: part }]);
        deepEqual((await world.us.portfolios.get(portfolioId))?.budget, BUDGET);
      }),
  );
}

onBothWires(
  "placements are not lost by an update of the strategy alone",
  (options, wire) =>
    held("max_decrease: 10%\nmax_increase: 10%", options, async ({ world, us }) => {
      const [campaign] = await world.us.sp.campaigns.list({ states: ["ENABLED"] });
      const campaignId = campaign!.campaignId;
      const placementBidding = [{ placement: "PLACEMENT_TOP", percentage: 40 }] as const;
      const bidding = { strategy: "MANUAL", placementBidding: [...placementBidding] } as const;
      (await world.us.sp.campaigns.update([{ campaignId, dynamicBidding: bidding }])).raiseForErrors();
      const strategy = "LEGACY_FOR_SALES";
      const [method, path, json] = wire === "legacy"
        ? ["PUT", "/sp/campaigns", { campaigns: [{ campaignId, dynamicBidding: { strategy } }] }] as const
        : ["POST", "/adsApi/v1/update/campaigns", {
          campaigns: [{ campaignId, optimizations: { bidSettings: { bidStrategy: "SALES_DOWN_ONLY" } } }],
        }] as const;
      await rejects(us.request(method, path, { json }), /a decrease of 28\.6 %/);
      (await us.sp.campaigns.update([{ campaignId, dynamicBidding: { strategy } }])).raiseForErrors();
      const now = (await world.us.sp.campaigns.get(campaignId))?.dynamicBidding;
      equal(now?.strategy, strategy);
      deepEqual(now?.placementBidding?.filter(({ percentage }) => percentage !== 0), placementBidding);
    }),
);

Deno.test("a cap that is raised, removed or left asks for a person without a policy", async () => {
  await using world = await emulated();
  const portfolioId = await capped(world);
  const { us } = world;
  const [campaign] = await us.sp.campaigns.list({ states: ["ENABLED"] });
  const { campaignId } = campaign!;
  await us.sp.campaigns.update([{ campaignId, portfolioId }]);
  const codes = async (plan: Promise<ChangePlan>): Promise<string[]> =>
    (await plan).findings.map(({ code, level }) => `${code} ${level}`);
  const capOf = (budget: object): Promise<ChangePlan> => us.portfolios.planUpdate([{ portfolioId, budget }]);
  deepEqual(await codes(capOf({ amount: 451 })), ["CAP_RAISED approve"]);
  deepEqual(await codes(capOf({ policy: "NO_CAP" })), ["CAP_RAISED approve"]);
  deepEqual(await codes(capOf({ amount: 449 })), []);
  deepEqual(await codes(us.sp.campaigns.planUpdate([{ campaignId, portfolioId: null }])), [
    "CAP_RAISED approve",
  ]);
});
