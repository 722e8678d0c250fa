import { ApprovalError, PolicyError } from "../../../mod.ts";
import type { Approval } from "../../../src/plans/model/approval.ts";
import { ask, type Asker, SIGNED } from "../../../src/plans/review/ask.ts";
import type { Review } from "../../../src/plans/review/judge.ts";
import { type Finding, findingKey } from "../../../src/plans/model/finding.ts";
import { deepEqual, equal, rejects } from "../../support/assert.ts";

const WARNING: Finding = { code: "AMOUNT_TRIPLED", level: "approve", change: 0, message: "3 times" };
const POLICY: Finding = { code: "POLICY_MAX_BID", level: "approve", change: 0, message: "bid 2 is above 1" };
const PARTS = { "the note": "hash" };

/** A review that found what asks for a person. */
function review(asks: readonly Finding[], more: Partial<Review> = {}): Review {
  const plan = { id: "p1" } as Review["plan"];
  return {
    plan,
    findings: asks,
    asks,
    denied: [],
    parts: PARTS,
    takesClient: false,
    ...more,
  } as unknown as Review;
}

/** An approval that covers findings. */
function approvalOf(asks: readonly Finding[]): Approval {
  const of = { plan_id: "p1", fingerprint: "f", digest: "d", shown: PARTS, accepted: asks.map(findingKey) };
  return { ...of, approved_at: "", expires_at: "", signature: "s" };
}

/** What was asked on the way to a consent, or to why there is none. */
async function outcome(asks: readonly Finding[], asker: Partial<Asker>, more?: Partial<Review>) {
  const asked: string[] = [];
  const noted =
    <Answer>(name: string, use: (of: Review) => Promise<Answer>) => (of: Review): Promise<Answer> => {
      asked.push(name);
      return use(of);
    };
  const { given, ask: question, sign } = asker;
  const whole: Asker = {
    ...{ by: "Ann", may: "nothing", ...asker },
    given: given && noted("given", given),
    ask: question && noted("question", question),
    sign: sign && noted("signature", sign),
  };
  const consent = await ask(review(asks, more), whole).catch((error: Error) => error);
  return { asked, result: consent instanceof Error ? consent.message : consent.approvedBy };
}

const yes = (): Promise<boolean> => Promise.resolve(true);
const sign = (): Promise<Approval> => Promise.resolve(approvalOf([POLICY]));
const none = (): Promise<Approval> => Promise.reject(new ApprovalError("there is none", "missing"));

Deno.test("an approval that was given before is looked for only where a person is needed", async () => {
  const given = () => Promise.resolve(approvalOf([WARNING]));
  deepEqual(await outcome([], { given }), { asked: [], result: undefined });
  deepEqual(await outcome([], { given, always: true }), { asked: ["given"], result: SIGNED });
  deepEqual(await outcome([WARNING], { given, ask: yes, may: "policy" }), {
    asked: ["given"],
    result: SIGNED,
  });
});

Deno.test("where there is none that holds, a person is asked, unless nothing goes without one", async () => {
  const asker: Partial<Asker> = { given: none, ask: yes, may: "warnings" };
  deepEqual(await outcome([WARNING], asker), { asked: ["given", "question"], result: "Ann" });
  deepEqual(await outcome([WARNING], { ...asker, always: true }), {
    asked: ["given"],
    result: "there is none",
  });
  const outdated = () => Promise.resolve(approvalOf([]));
  deepEqual((await outcome([WARNING], { ...asker, given: outdated })).asked, ["given", "question"]);
});

Deno.test("an approval that cannot be looked for ends the sending, whoever may be asked", async () => {
  const error = new TypeError("the disk is gone");
  const asker: Asker = { by: "Ann", may: "policy", given: () => Promise.reject(error), ask: yes };
  await rejects(ask(review([WARNING]), asker), error);
});

