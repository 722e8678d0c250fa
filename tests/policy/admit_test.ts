import { deepEqual, equal, match, rejects } from "../support/assert.ts";
import { ChangePlan } from "../../src/plans/change_plan/change_plan.ts";
import type { Change } from "../../src/plans/model/change.ts";
import type { PlanTarget } from "../../src/plans/model/plan_target.ts";
import type { Judgement } from "../../src/plans/model/plan_target.ts";
import { PolicyError } from "../../src/plans/model/plan_errors.ts";
import { parsePolicy } from "../../src/plans/policy/parse_policy.ts";

function bid(from: number, to: number, id = "9"): Change {
  const amounts = { before: { bid: from }, after: { bid: to } };
  return { kind: "sp.keywords", op: "update", id, ...amounts, label: "shoes", campaignId: "1" };
}

/** What `admit` needs of a client: it reads nothing. */
const CLIENT = {
  profileId: "1",
  countryCode: "US",
  resource: () => ({ getMany: () => Promise.resolve(new Map()) }),
} as unknown as PlanTarget;

async function admit(policy: string, changes: readonly Change[], approvedBy?: string): Promise<Judgement> {
  const plan = new ChangePlan({ profileId: "1", countryCode: "US", changes });
  return await parsePolicy(`version: 1\n${policy}`).admit({
    plan,
    open: plan.changes.map((change, at) => ({ change, at })),
    client: CLIENT,
    resumes: false,
    signal: undefined,
    approvedBy,
  });
}

Deno.test("a refusal shows five findings and counts the rest", async () => {
  const changes = (count: number): Change[] =>
    Array.from({ length: count }, (_, index) => bid(1, 9, String(index)));
  const message = async (count: number): Promise<string> => {
    try {
      await admit("max_bid: 2", changes(count));
    } catch (error) {
      if (error instanceof PolicyError) return error.message;
    }
    throw new Error("was admitted");
  };
  const five = await message(5);
  equal(five.split("\n").length, 7, "a line above, five findings, and what to do next");
  match(
    five,
    /^Denied by the policy, so nothing was sent:\n {2}sp\.keywords 0 shoes: bid 9 USD is above 2 USD \(allowed: up to 2 USD\)/,
  );
  match(await message(8), /\n {2}and 3 more\n/);
});

Deno.test("what asks for an approval is admitted with one, what is denied never, and what is advised always", async () => {
  const policy = "max_bid: 2\nlevels: { max_bid: approve }";
  await rejects(admit(policy, [bid(1, 3)]), /The policy asks for a person's approval, so nothing was sent/);
  deepEqual((await admit(policy, [bid(1, 3)], "Ann")).findings.map(({ level }) => level), ["approve"]);
  await rejects(admit("max_bid: 2", [bid(1, 3)], "Ann"), /Denied by the policy/);
  equal((await admit("max_bid: 2\nlevels: { max_bid: advise }", [bid(1, 3)])).findings.length, 1);
});
