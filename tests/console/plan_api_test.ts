import { deepEqual, equal, match, ok } from "../support/assert.ts";
import { writeFileSync } from "node:fs";
import { approvalKeyFiles, createApprovalKey } from "../../src/plans/review/approval_key.ts";
import { judge } from "../../src/plans/review/judge.ts";
import { totalLines } from "../../src/plans/view/plan_lines.ts";
import { ChangePlan } from "../../mod.ts";
import { type ConsoleWorld, consoleWorld, signIn } from "./support/console_world.ts";

/** A plan that changes the bids of some keywords by a factor. */
async function bidPlan({ us }: ConsoleWorld, { count = 3, factor = 1.1 } = {}): Promise<ChangePlan> {
  const keywords = (await us.sp.keywords.list({ states: ["ENABLED"] }))
    .filter(({ bid }) => bid !== undefined).slice(0, count);
  const changes = keywords.map(({ keywordId, bid = 1 }) => ({
    keywordId,
    bid: Math.round(bid * factor * 100) / 100,
  }));
  return await us.sp.keywords.planUpdate(changes, { note: "Raise the winners" });
}

Deno.test("a plan goes from its file to applied, and back", async () => {
  await using world = await consoleWorld();
  const page = await signIn(world);
  const plan = await bidPlan(world);
  await world.plans.save(plan);

  const { data: { plans } } = await page.ask("/api/plans");
  deepEqual(plans.map(({ id, state, maker }: Record<string, unknown>) => [id, state, maker]), [
    [plan.id, "waiting", "person"],
  ]);
  const { data: shown } = await page.ask(`/api/plans/${plan.id}`);
  equal(shown.plan.fingerprint, plan.fingerprint);
  equal(shown.time_zone, "America/Los_Angeles");
  const { data: review } = await page.ask(`/api/plans/${plan.id}/review`);
  deepEqual(review.drift, []);
  deepEqual(review.facts, totalLines(review.plan), "the question has the facts of adsctl");
  equal(review.account, "Fernpfad Outdoor (seller)");
  ok(review.facts.includes(`Spend: ${review.spend}`), review.spend);
  ok(review.facts.some((line: string) => /^Spend: /.test(line)), review.facts.join());
  const accepted = review.findings.map(({ code, change }: { code: string; change?: number }) =>
    change === undefined ? code : `${code} ${change}`
  );
  const { status, data: applied } = await page.ask(`/api/plans/${plan.id}/apply`, {
    fingerprint: plan.fingerprint,
    accepted,
  });
  equal(status, 200);
  equal(applied.ok, true);
  equal((await page.ask(`/api/plans/${plan.id}`)).data.state, "applied");

  const { data: undo } = await page.ask(`/api/plans/${plan.id}/undo`, {});
  equal(undo.plan_id, applied.rollback_plan_id);
  const { data: { plan: back } } = await page.ask(`/api/plans/${undo.plan_id}`);
  equal(
    (await page.ask(`/api/plans/${undo.plan_id}/apply`, { fingerprint: back.fingerprint })).data.ok,
    true,
  );
  equal((await page.ask(`/api/plans/${plan.id}`)).data.state, "undone");
  const now = await world.us.sp.keywords.list({ ids: plan.changes.map(({ id }) => id ?? "") });
  deepEqual(
    plan.changes.map(({ id }) => now.find(({ keywordId }) => keywordId === id)?.bid),
    plan.changes.map(({ before }) => before["bid"]),
  );
});

Deno.test("a plan that was swapped on the disk after it was shown is refused, and nothing is sent", async () => {
  await using world = await consoleWorld();
  const page = await signIn(world);
  const plan = await bidPlan(world);
  const path = await world.plans.save(plan);
  const { data: shown } = await page.ask(`/api/plans/${plan.id}`);
  const other = new ChangePlan({ ...await bidPlan(world, { factor: 9 }), id: plan.id });
  writeFileSync(path, other.toJson());
  world.asked();
  for (const what of ["apply", "approve", "refuse", "part"]) {
    const { status, data } = await page.ask(`/api/plans/${plan.id}/${what}`, {
      fingerprint: shown.plan.fingerprint,
      ...(what === "part" ? { leave_out: [0] } : { passphrase: "" }),
    });
    deepEqual([status, data.error.code], [409, "PLAN_CHANGED"], what);
  }
  deepEqual(world.asked(), []);
  equal((await world.plans.status(plan.id)).state, "open");
});

