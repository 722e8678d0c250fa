import { approvePlan, checkApproval, ensureCurrent } from "../../src/plans/review/approval.ts";
import { approvalKeyFiles, createApprovalKey } from "../../src/plans/review/approval_key.ts";
import { ask, type Asker } from "../../src/plans/review/ask.ts";
import { judge, type Review, type ReviewTarget } from "../../src/plans/review/judge.ts";
import { ApprovalError, ChangePlan, PlanDriftError, PolicyError } from "../../mod.ts";
import type { Finding } from "../../src/plans/model/finding.ts";
import { deepEqual, equal, match, rejects, throws } from "../support/assert.ts";
import { FakeTarget } from "../support/fake_target.ts";
import { inFolder } from "../support/in_folder.ts";

const MONEY = { currency: "USD", perDay: { low: 0, high: 5 }, known: 1, unknown: 0, basis: [] };
const POLICY: Finding = { code: "POLICY_MAX_BID", level: "approve", change: 0, message: "bid 2 is above 1" };
const WARNING: Finding = { code: "AMOUNT_TRIPLED", level: "approve", change: 0, message: "3 times" };

/** A profile with two keywords in one campaign, on which a review finds what it is told. */
function account(findings: readonly Finding[] = [], more: { takesClient?: boolean } = {}): ReviewTarget {
  const target = new FakeTarget({
    "sp.keywords": Object.fromEntries(
      ["1", "2"].map((id) => [id, { keywordId: id, campaignId: "7", bid: 1 }]),
    ),
    "sp.campaigns": { "7": { campaignId: "7", name: "Brand, exact" } },
  });
  return Object.assign(target, { review: () => Promise.resolve({ findings, money: MONEY, ...more }) });
}

function bidPlan(more: Partial<ConstructorParameters<typeof ChangePlan>[0]> = {}): ChangePlan {
  return new ChangePlan({
    id: "p1",
    profileId: "100",
    countryCode: "US",
    changes: ["1", "2"].map((id) => ({
      kind: "sp.keywords",
      op: "update" as const,
      id,
      before: { bid: 1 },
      after: { bid: 2 },
      label: `k${id}`,
      campaignId: "7",
    })),
    ...more,
  });
}

Deno.test("names, findings and money of a plan file are not believed, and the campaign is that of the account", async () => {
  const honest = bidPlan();
  const forged = bidPlan({
    changes: honest.changes.map((change) => ({ ...change, campaignId: "9" })),
    names: { campaigns: { "7": "ZZ Sandbox", "9": "ZZ Sandbox" }, ad_groups: {} },
    money: { ...MONEY, perDay: { low: 0, high: 0 } },
    findings: [{ code: "POLICY_CHECKED", level: "note", message: "spends nothing" }],
  });
  const { shown } = await judge(forged, account([POLICY]));
  deepEqual(shown.names.campaigns, { "7": "Brand, exact" });
  deepEqual(shown.changes.map(({ campaignId }) => campaignId), ["7", "7"]);
  deepEqual(shown.findings, [POLICY]);
  equal(shown.money?.perDay.high, 5);
});

Deno.test("an approval holds while amounts move, and not when the file, a name, the note or the evidence changed", () =>
  inFolder(async (folder) => {
    const key = approvalKeyFiles(folder);
    await createApprovalKey(key);
    const review = await judge(bidPlan({ note: "n" }), account([POLICY]));
    const approval = await approvePlan(review, { key });
    await checkApproval(review.plan, approval, { publicKey: key.public });
    const moved = { ...POLICY, message: "bid 2.01 is above 1" };
    ensureCurrent(approval, await judge(bidPlan({ note: "n" }), account([moved])));

    const changed = async (plan: ChangePlan, target = account([POLICY])): Promise<void> => {
      const now = await judge(plan, target);
      throws(() => ensureCurrent(approval, now), ApprovalError);
    };
    await changed(bidPlan({ note: "other" }));
    await changed(bidPlan({ note: "n", names: { campaigns: { "7": "ZZ Sandbox" }, ad_groups: {} } }));
    await changed(bidPlan({ note: "n", money: MONEY }));
    await changed(bidPlan({ note: "n", warnings: ["harmless"] }));
    await changed(bidPlan({
      note: "n",
      changes: bidPlan().changes.map((change) => ({ ...change, evidence: { clicks: 3 } })),
    }));
    const renamed = account([POLICY]);
    const campaigns = (renamed as unknown as FakeTarget).entities["sp.campaigns"]!;
    campaigns["7"] = { campaignId: "7", name: "Brand, broad" };
    await changed(bidPlan({ note: "n" }), renamed);

    const more = await judge(bidPlan({ note: "n" }), account([POLICY, WARNING]));
    throws(
      () => ensureCurrent(approval, more),
      /1 finding was not shown, for example: 3 times/,
    );
    const { digest: _, ...old } = approval;
    throws(() => ensureCurrent(old, review), /outdated: it does not record what the person saw/);
    const stretched = { ...approval, accepted: [...approval.accepted ?? [], "AMOUNT_TRIPLED 0"] };
    await rejects(
      checkApproval(review.plan, stretched, { publicKey: key.public }),
      /its signature does not match/,
    );
  }));

