import { ChangePlan, ConfigurationError, PlanDriftError } from "../../../mod.ts";
import type { Change } from "../../../src/plans/model/change.ts";
import { judge, type JudgeOptions, type Review, type ReviewTarget } from "../../../src/plans/review/judge.ts";
import type { HeldElsewhere } from "../../../src/plans/model/experiment.ts";
import type { Finding } from "../../../src/plans/model/finding.ts";
import type { PlanTarget } from "../../../src/plans/model/plan_target.ts";
import type { AccountReading } from "../../../src/plans/state/account_reading.ts";
import { Unread } from "../../../src/plans/model/prior_state.ts";
import { deepEqual, equal, rejects } from "../../support/assert.ts";
import { FakeTarget } from "../../support/fake_target.ts";

const MONEY = { currency: "USD", perDay: { low: 0, high: 5 }, known: 1, unknown: 0, basis: [] };
const WHOLE: Finding = { code: "POLICY_MAX_CHANGES", level: "deny", message: "too many" };

interface Asked {
  readonly changes: readonly Change[];
  readonly account: AccountReading;
}

/** A profile of three keywords in two campaigns, and what its review was asked. */
function profile(more: Partial<ReviewTarget> = {}): { target: ReviewTarget; asked: Asked[] } {
  const asked: Asked[] = [];
  const keyword = (keywordId: string, campaignId: string) => ({
    keywordId,
    campaignId,
    adGroupId: "4",
    bid: 1,
  });
  const fake = new FakeTarget({
    "sp.keywords": { "1": keyword("1", "7"), "2": keyword("2", "7"), "3": keyword("3", "8") },
    "sp.ad_groups": { "4": { adGroupId: "4", campaignId: "7" } },
    "sp.campaigns": { "7": { campaignId: "7", name: "Brand" }, "8": { campaignId: "8", name: "Generic" } },
  });
  const review = ({ changes }: { changes: readonly Change[] }, { account }: { account: AccountReading }) => {
    asked.push({ changes, account });
    return Promise.resolve({ findings: [WHOLE], money: MONEY });
  };
  return { target: Object.assign(fake, { review, ...more }) as unknown as ReviewTarget, asked };
}

function bid(id: string, more: Partial<Change> = {}): Change {
  const [before, after] = [{ bid: 1 }, { bid: 2 }];
  const campaignId = id === "3" ? "8" : "7";
  return { kind: "sp.keywords", op: "update", id, before, after, label: "", campaignId, ...more };
}

/** A change whose entity is no longer as the plan saw it. */
const drifted = (id: string, more: Partial<Change> = {}): Change =>
  bid(id, { before: { bid: 0.5 }, ...more });

function planOf(...changes: readonly Change[]): ChangePlan {
  return new ChangePlan({ id: "p1", profileId: "100", countryCode: "US", changes });
}

const codes = ({ findings }: Review): unknown[] =>
  findings.map(({ code, change, refused }) => [code, change, ...refused ? ["refused"] : []]);

Deno.test("with a check for drift a plan goes where nothing drifted, and ends where one entity did", async () => {
  const { target } = profile();
  const checked: JudgeOptions = { checkDrift: true };
  equal((await judge(planOf(bid("1")), target, checked)).drift.size, 0);
  await rejects(
    judge(planOf(bid("1"), drifted("2")), target, checked),
    (error: Error) => error instanceof PlanDriftError && error.drifted.length === 1,
  );
  equal((await judge(planOf(drifted("2")), target, { ...checked, skipDrifted: true })).unsent.has(0), true);
});

Deno.test("what drifted is told, and left out with what waits for it only where that is wanted", async () => {
  const plan = planOf(drifted("1", { ref: "a" }), bid("2", { dependsOn: ["a"] }), bid("3"));
  const sent = await judge(plan, profile().target);
  deepEqual([[...sent.unsent], codes(sent)], [[], [["DRIFTED", 0], ["POLICY_MAX_CHANGES", undefined]]]);
  const skipped = await judge(plan, profile().target, { skipDrifted: true });
  deepEqual([...skipped.unsent].toSorted(), [0, 1]);
  deepEqual(codes(skipped), [
    ["DRIFTED", 0, "refused"],
    ["DEPENDS_ON_UNSENT", 1, "refused"],
    ["POLICY_MAX_CHANGES", undefined],
  ]);
});