Deno.test("of two people who apply a plan at once, one sends it and the other learns so", async () => {
  await using world = await consoleWorld();
  const [one, other] = [await signIn(world), await signIn(world)];
  const plan = await bidPlan(world);
  await world.plans.save(plan);
  world.asked();
  const body = { fingerprint: plan.fingerprint };
  const both = await Promise.all([one, other].map((page) => page.ask(`/api/plans/${plan.id}/apply`, body)));
  deepEqual(both.map(({ status }) => status).sort(), [200, 409]);
  match(both.find(({ status }) => status === 409)?.data.error.message, /was applied|applying it began/);
  equal(world.asked().filter((line) => line === "PUT /sp/keywords").length, 1);
});

Deno.test("an approval is signed with the person's key, and one passphrase is needed for it", async () => {
  await using world = await consoleWorld();
  const page = await signIn(world);
  const plan = await bidPlan(world);
  await world.agentPlans.save(plan);
  const approve = (more: object) =>
    page.ask(`/api/plans/${plan.id}/approve`, { fingerprint: plan.fingerprint, ...more });
  equal((await page.ask("/api/console")).data.approval_key, "none");
  equal((await approve({})).data.error.code, "PASSPHRASE_NEEDED");
  equal((await approve({ passphrase: "open sesame" })).status, 200);
  equal((await page.ask("/api/console")).data.approval_key, "passphrase");
  await world.agentPlans.ensureApproved(await judge(plan, world.us), { publicKey: world.key.public });
  ok((await page.ask(`/api/plans/${plan.id}`)).data.approved_until);
  const wrong = await approve({ passphrase: "guess" });
  deepEqual([wrong.status, wrong.data.error.code], [409, "NOT_SIGNED"]);
  ok(!JSON.stringify(wrong.data).includes("guess"));
});

Deno.test("two people who approve a plan at once leave one approval that holds, and two first keys never mix", async () => {
  await using world = await consoleWorld();
  const pages = [await signIn(world), await signIn(world)];
  const plan = await bidPlan(world);
  await world.agentPlans.save(plan);
  const bothApprove = (passphrases: readonly string[]) =>
    Promise.all(pages.map((page, index) =>
      page.ask(`/api/plans/${plan.id}/approve`, {
        fingerprint: plan.fingerprint,
        passphrase: passphrases[index],
      })
    ));
  // Nobody has a key yet: whoever makes it first signs, and the other's passphrase is not the key's.
  const first = await bothApprove(["one phrase", "another phrase"]);
  deepEqual(first.map(({ status }) => status).sort(), [200, 409]);
  equal(first.find(({ status }) => status === 409)?.data.error.code, "NOT_SIGNED");
  const right = first[0]!.status === 200 ? "one phrase" : "another phrase";
  const second = await bothApprove([right, right]);
  deepEqual(second.map(({ status }) => status), [200, 200]);
  await world.agentPlans.ensureApproved(await judge(plan, world.us), { publicKey: world.key.public });
});

Deno.test("a finding that asks for a person must have been shown before a plan is sent or approved", async () => {
  await using world = await consoleWorld();
  const page = await signIn(world);
  await createApprovalKey(world.key, {});
  const plan = await bidPlan(world, { factor: 8 });
  await world.plans.save(plan);
  for (const what of ["apply", "approve"]) {
    const refused = await page.ask(`/api/plans/${plan.id}/${what}`, { fingerprint: plan.fingerprint });
    deepEqual([refused.status, refused.data.error.code], [409, "NOT_ACCEPTED"], what);
  }
  const { data: review } = await page.ask(`/api/plans/${plan.id}/review`);
  const accepted = review.findings.map(({ code, change }: { code: string; change?: number }) =>
    change === undefined ? code : `${code} ${change}`
  );
  ok(review.findings.every(({ message }: { message: string }) => /^keyword /.test(message)));
  ok(!/\d{12}/.test(JSON.stringify(review.findings)), "names, and no ids");
  const sent = await page.ask(`/api/plans/${plan.id}/apply`, { fingerprint: plan.fingerprint, accepted });
  equal(sent.status, 200);
});

