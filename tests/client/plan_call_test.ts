import { deepEqual, equal, match, ok, rejects } from "../support/assert.ts";
import { PlatformAds } from "../../src/client/platform_ads.ts";
import type { ProfileClient } from "../../src/client/profile_client.ts";
import { Emulator } from "../../src/emulator/mod.ts";
import { PlanDriftError } from "../../src/errors.ts";
import { ChangePlan } from "../../src/plans/change_plan/change_plan.ts";
import { resumePlan } from "../../src/plans/change_plan/resume_plan.ts";
import { PolicyError } from "../../src/plans/model/plan_errors.ts";
import { parsePolicy } from "../../src/plans/policy/parse_policy.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { withoutPolicy } from "../support/without_policy.ts";

interface World {
  readonly emulator: Emulator;
  readonly us: ProfileClient;
  /** Bodies of the requests that changed something. */
  readonly writes: () => string[];
}

type Item = Readonly<Record<string, unknown>>;

interface Creative {
  readonly creativeId: string | number;
  readonly adGroupId: string | number;
  readonly properties: { readonly headline: string };
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

async function displayCreatives(us: ProfileClient): Promise<Creative[]> {
  return await us.call("sponsored-display:listCreatives") as Creative[];
}

async function headlineOf(us: ProfileClient, { creativeId }: Creative): Promise<string | undefined> {
  return (await displayCreatives(us)).find((one) => one.creativeId === creativeId)?.properties.headline;
}

/** A change of a creative's headline. */
function headed({ creativeId }: Creative, headline: string): Record<string, unknown> {
  return { creativeId, properties: { headline } };
}

withoutPolicy("a finding that only clients without a policy have is looked for");
Deno.test("a planned call shows before and after, is sent once it is applied, and is undone", () =>
  world(async ({ us, writes }) => {
    const [first, second] = await displayCreatives(us);
    const body = [headed(first!, "Light"), {
      ...headed(second!, "Warm"),
      creativeId: String(second!.creativeId),
    }];
    const made = await us.planCall<string>("sponsored-display:updateCreatives", body, { note: "try" });
    deepEqual(writes(), []);
    deepEqual(made.table().map(({ field, before, after }) => [field, before, after]), [
      ["request", undefined, "PUT /sd/creatives"],
      ["body[0].properties.headline", first!.properties.headline, "Light"],
      ["body[1].properties.headline", second!.properties.headline, "Warm"],
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
    equal(await headlineOf(us, first!), "Light");
    deepEqual(writes(), ["PUT /sd/creatives"]);
    await rejects(plan.apply(us), /it was applied before/);

    const undo = result.rollbackPlan();
    deepEqual(undo.warnings, []);
    equal((await undo.apply(us, { checkDrift: true })).ok, true);
    equal(await headlineOf(us, first!), first!.properties.headline);
  }));

Deno.test("a call is not sent once the account drifted from what its plan saw", () =>
  world(async ({ us }) => {
    const [first] = await displayCreatives(us);
    const operation = "sponsored-display:updateCreatives";
    const plan = await us.planCall<string>(operation, [headed(first!, "Light")]);
    await us.call<string>(operation, [headed(first!, "Warm")]);
    await rejects(plan.apply(us, { checkDrift: true }), (error: Error) => {
      ok(error instanceof PlanDriftError);
      match(error.message, /"body\[0\]\.properties\.headline" was "[^"]+" and is "Warm"/);
      return true;
    });
    equal(await headlineOf(us, first!), "Warm");
  }));

const REMOVALS: Readonly<
  Record<
    string,
    readonly [reads: string, plan: (world: World) => Promise<[id: string, plan: ChangePlan]>]
  >
> = {
  "reporting:deleteAsyncReport": ["DELETE /reporting/reports", async ({ us, emulator }) => {
    emulator.setQuirks({ reportSeconds: 600 });
    const { today } = us.reports;
    const reportId = await us.reports.create("sp_campaigns", today, today);
    return [
      reportId,
      await us.planCall<string>("reporting:deleteAsyncReport", undefined, { pathParams: { reportId } }),
    ];
  }],
  "sponsored-tv:DeleteSponsoredTvCampaigns": ["POST /st/campaigns/delete", async ({ us }) => {
    const { campaigns } = await us.call("sponsored-tv:ListSponsoredTvCampaigns", {}) as { campaigns: Item[] };
    const id = String(campaigns[0]!["campaignId"]);
    const body = { campaignIdFilter: { include: [id] } };
    return [id, await us.planCall<string>("sponsored-tv:DeleteSponsoredTvCampaigns", body)];
  }],
};
for (const [operation, [reads, planned]] of Object.entries(REMOVALS)) {
  Deno.test(`what ${operation} removes is shown, and that it cannot be undone is said`, () =>
    world(async (at) => {
      const { us } = at;
      const [id, plan] = await planned(at);
      const rows = plan.table();
      match(String(rows.find(({ field }) => field === "request")?.after), new RegExp(`^${reads}`));
      match(JSON.stringify(rows.find(({ field }) => field === "entity")?.before), new RegExp(id));
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
    await rejects(us.planCall<string>("sponsored-brands-v3:archiveTarget"), /targetId/);
    const id = "sponsored-display:updateCreatives";
    const body = [{ creativeId: 1, properties: {}, headlien: "x" }];
    const plan = await us.planCall<string>(id, body);
    match(plan.warnings.join(), /headlien: unknown field/);
    await rejects(us.planCall<string>(id, body, { check: "strict" }), /headlien/);
    deepEqual(writes(), []);
  }));

Deno.test("a policy admits a planned call only where it names the operation, and counts it", async () => {
  const plan = async (us: ProfileClient): Promise<ChangePlan> => {
    const [first] = await displayCreatives(us);
    return await us.planCall<string>("sponsored-display:updateCreatives", [headed(first!, "Light")]);
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
      deepEqual(writes(), ["PUT /sd/creatives"]);
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
    const operation = "sponsored-display:updateCreatives";
    const cut = async (creative: Creative, drop: "before" | "after"): Promise<unknown[]> => {
      const journal = folder.file(`${drop}.jsonl`);
      const plan = await us.planCall<string>(operation, [headed(creative, "Light")]);
      emulator.setFaults([{ name: "cut", match: { operation }, effects: { drop } }]);
      const result = await plan.apply(us, { journal });
      emulator.setFaults([]);
      const resumed = await resumePlan(plan, us, { journal, settleAfter: 0 });
      return [result.changes[0]!.outcome, resumed.changes[0]!.outcome, await headlineOf(us, creative)];
    };
    const [first, second] = await displayCreatives(us);
    deepEqual(await cut(first!, "after"), ["unknown", "done", "Light"]);
    equal(writes().length, 1);
    deepEqual(await cut(second!, "before"), ["unknown", "done", "Light"]);
    equal(writes().length, 3, "cut before it acted, so that it was sent once more");
  });
});

Deno.test("a create whose response was lost stays open when it is resumed, and is never sent twice", async () => {
  await using folder = await temporaryFolder();
  await world(async ({ emulator, us }) => {
    const operation = "sponsored-display:createCreatives";
    const [{ adGroupId } = {}] = await displayCreatives(us);
    const item = { adGroupId, properties: { headline: "New" } };
    const plan = await us.planCall<string>(operation, [item]);
    match(plan.warnings.join(), /cannot be undone by a plan: no known operation/);
    const journal = folder.file("create.jsonl");
    emulator.setFaults([{ name: "cut", match: { operation }, effects: { drop: "after" } }]);
    const result = await plan.apply(us, { journal });
    emulator.setFaults([]);
    const resumed = await resumePlan(plan, us, { journal, settleAfter: 0 });
    deepEqual([result, resumed].map(({ changes }) => changes[0]!.outcome), ["unknown", "unknown"]);
    match(resumed.changes[0]!.error!.message, /unknown whether it was done/);
    equal(emulator.requests().filter((request) => request.operation === operation).length, 1);
    const other = { adGroupId, properties: { headline: "Other" } };
    const made = await (await us.planCall<string>(operation, [other])).apply(us);
    equal(made.ok, true, made.summary());
    match(JSON.stringify(made.changes[0]!.response), /creativeId/);
    match(made.rollbackPlan().warnings.join(), /it cannot be undone/);
  });
});
