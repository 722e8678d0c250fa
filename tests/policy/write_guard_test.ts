import { deepEqual, equal, match, ok, rejects } from "../support/assert.ts";
import { PlatformAds } from "../../src/client/platform_ads.ts";
import type { ProfileClient } from "../../src/client/profile_client.ts";
import { Emulator } from "../../src/emulator/mod.ts";
import { judge } from "../../src/plans/review/judge.ts";
import { ChangePlan } from "../../src/plans/change_plan/change_plan.ts";
import { PolicyError } from "../../src/plans/model/plan_errors.ts";
import { parsePolicy } from "../../src/plans/policy/parse_policy.ts";
import { emulated } from "../support/emulated.ts";

interface World {
  readonly emulator: Emulator;
  readonly ads: PlatformAds;
  readonly us: ProfileClient;
  /** Requests that changed something. */
  readonly writes: () => number;
}

async function withPolicy(policy: string, step: (world: World) => Promise<void>): Promise<void> {
  const emulator = await Emulator.start();
  try {
    const ads = new PlatformAds(emulator.credentials, {
      platform: emulator.platform,
      policy: parsePolicy(`version: 1\n${policy}`),
    });
    const us = await ads.profile("US");
    const writes = (): number =>
      emulator.requests().filter(({ method, path }) =>
        method === "PUT" || method === "DELETE" ||
        (method === "POST" && /^\/na\/(sp|sb)\/[\w/]+$/.test(path) && !path.endsWith("/list"))
      ).length;
    await step({ emulator, ads, us, writes });
  } finally {
    await emulator.stop();
  }
}

async function someKeyword(
  us: ProfileClient,
): Promise<{ keywordId: string; adGroupId: string; campaignId: string }> {
  for await (
    const { keywordId, adGroupId, campaignId, bid } of us.sp.keywords.iter({ states: ["ENABLED"] })
  ) {
    if (bid !== undefined && bid < 2) return { keywordId, adGroupId: adGroupId!, campaignId: campaignId! };
  }
  throw new Error("no keyword");
}

