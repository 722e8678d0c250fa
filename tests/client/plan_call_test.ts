import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { PlatformAds } from "../../src/client/platform_ads.ts";
import type { ProfileClient } from "../../src/client/profile_client.ts";
import { Emulator } from "../../src/emulator/mod.ts";
import { PlanDriftError } from "../../src/errors.ts";
import { resumePlan } from "../../src/plans/apply/resume_plan.ts";
import { ChangePlan } from "../../src/plans/change_plan.ts";
import { PolicyError } from "../../src/plans/policy_error.ts";
import { parsePolicy } from "../../src/policy/parse_policy.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

interface World {
  readonly emulator: Emulator;
  readonly us: ProfileClient;
  /** Bodies of the requests that changed something. */
  readonly writes: () => string[];
}

interface Campaign {
  readonly campaignId: string | number;
  readonly budget: number;
  readonly state: string;
}

async function world(step: (world: World) => Promise<void>, policy?: string): Promise<void> {
  const emulator = await Emulator.start();
  try {
    const ads = new PlatformAds(emulator.credentials, {
      platform: emulator.platform,
      ...(policy === undefined ? {} : { policy: parsePolicy(`version: 1\n${policy}`) }),
    });
    const us = await ads.profile("US");
    const writes = (): string[] =>
      emulator.requests().filter(({ method, path }) =>
        method === "PUT" || method === "DELETE" || (method === "POST" && /delete$|\/update\//.test(path))
      ).map(({ method, path }) => `${method} ${path.replace("/na", "")}`);
    await step({ emulator, us, writes });
  } finally {
    await emulator.stop();
  }
}

async function displayCampaigns(us: ProfileClient): Promise<Campaign[]> {
  return await us.call("sponsored-display:listCampaigns", undefined, {
    query: { stateFilter: "enabled" },
  }) as Campaign[];
}

async function budgetOf(us: ProfileClient, { campaignId }: Campaign): Promise<number | undefined> {
  return (await displayCampaigns(us)).find((one) => one.campaignId === campaignId)?.budget;
}

Deno.test("a planned call shows before and after, is sent once it is applied, and is undone", () =>
  world(async ({ us, writes }) => {
    const [first, second] = await displayCampaigns(us);
    const body = [
      { campaignId: first!.campaignId, budget: first!.budget + 1 },
      { campaignId: String(second!.campaignId), state: "paused" },
    ];
    const made = await us.planCall("sponsored-display:updateCampaigns", body, { note: "try" });
    deepEqual(writes(), []);
    deepEqual(made.table().map(({ field, before, after }) => [field, before, after]), [
      ["request", undefined, "PUT /sd/campaigns"],
      ["body[0].budget", first!.budget, first!.budget + 1],
      ["body[1].state", "enabled", "paused"],
    ]);
    equal(made.note, "try");
    deepEqual(made.findings.map(({ code, level }) => `${level} ${code}`), ["approve CALL_NOT_JUDGED"]);

    // As a file that somebody else reads and applies.
    const plan = ChangePlan.fromJson(made.toJson());
    equal(plan.fingerprint, made.fingerprint);
    const result = await plan.apply(us, { checkDrift: true });
    equal(result.ok, true, result.summary());
    equal(result.summary(), "call: 1 succeeded, 0 failed");
    ok(Array.isArray(result.changes[0]!.response));
    equal(await budgetOf(us, first!), first!.budget + 1);
    deepEqual(writes(), ["PUT /sd/campaigns"]);
    await rejects(plan.apply(us), /it was applied before/);

    const undo = result.rollbackPlan();
    deepEqual(undo.warnings, []);
    equal((await undo.apply(us, { checkDrift: true })).ok, true);
    equal(await budgetOf(us, first!), first!.budget);
  }));

Deno.test("a call is not sent once the account drifted from what its plan saw", () =>
  world(async ({ us }) => {
    const [first] = await displayCampaigns(us);
    const { campaignId, budget } = first!;
    const plan = await us.planCall("sponsored-display:updateCampaigns", [{ campaignId, budget: budget + 1 }]);
    await us.call("sponsored-display:updateCampaigns", [{ campaignId, budget: budget + 5 }]);
    await rejects(plan.apply(us, { checkDrift: true }), (error: Error) => {
      ok(error instanceof PlanDriftError);
      match(error.message, /"body\[0\]\.budget" was \d+ and is \d+/);
      return true;
    });
    equal(await budgetOf(us, first!), budget + 5);
  }));

for (
  const [operation, send, reads] of [
    ["sponsored-display:archiveCampaign", "path", "DELETE /sd/campaigns"],
    ["sponsored-tv:DeleteSponsoredTvCampaigns", "filter", "POST /st/campaigns/delete"],
  ] as const
) {
  Deno.test(`what ${operation} removes is shown, and that it cannot be undone is said`, () =>
    world(async ({ us }) => {
      const list = send === "path" ? await displayCampaigns(us) : (await us.call(
        "sponsored-tv:ListSponsoredTvCampaigns",
        {},
      ) as { campaigns: Campaign[] }).campaigns;
      const campaignId = String(list[0]!.campaignId);
      const plan = send === "path"
        ? await us.planCall(operation, undefined, { pathParams: { campaignId } })
        : await us.planCall(operation, { campaignIdFilter: { include: [campaignId] } }, {});
      const rows = plan.table();
      match(String(rows.find(({ field }) => field === "request")?.after), new RegExp(`^${reads}`));
      match(JSON.stringify(rows.find(({ field }) => field === "entity")?.before), new RegExp(campaignId));
      match(plan.warnings.join(), /cannot be undone by a plan: nothing puts back what it removes/);
      const result = await plan.apply(us, { checkDrift: true });
      equal(result.ok, true, result.summary());
      const undo = result.rollbackPlan();
      deepEqual(undo.changes, []);
      match(undo.warnings.join(), /it cannot be undone/);
    }));
}

Deno.test("a list that filters by ad product is asked for with it, to read what a call writes over", () =>
  world(async ({ us }) => {
    const [campaign] = await us.sp.campaigns.list({ states: ["ENABLED"] });
    const { campaignId, name } = campaign!;
    const body = { campaigns: [{ campaignId, name: `${name} 2` }] };
    const plan = await us.planCall("v1-sp-campaigns:SPUpdateCampaign", body);
    deepEqual(plan.table().slice(1).map(({ field, before }) => [field, before]), [
      ["body.campaigns[0].name", name],
    ]);
  }));

Deno.test("a call that a resource could send becomes the plan of that resource", () =>
  world(async ({ us, writes }) => {
    const id = "sponsored-products:UpdateSponsoredProductsKeywords";
    const [keyword] = await us.sp.keywords.list({ states: ["ENABLED"] });
    const { keywordId, adGroupId, campaignId } = keyword!;
    const bid = { keywords: [{ keywordId, bid: 0.87 }] };
    const archive = { keywords: [{ keywordId, state: "ARCHIVED" }] };
    const kinds = async (operation: string, body: unknown): Promise<string[]> =>
      (await us.planCall<string>(operation, body)).changes.map(({ op, kind }) => `${op} ${kind}`);
    deepEqual(await kinds(id, bid), ["update sp.keywords"]);
    deepEqual(await kinds(id, archive), ["archive sp.keywords"]);
    deepEqual(
      await kinds("sponsored-products:DeleteSponsoredProductsKeywords", {
        keywordIdFilter: { include: [keywordId] },
      }),
      ["archive sp.keywords"],
    );
    const item = {
      campaignId,
      adGroupId,
      keywordText: "of a plan",
      matchType: "EXACT",
      state: "ENABLED",
      bid: 1,
    };
    deepEqual(await kinds("sponsored-products:CreateSponsoredProductsKeywords", { keywords: [item] }), [
      "create sp.keywords",
    ]);
    await rejects(
      us.planCall(id, { keywords: [item] }),
      /and the platform would create/,
    );
    await rejects(
      us.planCall(id, { keywords: [...archive.keywords, { keywordId: "1", bid: 1 }] }),
      /archives some items and updates others/,
    );
    deepEqual(writes(), []);
  }));

Deno.test("only what writes and can be sent is planned, and a strict check refuses what is not published", () =>
  world(async ({ us, writes }) => {
    await rejects(us.planCall("sponsored-display:listCampaigns"), /it changes nothing. Call it/);
    await rejects(us.planCall<string>("sponsored-display:archiveCampaign"), /campaignId/);
    const body = [{ campaignId: 1, budgte: 2 }];
    const plan = await us.planCall("sponsored-display:updateCampaigns", body);
    match(plan.warnings.join(), /budgte: unknown field/);
    await rejects(us.planCall("sponsored-display:updateCampaigns", body, { check: "strict" }), /budgte/);
    deepEqual(writes(), []);
  }));

Deno.test("a policy admits a planned call only where it names the operation, and counts it", async () => {
  const plan = async (us: ProfileClient): Promise<ChangePlan> => {
    const [first] = await displayCampaigns(us);
    const { campaignId, budget } = first!;
    return await us.planCall("sponsored-display:updateCampaigns", [{ campaignId, budget: budget + 1 }]);
  };
  await world(async ({ us, writes }) => {
    const made = await plan(us);
    deepEqual(made.findings.map(({ code, level }) => `${level} ${code}`), ["deny POLICY_NOT_JUDGED"]);
    await rejects(made.apply(us), PolicyError);
    deepEqual(writes(), []);
  }, "max_bid: 2");
  await world(
    async ({ us, writes }) => {
      const made = await plan(us);
      deepEqual(made.findings, []);
      equal((await made.apply(us)).ok, true);
      deepEqual(writes(), ["PUT /sd/campaigns"]);
    },
    "allow_operations: ['sponsored-display:update*']\nallow_kinds: [sp.keywords]\nmax_spend_increase_per_day: 5",
  );
  await world(async ({ us, writes }) => {
    await rejects((await plan(us)).apply(us), /1 changes today/);
    deepEqual(writes(), []);
  }, "allow_operations: ['sponsored-display:update*']\nmax_changes: 0");
});

Deno.test("a call whose response was lost is settled by reading what it wrote over, and never sent twice", async () => {
  await using folder = await temporaryFolder();
  await world(async ({ emulator, us, writes }) => {
    const cut = async (campaign: Campaign, drop: "before" | "after"): Promise<unknown[]> => {
      const { campaignId, budget } = campaign;
      const journal = folder.file(`${drop}.jsonl`);
      const plan = await us.planCall("sponsored-display:updateCampaigns", [{
        campaignId,
        budget: budget + 2,
      }]);
      emulator.setFaults([{
        name: "cut",
        match: { operation: "sponsored-display:updateCampaigns" },
        effects: { drop },
      }]);
      const result = await plan.apply(us, { journal });
      emulator.setFaults([]);
      const resumed = await resumePlan(plan, us, { journal, settleAfter: 0 });
      return [result.changes[0]!.outcome, resumed.changes[0]!.outcome, await budgetOf(us, campaign)];
    };
    const [first, second] = await displayCampaigns(us);
    deepEqual(await cut(first!, "after"), ["unknown", "done", first!.budget + 2]);
    equal(writes().length, 1);
    deepEqual(await cut(second!, "before"), ["unknown", "done", second!.budget + 2]);
    equal(writes().length, 3, "cut before it acted, so that it was sent once more");
  });
});

Deno.test("a create whose response was lost stays open when it is resumed, and is never sent twice", async () => {
  await using folder = await temporaryFolder();
  await world(async ({ emulator, us }) => {
    const operation = "sponsored-display:createCampaigns";
    const item = {
      name: "New",
      tactic: "T00020",
      budget: 20,
      budgetType: "daily",
      startDate: "20270101",
      state: "paused",
    };
    const plan = await us.planCall(operation, [item]);
    match(plan.warnings.join(), /cannot be undone by a plan: no operation is known/);
    const journal = folder.file("create.jsonl");
    emulator.setFaults([{ name: "cut", match: { operation }, effects: { drop: "after" } }]);
    const result = await plan.apply(us, { journal });
    emulator.setFaults([]);
    const resumed = await resumePlan(plan, us, { journal, settleAfter: 0 });
    deepEqual([result, resumed].map(({ changes }) => changes[0]!.outcome), ["unknown", "unknown"]);
    match(resumed.changes[0]!.error!.message, /cannot be found out/);
    equal(emulator.requests().filter((request) => request.operation === operation).length, 1);
    const made = await (await us.planCall(operation, [{ ...item, name: "Other" }])).apply(us);
    equal(made.ok, true, made.summary());
    match(JSON.stringify(made.changes[0]!.response), /campaignId/);
    match(made.rollbackPlan().warnings.join(), /it cannot be undone/);
  });
});