Deno.test("what is already as the plan would make it is not sent, and what waits for it is", async () => {
  const plan = planOf(drifted("1", { ref: "a", after: { bid: 1 } }), bid("2", { dependsOn: ["a"] }));
  const { unsent } = await judge(plan, profile().target, { skipDrifted: true });
  deepEqual([...unsent], [0]);
});

Deno.test("a call drifted where what it writes over is not what the plan saw", async () => {
  const call: Change = {
    ...{ kind: "call", op: "call", id: null, before: { body: { a: 1 } }, label: "x:Do" },
    after: { operation: "x:Do", request: "PUT /x", body: { a: 3 } },
  };
  const calls = { read: () => Promise.resolve({ body: { a: 2 } }) } as unknown as NonNullable<
    PlanTarget["calls"]
  >;
  const { drift } = await judge(planOf(call), profile({ calls }).target);
  deepEqual(drift.get(0)?.fields.map(({ field, actual }) => [field, actual]), [["body.a", 2]]);
});

Deno.test("names are those of the account for every change, also of those that are done, and one false label is put right", async () => {
  const plan = planOf(bid("1"), bid("3", { campaignId: "7" }));
  const found = { changes: [{ change: plan.changes[0]!, outcome: "done" as const }] };
  const { target, asked } = profile();
  const { names, shown } = await judge(plan, target, { found });
  deepEqual(names.campaigns, { "7": "Brand", "8": "Generic" });
  deepEqual(asked[0]!.changes.map(({ id }) => id), ["3"], "what the earlier result does not name is open");
  deepEqual(shown.changes.map(({ campaignId }) => campaignId), ["7", "8"]);
  deepEqual("change" in shown.findings[0]!, false, "a finding about the whole plan is about no change");
});

Deno.test("what waits for a create without an id still waits for it, and with one goes by itself", async () => {
  const plan = planOf(
    bid("1", { op: "create", id: null, before: {}, ref: "new" }),
    bid("2", { dependsOn: ["new"] }),
    bid("3"),
  );
  const waits = async (id?: string): Promise<unknown> => {
    const { target, asked } = profile();
    const outcome = id === undefined ? "unknown" as const : "done" as const;
    const first = { change: plan.changes[0]!, outcome, ...(id === undefined ? {} : { id }) };
    const changes = [first, { change: plan.changes[1]!, outcome: "not_sent" as const }];
    const last = { change: plan.changes[2]!, outcome: "done" as const };
    await judge(plan, target, { found: { changes: [...changes, last] } });
    return asked[0]!.changes.at(-1)!.dependsOn;
  };
  deepEqual([await waits(), await waits("41")], [["new"], undefined]);
});

Deno.test("the platform's rules are asked with the account around the changes, and an undo is compared with nothing", async () => {
  let around: unknown;
  const preflight: PlanTarget["preflight"] = (_changes, options) => {
    around = (options as { account: AccountReading }).account.entity("sp.ad_groups", "4");
    return Promise.resolve({ findings: [], left: new Map() });
  };
  const { target, asked } = profile({ preflight });
  await judge(planOf(bid("1")), target);
  equal(around instanceof Unread, false);
  equal(asked[0]!.account.scale === undefined, false);
  const undone = { kind: "sp.keywords", id: "1", fields: {} } as unknown as NonNullable<
    JudgeOptions["sent"]
  >[number];
  await judge(planOf(bid("1")), target, { sent: [undone] });
  equal(asked[1]!.account.scale, undefined);
});

Deno.test("what an experiment of another plan holds back is told, and a damaged record of one stops no plan", async () => {
  const of = async (heldElsewhere: ReviewTarget["heldElsewhere"]): Promise<unknown[]> => {
    const { findings } = await judge(
      planOf(bid("3"), bid("1")),
      profile(heldElsewhere && { heldElsewhere }).target,
    );
    return findings.flatMap(({ code, level, change, message }) =>
      code === "HELD_BACK_ELSEWHERE" ? [[level, change, message.slice(0, 24)]] : []
    );
  };
  const held: HeldElsewhere = new Map([["7", { planId: "p9", until: "2027-01-01" }]]);
  deepEqual(await of(() => Promise.resolve(held)), [["advise", 1, "plan p9 holds it back fo"]]);
  deepEqual(await of(() => Promise.resolve(new Map())), []);
  deepEqual(await of(undefined), []);
  const damaged = () => Promise.reject(new ConfigurationError("Cannot read the experiment"));
  deepEqual(await of(damaged), [["advise", undefined, "Cannot read the experime"]]);
  await rejects(of(() => Promise.reject(new TypeError("the disk is gone"))), /the disk is gone/);
});