Deno.test("evidence is outside of the fingerprint, in the plan file and in the review", async () => {
  const plain = bidPlan();
  const plan = bidPlan({
    changes: plain.changes.map((change) => ({ ...change, evidence: { clicks: 3, reason: "no orders" } })),
  });
  equal(plan.fingerprint, plain.fingerprint);
  const read = ChangePlan.fromJson(plan.toJson());
  deepEqual(read.changes[1]?.evidence, { clicks: 3, reason: "no orders" });
  throws(
    () => ChangePlan.fromJson(plan.toJson().replace("no orders", "no clicks")),
    /was edited after it was made/,
  );
  const [a, b] = [await judge(plain, account()), await judge(read, account())];
  deepEqual(b.evidence["0"], { clicks: 3, reason: "no orders" });
  equal(a.digest === b.digest, false);
});

Deno.test("drift refuses before anybody is asked, or is left out and weighed by nobody", async () => {
  const target = account();
  (target as unknown as FakeTarget).entities["sp.keywords"]!["2"] = {
    keywordId: "2",
    campaignId: "7",
    bid: 3,
  };
  await rejects(judge(bidPlan(), target, { checkDrift: true }), PlanDriftError);
  const judged: number[] = [];
  target.review = (plan) => {
    judged.push(plan.changes.length);
    return Promise.resolve({ findings: [], money: MONEY });
  };
  const review = await judge(bidPlan(), target, { checkDrift: true, skipDrifted: true });
  deepEqual([judged, [...review.unsent]], [[1], [1]]);
});

/** Askers as each caller has them. */
const ASKERS: readonly { name: string; may: Asker["may"]; asks: boolean; signs: boolean }[] = [
  { name: "terminal", may: "policy", asks: true, signs: true },
  { name: "--yes", may: "nothing", asks: false, signs: false },
  { name: "--accept-risk", may: "warnings", asks: false, signs: false },
  { name: "worker", may: "warnings", asks: false, signs: false },
  { name: "elicitation", may: "warnings", asks: true, signs: false },
  { name: "console", may: "policy", asks: true, signs: true },
  { name: "nobody", may: "nothing", asks: false, signs: false },
];

for (const { name, may, asks, signs } of ASKERS) {
  Deno.test(`what the answer of an asker is enough for: ${name}`, () =>
    inFolder(async (folder) => {
      const key = approvalKeyFiles(folder);
      await createApprovalKey(key);
      let questions = 0;
      const asker = (more: Partial<Asker> = {}, answer = true): Asker => ({
        by: name,
        may,
        ...(asks ? { ask: () => (questions++, Promise.resolve(answer)) } : {}),
        ...(signs ? { sign: (review: Review) => approvePlan(review, { key }) } : {}),
        ...more,
      });
      const of = (findings: readonly Finding[], more = {}) => judge(bidPlan(), account(findings, more));

      const calm = await ask(await of([]), asker());
      deepEqual([calm.approvedBy, calm.approval], [asks ? name : undefined, undefined]);
      const warned = async () => await ask(await of([WARNING]), asker());
      if (may === "nothing") await rejects(warned(), /without a person's approval.*3 times/s);
      else deepEqual([(await warned()).approvedBy, (await warned()).accepted], [name, [WARNING]]);
      const policy = async (more = {}) => await ask(await of([POLICY], more), asker());
      if (may === "policy") {
        const { approval } = await policy();
        deepEqual(approval?.accepted, ["POLICY_MAX_BID 0"]);
      } else {
        questions = 0;
        await rejects(
          policy(),
          (error: Error) => error instanceof ApprovalError && error.reason === "missing",
        );
        equal(questions, 0, "nobody is asked what their answer is not enough for");
      }
      const byClient = policy({ takesClient: true });
      if (may === "policy" || asks) equal((await byClient).approvedBy, name);
      else await rejects(byClient, ApprovalError);

      questions = 0;
      await rejects(ask(await of([{ ...POLICY, level: "deny" }]), asker()), PolicyError);
      equal(questions, 0, "what is denied is not asked about");
      if (asks) {
        await rejects(
          ask(await of([]), asker({}, false)),
          (error: Error) => error instanceof ApprovalError && error.reason === "declined",
        );
      }
      if (may !== "nothing") {
        await rejects(
          ask(await of([WARNING]), asker({ accepted: [] })),
          (error: Error) => error instanceof ApprovalError && error.reason === "outdated",
        );
        equal((await ask(await of([WARNING]), asker({ accepted: ["AMOUNT_TRIPLED 0"] }))).approvedBy, name);
      }
      const shown = await of([POLICY]);
      const approval = await approvePlan(shown, { key });
      const given = () => Promise.resolve(approval);
      deepEqual((await ask(shown, asker({ given }))).approvedBy, "a signed approval");
      const forged = await judge(bidPlan({ note: "spends nothing" }), account([POLICY]));
      if (may !== "policy") {
        await rejects(
          ask(forged, asker({ given })),
          (error: Error) => error instanceof ApprovalError && error.reason === "outdated",
        );
      }
      await rejects(ask(forged, asker({ given, always: true })), /the note changed since/);
    }));
}

Deno.test("a message names what is asked and what to do next", async () => {
  const review = await judge(bidPlan(), account([POLICY]));
  const error = await ask(review, { by: "x", may: "nothing", hint: () => "Do that" }).catch((error) => error);
  match(
    error.message,
    /plan p1 without a person's approval. The policy requires.*:\n {2}bid 2 is above 1\nDo that$/s,
  );
});