/** Every way that a bid of 99 could be sent. */
const WAYS: readonly (readonly [string, (us: ProfileClient, ads: PlatformAds) => Promise<unknown>])[] = [
  ["a single update", async (us) => await us.sp.keywords.update([{ ...await idOf(us), bid: 99 }])],
  ["a create", async (us) => {
    const { adGroupId, campaignId } = await someKeyword(us);
    const item = {
      adGroupId,
      campaignId,
      keywordText: "x",
      matchType: "EXACT",
      state: "ENABLED",
      bid: 99,
    } as const;
    return await us.sp.keywords.create([item]);
  }],
  [
    "a plan",
    async (us) =>
      await (await us.sp.keywords.planUpdate([{ ...await idOf(us), bid: 99 }])).apply(us, {
        sendAnyway: true,
      }),
  ],
  [
    "a plan file that claims that the bid is 99 already",
    async (us) => {
      const { keywordId, campaignId } = await someKeyword(us);
      const { profileId, countryCode } = us;
      const label = "shoes";
      return await new ChangePlan({
        profileId,
        countryCode,
        changes: [{
          kind: "sp.keywords",
          op: "update",
          id: keywordId,
          before: { bid: 99 },
          after: { bid: 99 },
          label,
          campaignId,
        }],
      }).apply(us, { sendAnyway: true });
    },
  ],
  [
    "a call of the operation",
    async (us) =>
      await us.call("sponsored-products:UpdateSponsoredProductsKeywords", {
        keywords: [{ ...await idOf(us), bid: 99 }],
      }),
  ],
  ["a bare request", async (us) =>
    await us.request("put", "/sp/keywords", {
      json: { keywords: [{ ...await idOf(us), bid: 99 }] },
      contentType: "application/vnd.spKeyword.v3+json",
    })],
  ["the transport", async (us, ads) =>
    await ads.transport.send({
      method: "PUT",
      baseUrl: us.baseUrl,
      path: "/sp/keywords",
      scope: us.profileId,
      json: { keywords: [{ ...await idOf(us), bid: 99 }] },
      idempotent: false,
    })],
  [
    "a bid as text",
    async (us) =>
      await us.request("PUT", "/sp/keywords", { json: { keywords: [{ ...await idOf(us), bid: "9.9e1" }] } }),
  ],
  ["an update of an item without an id", async (us) => {
    const { adGroupId, campaignId } = await someKeyword(us);
    return await us.request("PUT", "/sp/keywords", {
      json: { keywords: [{ adGroupId, campaignId, bid: 99 }] },
    });
  }],
  ["the default bid of an ad group", async (us) => {
    const { adGroupId } = await someKeyword(us);
    return await us.sp.adGroups.update([{ adGroupId, defaultBid: 99 }]);
  }],
  ["the default bid of an ad group, behind a low bid that means nothing there", async (us) => {
    const { adGroupId } = await someKeyword(us);
    return await us.request("PUT", "/sp/adGroups", {
      json: { adGroups: [{ adGroupId, bid: 0.5, defaultBid: 99 }] },
      contentType: "application/vnd.spadGroup.v3+json",
    });
  }],
  ["a Brands keyword", async (us) => {
    const [keyword] = await us.sb.keywords.list({ states: ["enabled"] });
    return await us.sb.keywords.update([{ keywordId: keyword!.keywordId, bid: 99 }]);
  }],
  [
    "a body that says more than is understood",
    async (us) =>
      await us.request("PUT", "/sp/keywords", {
        json: { keywords: [], more: [{ ...await idOf(us), bid: 99 }] },
      }),
  ],
  [
    "an operation that cannot be judged",
    async (us) => await us.request("POST", "/sp/campaigns/1/budgetRules", { json: { budgetRuleIds: ["1"] } }),
  ],
  [
    "a job that changes the account",
    async (us) =>
      await us.jobs.start("rule-based-audiences:createQueryBasedAudience", { audienceName: "x" }, {
        check: "off",
      }),
  ],
  [
    "a path that is none of the catalog",
    async (us) =>
      await us.request("PUT", "/sp/keywords/", { json: { keywords: [{ ...await idOf(us), bid: 99 }] } }),
  ],
  ...["%2f", "%2F", "%252f", "%5c"].map((slash) =>
    [
      `a path that leads elsewhere once ${slash} is decoded`,
      async (us: ProfileClient) => {
        // A DELETE of a report changes nothing in campaigns; one of a Display campaign archives it.
        const [campaign] = await us.sd.campaigns.list();
        const to = ["..", "..", "sd", "campaigns", campaign!.campaignId].join(slash);
        return await us.request("DELETE", `/reporting/reports/${to}`);
      },
    ] as const
  ),
  [
    "a method in a header",
    async (us) => await us.request("GET", "/sp/keywords", { headers: { "X-HTTP-Method-Override": "PUT" } }),
  ],
];

async function idOf(us: ProfileClient): Promise<{ keywordId: string }> {
  return { keywordId: (await someKeyword(us)).keywordId };
}

for (const [way, send] of WAYS) {
  Deno.test(`a policy stops a bid of 99 that goes by ${way}`, () =>
    withPolicy("max_bid: 2.5", async ({ us, ads, writes }) => {
      await rejects(() => send(us, ads), (error: Error) => {
        ok(error instanceof PolicyError || error instanceof TypeError, String(error));
        return true;
      });
      equal(writes(), 0);
    }));
}

