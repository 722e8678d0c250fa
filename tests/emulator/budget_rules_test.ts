import assert from "node:assert/strict";
import { Caller } from "./caller.ts";

const RULE = {
  name: "Autumn",
  ruleType: "SCHEDULE",
  budgetIncreaseBy: { type: "PERCENT", value: 20 },
  duration: { dateRangeTypeRuleDuration: { startDate: "20261001" } },
  recurrence: { type: "DAILY" },
};
const JSON_TYPE = { type: "application/json" };

for (const program of ["sp", "sb", "sd"]) {
  Deno.test(`budget rules of ${program} are created, tied to a campaign, changed and untied`, async () => {
    await using caller = await Caller.start();
    const campaignId = String(
      caller.emulator.state.profile(caller.profile("US"))!.collection(`${program}.campaigns`).at(0)!
        .campaignId,
    );
    const bad = { ...RULE, budgetIncreaseBy: { type: "PERCENT", value: -5 } };
    const performance = { ...RULE, ruleType: "PERFORMANCE" };
    const made = await caller.call("POST", `/${program}/budgetRules`, {
      budgetRulesDetails: [RULE, bad, performance],
    }, JSON_TYPE);
    assert.deepEqual(made.json.responses.map(({ code }: { code: string }) => code), [
      "SUCCESS",
      "INVALID_ARGUMENT",
      "INVALID_ARGUMENT",
    ]);
    const { ruleId } = made.json.responses[0];
    const place = `/${program}/campaigns/${campaignId}/budgetRules`;
    const tied = await caller.call("POST", place, { budgetRuleIds: [ruleId, ruleId] }, JSON_TYPE);
    assert.deepEqual(tied.json.responses.map(({ code }: { code: string }) => code), [
      "SUCCESS",
      "INVALID_ARGUMENT",
    ]);
    const campaigns = await caller.call("GET", `/${program}/budgetRules/${ruleId}/campaigns?pageSize=5`);
    assert.equal(campaigns.json.associatedCampaigns[0].campaignId, campaignId);
    const update = { budgetRulesDetails: [{ ruleId, ruleState: "PAUSED" }] };
    await caller.call("PUT", `/${program}/budgetRules`, update, JSON_TYPE);
    assert.equal(
      (await caller.call("GET", `/${program}/budgetRules/${ruleId}`)).json.budgetRule.ruleState,
      "PAUSED",
    );
    assert.equal((await caller.call("DELETE", `${place}/${ruleId}`)).status, 200);
    assert.equal((await caller.call("DELETE", `${place}/${ruleId}`)).status, 422);
  });
}

Deno.test("the use of Brands and Display budgets can be asked for", async () => {
  await using caller = await Caller.start();
  for (const program of ["sb", "sd"]) {
    const campaign = caller.emulator.state.profile(caller.profile("US"))!.collection(`${program}.campaigns`)
      .at(0)!;
    const type = `application/vnd.${program}campaignbudgetusage.v1+json`;
    const body = { campaignIds: [String(campaign.campaignId), "1"] };
    const { json } = await caller.call("POST", `/${program}/campaigns/budget/usage`, body, { type });
    assert.equal(json.success[0].budget, campaign.budget);
    assert.equal(json.error[0].code, "NOT_FOUND");
  }
});