/** Who may say yes to what, and whether a signature is made of it. */
const ENOUGH: readonly (readonly [
  what: string,
  may: Asker["may"],
  asks: readonly Finding[],
  takesClient: boolean,
  asked: readonly string[] | undefined,
])[] = [
  ["nothing", "nothing", [], false, ["question"]],
  ["a warning", "nothing", [WARNING], false, undefined],
  ["a warning", "warnings", [WARNING], false, ["question"]],
  ["a policy", "warnings", [POLICY, WARNING], false, undefined],
  ["a policy that takes the word of a client", "warnings", [POLICY], true, ["question", "signature"]],
  ["a policy that takes the word of a client", "nothing", [POLICY], true, undefined],
  ["a warning", "policy", [WARNING], false, ["question"]],
  ["a policy", "policy", [POLICY], false, ["question", "signature"]],
];

for (const [what, may, asks, takesClient, asked] of ENOUGH) {
  Deno.test(`who may approve ${may} ${asked === undefined ? "cannot" : "can"} approve what ${what} asks`, async () => {
    const found = await outcome(asks, { may, ask: yes, sign }, { takesClient });
    deepEqual([found.asked, found.result === "Ann"], [asked ?? [], asked !== undefined]);
  });
}

Deno.test("without a question the word of a client is none, and a plan that nothing speaks against needs nobody", async () => {
  equal((await outcome([POLICY], { may: "warnings" }, { takesClient: true })).result, TEXT_OF_POLICY);
  equal((await outcome([], { may: "nothing" })).result, undefined);
  equal((await outcome([WARNING], { may: "warnings" })).result, "Ann");
});

const TEXT_OF_POLICY =
  "Cannot apply plan p1 without a person's approval. The policy requires a person's signed " +
  "approval, and there is none:\n  bid 2 is above 1";

Deno.test("a refusal names what asks, ten at most, why an approval does not hold and what to do", async () => {
  const many = Array.from(
    { length: 12 },
    (_, at): Finding => ({ ...WARNING, change: at, message: `finding ${at}` }),
  );
  const { result } = await outcome(many, {
    lead: "Not sent",
    hint: ({ asks }) => `Approve ${asks.length} findings`,
  });
  const shown = many.slice(0, 10).map(({ message }) => `\n  ${message}`).join("");
  equal(result, `Not sent. Findings that need approval:${shown}\n  and 2 more\nApprove 12 findings`);
  const ten = await outcome(many.slice(0, 10), {});
  equal(ten.result, `Cannot apply plan p1 without a person's approval. Findings that need approval:${shown}`);
  const expired = () => Promise.reject(new ApprovalError("it expired", "outdated"));
  equal(
    (await outcome([POLICY], { given: expired, lead: "Not sent" })).result,
    "Not sent. The policy requires a person's signed approval. it expired:\n  bid 2 is above 1",
  );
  await rejects(
    ask(review([POLICY]), { by: "Ann", may: "nothing", given: expired }),
    (error: Error) =>
      error instanceof ApprovalError && error.reason === "outdated" && error.cause !== undefined,
  );
  await rejects(
    ask(review([POLICY]), { by: "Ann", may: "nothing" }),
    (error: Error) =>
      error instanceof ApprovalError && error.reason === "missing" && error.cause === undefined,
  );
});

Deno.test("a no declines, what was not shown is not accepted, and what is denied is asked nobody", async () => {
  const no = await ask(review([WARNING]), { by: "Ann", may: "warnings", ask: () => Promise.resolve(false) })
    .catch((error: unknown) => error);
  equal(no instanceof ApprovalError && no.reason, "declined");
  const shownLess = await outcome([WARNING], { may: "warnings", ask: yes, accepted: [] });
  deepEqual(shownLess.asked, []);
  const shownAll = await outcome([WARNING], { may: "warnings", ask: yes, accepted: [findingKey(WARNING)] });
  deepEqual(shownAll, { asked: ["question"], result: "Ann" });
  const denied = review([WARNING], { denied: [{ ...POLICY, level: "deny" }] });
  const asker: Asker = { by: "Ann", may: "policy", ask: () => Promise.reject(new TypeError("asked")) };
  await rejects(ask(denied, asker), (error: Error) => error instanceof PolicyError);
});