Deno.test("what the policy allows goes through by every way, and reads are never asked for", () =>
  withPolicy(
    "max_bid: 2.5\nallow_operations: ['sponsored-products:AssociateBudgetRules*']",
    async ({ us, writes }) => {
      const { keywordId } = await someKeyword(us);
      equal((await us.sp.keywords.update([{ keywordId, bid: 1.5 }])).ok, true);
      const plan = await us.sp.keywords.planUpdate([{ keywordId, bid: 1.6 }]);
      const result = await plan.apply(us, { checkDrift: true });
      equal(result.ok, true);
      equal((await result.rollbackPlan().apply(us)).ok, true);
      await us.call("sponsored-products:UpdateSponsoredProductsKeywords", {
        keywords: [{ keywordId, bid: 1.4 }],
      });
      equal(writes(), 4);
      ok((await us.history.list({ since: Date.now() - 86_400_000 })).length >= 0);
      const created = await us.reports.create("sp_campaigns", "2026-11-01", "2026-11-02").catch((error) =>
        error
      );
      ok(!(created instanceof PolicyError), String(created));
      await us.sp.campaigns.budgetUsage([]).catch(() => {});
    },
  ));

Deno.test("an archive by update and an archive by delete are judged alike", () =>
  withPolicy("max_archives: 0", async ({ us, writes }) => {
    const { keywordId } = await someKeyword(us);
    const archive = { json: { keywords: [{ keywordId, state: "archived" }] } };
    for (
      const send of [
        () => us.sp.keywords.delete([keywordId]),
        () => us.request("PUT", "/sp/keywords", archive),
      ]
    ) {
      await rejects(send, (error: Error) => {
        ok(error instanceof PolicyError);
        match(error.message, /1 archives today/);
        deepEqual(error.findings.map(({ rule }) => rule), ["max_archives"]);
        return true;
      });
    }
    equal(writes(), 0);
  }));

Deno.test("a plan that asks for approval is sent once a person gave it, and the result says so", () =>
  withPolicy("max_bid: 2.5\nlevels: { max_bid: approve }", async ({ us, writes }) => {
    const { keywordId } = await someKeyword(us);
    const plan = await us.sp.keywords.planUpdate([{ keywordId, bid: 3 }]);
    await rejects(plan.apply(us), /asks for a person's approval/);
    equal(writes(), 0);
    const result = await plan.apply(us, { approvedBy: "Ada at a terminal" });
    equal(result.ok, true);
    deepEqual(result.findings.map(({ level, rule }) => `${level} ${rule}`), ["approve max_bid"]);
  }));

Deno.test("judging reads each entity once, of a single write as of a plan", async () => {
  const policy = parsePolicy("version: 1\nmax_increase: 900%\nmax_budget: 99999");
  await using world = await emulated({ client: { policy } });
  const { us } = world;
  const [keyword] = (await us.sp.keywords.list({ states: ["ENABLED"] })).filter(({ bid }) =>
    bid !== undefined
  );
  const { keywordId, bid = 0 } = keyword!;
  const [keywords, campaigns] = ["keywords", "campaigns"].map((kind) => `POST /sp/${kind}/list`);
  world.asked();
  await us.sp.keywords.update([{ keywordId, bid: bid + 0.01 }]);
  deepEqual(world.asked(), [keywords, campaigns, "PUT /sp/keywords"]);
  const plan = await us.sp.keywords.planUpdate([{ keywordId, bid: bid + 0.02 }]);
  world.asked();
  await judge(plan, us, { checkDrift: true });
  deepEqual(world.asked(), [keywords, "POST /sp/adGroups/list", campaigns]);
  await plan.apply(us, { checkDrift: true });
  deepEqual(world.asked(), [keywords, campaigns, "PUT /sp/keywords"]);
});

Deno.test("a job that changes nothing in the account passes a policy", async () => {
  await withPolicy("max_bid: 2", async ({ us }) => {
    const { record } = await us.jobs.start("v1-exports:CampaignExport", {});
    ok(record.jobId.length > 0);
    const asked = us.jobs.start("brand-metrics:generateBrandMetricsReport", {});
    equal(typeof (await asked).record.jobId, "string");
  });
});