Deno.test("leaving changes out makes a new plan with a fingerprint of its own", async () => {
  await using world = await consoleWorld();
  const page = await signIn(world);
  const plan = await bidPlan(world);
  await world.plans.save(plan);
  const { status, data } = await page.ask(`/api/plans/${plan.id}/part`, {
    fingerprint: plan.fingerprint,
    leave_out: [1],
  });
  equal(status, 200);
  ok(data.fingerprint !== plan.fingerprint);
  const part = await world.plans.get(data.plan_id);
  deepEqual(part.changes, [plan.changes[0], plan.changes[2]]);
  match(part.note ?? "", new RegExp(`^Plan ${plan.id} without 1 of its 3 changes: Raise the winners$`));
  equal((await world.plans.status(plan.id)).state, "open");
  for (
    const [leaveOut, code] of [[[], "BAD_REQUEST"], [[7], "BAD_REQUEST"], [
      [0, 1, 2],
      "NOTHING_LEFT",
    ]] as const
  ) {
    const refused = await page.ask(`/api/plans/${plan.id}/part`, {
      fingerprint: plan.fingerprint,
      leave_out: leaveOut,
    });
    equal(refused.data.error.code, code);
  }
});

Deno.test("later commands are told of a folder in which a plan that holds something back is saved", async () => {
  await using world = await consoleWorld();
  const page = await signIn(world);
  const keywords = (await world.us.sp.keywords.list({ states: ["ENABLED"] })).filter(({ bid }) => bid);
  const draft = world.us.plan();
  for (const { keywordId, bid = 1 } of keywords.slice(0, 40)) {
    draft.update("sp.keywords", { keywordId, bid: Math.round(bid * 90) / 100 });
  }
  const holding = await draft.build({ holdBack: { share: 0.25, seed: "7", unit: "keyword" } });
  for (const [plan, folders] of [[await bidPlan(world), []], [holding, [world.plans.path]]] as const) {
    await world.plans.save(plan);
    const { fingerprint } = plan;
    const part = await page.ask(`/api/plans/${plan.id}/part`, { fingerprint, leave_out: [0] });
    equal(part.status, 200, JSON.stringify(part.data));
    deepEqual(world.remembered, folders);
  }
});

Deno.test("a part of a plan is judged by the policy of the whole: without it, none is made", async () => {
  await using world = await consoleWorld();
  const page = await signIn(world);
  const plan = await bidPlan(world);
  const denied = { code: "POLICY_MAX_BID", level: "deny", change: 0, message: "above the policy" } as const;
  const judged = new ChangePlan({ ...plan, findings: [denied] });
  await world.agentPlans.save(judged);
  const body = { fingerprint: judged.fingerprint, leave_out: [1] };
  const { status, data } = await page.ask(`/api/plans/${plan.id}/part`, body);
  deepEqual([status, data.error.code], [409, "NOT_APPROVED"]);
  match(data.error.message, /without the policy that it was made under.*\n {2}deny: above the policy/);
  equal((await world.agentPlans.ids()).length, 1);
  await world.agentPlans.save(plan);
  const found = await page.ask(`/api/plans/${plan.id}/part`, { ...body, fingerprint: plan.fingerprint });
  equal(found.status, 200);
});

