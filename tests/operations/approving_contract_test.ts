import { deepEqual, equal, match, ok } from "../support/assert.ts";
import { ChangePlan } from "../../mod.ts";
import type { Approval } from "../../src/plans/model/approval.ts";
import type { PlanStore as Plans } from "../../src/plans/store/plan_store.ts";
import { PlanStore } from "../../src/plans/store/plan_store.ts";
import { planApprove } from "../../src/operations/plans/plan_approve.ts";
import { OPERATIONS } from "../../src/operations/table.ts";
import { type Input, interfaces } from "./support/interfaces.ts";

type Interfaces = Awaited<ReturnType<typeof interfaces>>;

interface Signer {
  readonly name: "command" | "route";
  readonly store: Plans;
  approve(plan: ChangePlan, more?: Input & { readonly no?: true }): Promise<{ code: unknown; text: string }>;
}

const OPERATION = OPERATIONS.find(({ name }) => name === planApprove.name)!;

function signers(at: Interfaces): readonly [command: Signer, route: Signer] {
  return [
    {
      name: "command",
      store: PlanStore.open(at.world.planFolder),
      approve: async ({ id }, { no, ...more } = {}) => {
        const typed = { terminal: 300, stdin: no ? "n\n" : "y\n" };
        const { code, stderr } = await at.adsctl(OPERATION, { plan_id: id, ...more }, [], typed);
        return { code, text: stderr };
      },
    },
    {
      name: "route",
      store: at.consolePlans,
      approve: async ({ id, fingerprint }, { no } = {}) => {
        const body = { fingerprint, passphrase: "", ...no && { shown: "other names" } };
        const { status, data } = await at.page.ask(`/api/plans/${id}/approve`, body);
        return { code: data.error?.code ?? status, text: data.error?.message ?? "" };
      },
    },
  ];
}

/** A raised bid, saved by itself in each interface's folder. */
async function planFor(
  at: Interfaces,
  store: Plans,
  bid: number,
): Promise<{ plan: ChangePlan; path: string }> {
  const ca = await (await at.context.ads()).profile("CA");
  const [keyword] = (await ca.sp.keywords.list({ states: ["ENABLED"] })).filter(({ bid }) =>
    bid !== undefined
  );
  const plan = await ca.sp.keywords.planUpdate([{ keywordId: keyword!.keywordId, bid }]);
  return { plan, path: await store.save(plan) };
}

async function approvalOf(path: string): Promise<Approval | undefined> {
  const text = await Deno.readTextFile(path.replace(/\/(plan-[^/]*)\.json$/, "/.plans/$1.approval.json"))
    .catch(() => undefined);
  return text === undefined ? undefined : JSON.parse(text);
}

Deno.test("a plan is approved alike in every interface for people, by the person's own key and for half an hour", async () => {
  await using at = await interfaces();
  const [command, route] = signers(at);
  const seen: unknown[] = [];
  for (const { name, store, approve } of [route, command]) {
    const { plan, path } = await planFor(at, store, 0.81);
    const { text } = await approve(plan);
    const approval = await approvalOf(path);
    ok(approval !== undefined, `${name}: ${text}`);
    const { plan_id: id, fingerprint, approved_at: from, expires_at: to, accepted, shown } = approval;
    deepEqual([id, fingerprint], [plan.id, plan.fingerprint]);
    equal(Date.parse(to) - Date.parse(from), 30 * 60_000, name);
    seen.push([accepted, Object.keys(shown!)]);
  }
  deepEqual(seen[1], seen[0]);
  const { plan, path } = await planFor(at, command.store, 0.82);
  equal((await command.approve(plan, { minutes: 5 })).code, 0);
  const { approved_at: from, expires_at: to } = (await approvalOf(path))!;
  equal(Date.parse(to) - Date.parse(from), 5 * 60_000);
  equal(at.world.writes().length, 0, "an approval sends nothing");
});

Deno.test("a plan is not approved in any interface if the person says no, or if it was refused, applied or edited", async () => {
  await using at = await interfaces();
  const ca = await (await at.context.ads()).profile("CA");
  for (const { name, store, approve } of signers(at)) {
    const declined = await planFor(at, store, 0.83);
    deepEqual((await approve(declined.plan, { no: true })).code, { command: 1, route: "NOT_ACCEPTED" }[name]);
    const refused = await planFor(at, store, 0.84);
    await store.refuse(refused.plan);
    const closed = await approve(refused.plan);
    match(closed.text, /refused/, name);
    const applied = await planFor(at, store, name === "command" ? 0.85 : 0.86);
    await store.apply(applied.plan, ca);
    match((await approve(applied.plan)).text, /applied/, name);
    const edited = await planFor(at, store, 0.87);
    const text = await Deno.readTextFile(edited.path);
    await Deno.writeTextFile(edited.path, text.replace(/"bid": ?0\.87/, '"bid": 99'));
    const changed = (await approve(edited.plan)).text;
    match(changed, /edited after it was made/, `${name}: ${changed}`);
    for (const { path } of [declined, refused, applied, edited]) {
      equal(await approvalOf(path), undefined, `${name}: ${path}`);
    }
  }
});

Deno.test("a plan that a policy denies is not shown for approval, nor one that was made under another policy", async () => {
  await using at = await interfaces();
  const ca = await (await at.context.ads()).profile("CA");
  const { plan, path } = await planFor(at, at.consolePlans, 0.88);
  const asked: unknown[] = [];
  const approver = {
    ask: (reviews: readonly unknown[]) => Promise.resolve(asked.push(...reviews) > 0),
    sign: () => Promise.reject(new Error("It was signed")),
  };
  const target = (level: "deny" | "approve") => ({
    ...{ profileId: ca.profileId, countryCode: ca.countryCode },
    resource: ca.resource.bind(ca),
    review: async () => ({
      ...await ca.review(plan),
      findings: [{ code: "POLICY_RULE", level, message: "Too high" }],
    }),
  });
  const approve = (
    profile: unknown,
    { accepted, of = plan }: { accepted?: string[]; of?: ChangePlan } = {},
  ) =>
    planApprove.run(
      // deno-lint-ignore no-explicit-any
      { plan: of, store: at.consolePlans, profile: profile as any, approver: { ...approver, accepted } },
      { plan_id: of.id, minutes: 30 },
    ).then(() => "it was approved", String);
  match(await approve(target("deny")), /^PolicyError: .*Too high/s);
  match(await approve(target("approve"), { accepted: [] }), /^ApprovalError: .*1 finding was not shown/s);
  const judged = new ChangePlan({
    ...plan,
    id: `${plan.id.slice(0, -8)}0a0b0c0d`,
    findings: [{ code: "POLICY_RULE", level: "approve", message: "Ask the owner" }],
  });
  await at.consolePlans.save(judged);
  match(
    await approve(target("approve"), { of: judged }),
    /without the policy that it was made under[^]*Ask the owner/,
  );
  deepEqual(asked, []);
  match(await approve(target("approve")), /It was signed/);
  equal(asked.length, 1);
  equal(await approvalOf(path), undefined);
});
