import { deepEqual, equal, match } from "../support/assert.ts";
import { planArchive, planUpdate } from "../../src/operations/plans/plan_writes.ts";
import { planCall } from "../../src/operations/plans/plan_call.ts";
import { planFrom } from "../../src/operations/plans/account_files.ts";
import { planFromHistory } from "../../src/operations/plans/plan_from_history.ts";
import type { AnyOperation } from "../../src/operations/model/operation.ts";
import { type Input, interfaces } from "./support/interfaces.ts";

Deno.test("what the policy denies is left out in every interface, and said", async () => {
  await using at = await interfaces({ policy: 'version: 1\nprotect:\n  names: ["Shielded*"]\n' });
  const ca = await (await at.context.ads()).profile("CA");
  const [shielded, other] = await ca.sp.campaigns.list({ states: ["ENABLED"] });
  await ca.sp.campaigns.update([{ campaignId: shielded!.campaignId, name: "Shielded" }]);
  const ids = [shielded!.campaignId, other!.campaignId];
  const items = ids.map((campaignId) => ({ campaignId, name: `Renamed ${campaignId}` }));
  const inputs: readonly (readonly [AnyOperation, Input])[] = [
    [planUpdate, { entity: "sp_campaigns", items }],
    [planArchive, { entity: "sp_campaigns", ids }],
    [planCall, {
      operation: "sponsored-products:UpdateSponsoredProductsCampaigns",
      body: { campaigns: items },
    }],
  ];
  for (const [operation, input] of inputs) {
    const skipping = { ...input, skip_denied: true };
    const out = `${at.world.folder}/${operation.name}.json`;
    const { code, stdout, stderr } = await at.adsctl(operation, skipping, ["--json", "--out", out]);
    equal(code, 0, stderr);
    match(stderr, /Left out 1, for example .*The policy denies it \(protect\)/);
    const { left_out: leftOut, left_out_counts: counts } = JSON.parse(stdout);
    deepEqual([counts, leftOut[0].id, leftOut[0].reason], [{ denied: 1 }, ids[0], "denied"]);
    const { changes } = JSON.parse(await Deno.readTextFile(out));
    deepEqual(changes.map(({ id }: { id: string }) => id), [ids[1]], operation.name);
    const { data: tool, text } = await at.tool(operation, skipping);
    match(text, /Left out, because the policy denies them: 1/);
    const { data: page } = await at.route(operation, skipping);
    for (const data of [tool, page]) {
      deepEqual([data.left_out, data.left_out_counts], [leftOut, counts], operation.name);
    }
    equal(page.changes, 1);
    equal((await at.route(operation, input)).data.changes, 2);
  }
  const missing = { entity: "sp_campaigns", ids: [...ids, "404"], skip_denied: true };
  const { code, stderr } = await at.adsctl(planArchive, missing, [
    "--out",
    `${at.world.folder}/missing.json`,
  ]);
  equal(code, 3);
  match(stderr, /1 id was not found/);
  for (const { input } of [planFrom, planFromHistory]) equal(input.skip_denied.type, "switch");
});