Deno.test("a change that others need cannot be left out alone", async () => {
  await using world = await consoleWorld();
  const page = await signIn(world);
  const draft = world.us.plan();
  const [campaign] = await world.us.sp.campaigns.list({ states: ["ENABLED"] });
  draft.create("sp.ad_groups", { campaignId: campaign?.campaignId ?? "", name: "New", defaultBid: 0.5 }, {
    as: "group",
  });
  draft.create("sp.keywords", {
    campaignId: campaign?.campaignId ?? "",
    adGroupId: { ref: "group" },
    keywordText: "socks",
    matchType: "EXACT",
    bid: 0.4,
  });
  const plan = await draft.build();
  await world.plans.save(plan);
  const { status, data } = await page.ask(`/api/plans/${plan.id}/part`, {
    fingerprint: plan.fingerprint,
    leave_out: [0],
  });
  deepEqual([status, data.error.code], [422, "NEEDED"]);
});

Deno.test("a refused plan can never be applied", async () => {
  await using world = await consoleWorld();
  const page = await signIn(world);
  const plan = await bidPlan(world);
  await world.agentPlans.save(plan);
  const body = { fingerprint: plan.fingerprint };
  equal((await page.ask(`/api/plans/${plan.id}/refuse`, body)).status, 200);
  equal((await page.ask(`/api/plans/${plan.id}`)).data.state, "refused");
  equal((await page.ask(`/api/plans/${plan.id}/apply`, body)).status, 409);
});

Deno.test("a plan that no longer fits the account is not sent, unless what changed is left out", async () => {
  await using world = await consoleWorld();
  const page = await signIn(world);
  const plan = await bidPlan(world);
  await world.plans.save(plan);
  const [first] = plan.changes;
  (await world.us.sp.keywords.update([{ keywordId: first?.id ?? "", bid: 0.77 }])).raiseForErrors();
  const { data: review } = await page.ask(`/api/plans/${plan.id}/review`);
  deepEqual(review.drift.map(({ change }: { change: number }) => change), [0]);
  const refused = await page.ask(`/api/plans/${plan.id}/apply`, { fingerprint: plan.fingerprint });
  deepEqual([refused.status, refused.data.error.code], [409, "DRIFT"]);
  const sent = await page.ask(`/api/plans/${plan.id}/apply`, {
    fingerprint: plan.fingerprint,
    skip_drifted: true,
  });
  deepEqual([sent.status, sent.data.failed], [200, 1]);
  const { data: shown } = await page.ask(`/api/plans/${plan.id}`);
  deepEqual(shown.failures.map(({ change, code }: Record<string, unknown>) => [change, code]), [[
    0,
    "DRIFTED",
  ]]);
});

Deno.test("the events tell of each request of a plan as it leaves and comes back", async () => {
  await using world = await consoleWorld();
  const page = await signIn(world);
  const plan = await bidPlan(world);
  await world.plans.save(plan);
  const response = await fetch(`${world.console.url}/api/events`, {
    headers: { cookie: page.cookie, "x-adsctl-console": page.secret },
  });
  equal(response.headers.get("content-type"), "text/event-stream");
  await page.ask(`/api/plans/${plan.id}/apply`, { fingerprint: plan.fingerprint });
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.includes("event: plan")) break;
  }
  const sent = [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? ""));
  deepEqual(sent.map((data) => data.sent), [0, 3, undefined]);
  deepEqual(sent[1].requests, [{ what: "update sp.keywords", changes: 3, outcomes: { done: 3 } }]);
  const { status, data } = await page.ask(`/api/plans/${plan.id}/outcome`);
  equal(status, 200, "a plan that was just applied has no outcome yet, which is no failure");
  match(data.unknown, /No figures are stored yet/);
});

Deno.test("approval keys of the console are those of the terminal", async () => {
  await using world = await consoleWorld();
  const page = await signIn(world);
  deepEqual(approvalKeyFiles(world.key.public.replace(/[\\/][^\\/]+$/, "")), world.key);
  await createApprovalKey(world.key, {});
  const plan = await bidPlan(world);
  await world.agentPlans.save(plan);
  equal((await page.ask("/api/console")).data.approval_key, "open");
  equal((await page.ask(`/api/plans/${plan.id}/approve`, { fingerprint: plan.fingerprint })).status, 200);
  await world.agentPlans.ensureApproved(await judge(plan, world.us), { publicKey: world.key.public });
});
