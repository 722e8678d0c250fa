import { deepEqual, equal, match, ok, rejects, throws } from "../support/assert.ts";
import { ChangePlan, PlatformAds, PolicyError, type ProfileClient, type Resource } from "../../mod.ts";
import { ensureCurrent } from "../../src/plans/review/approval.ts";
import { ask } from "../../src/plans/review/ask.ts";
import { sha256 } from "../../src/base/text/sha256.ts";
import { MemoryJournal } from "../support/memory_journal.ts";
import { judge } from "../../src/plans/review/judge.ts";
import { findingKey } from "../../src/plans/model/finding.ts";
import { parsePolicy } from "../../src/plans/policy/parse_policy.ts";
import { CONTRACT_KINDS, makeParents } from "../entities/contract_kinds.ts";
import { type Emulated, emulated } from "../support/emulated.ts";
import { long } from "../support/long.ts";
import { speaking, type TestedWire, WIRES } from "../support/on_both_wires.ts";

/** A second client of an account, whose policy allows all that can be judged. */
async function held(
  world: Emulated,
  options: { wire?: TestedWire; wireIds?: "mapped" } = {},
): Promise<ProfileClient> {
  const { credentials, platform } = world.emulator;
  const policy = parsePolicy("version: 1\nmax_changes: 100000");
  const { now, sleep } = world.time;
  const ads = new PlatformAds(credentials, { platform, now, sleep, onWarning: () => {}, policy, ...options });
  return await ads.profile("US");
}

/** Creates, updates and archives an entity of a kind by plans. */
async function roundOf(
  resource: Resource,
  us: ProfileClient,
  { item, change }: { item: Record<string, unknown>; change: Record<string, unknown> },
): Promise<void> {
  const { idField } = resource;
  const created = await (await resource.planCreate([item])).apply(us);
  const [made] = created.changes;
  equal(made?.outcome, "done", `${resource.kind} create: ${made?.error?.message}`);
  const update = await resource.planUpdate([{ [idField]: made!.id!, ...change }]);
  for (const { outcome, error } of (await update.apply(us)).changes) {
    equal(outcome, "done", `${resource.kind} update: ${error?.message}`);
  }
  if (!resource.archivable) return;
  const archived = await (await resource.planArchive([made!.id!])).apply(us);
  deepEqual(archived.changes.map(({ outcome }) => outcome), ["done"], resource.kind);
}

for (const wire of WIRES) {
  long();
  Deno.test(`plans of every kind hold what their bodies say, under a policy (${wire} wire)`, async () => {
    await using world = await emulated(speaking(wire));
    const parents = await makeParents(world.us, wire);
    const us = await held(world, { wire });
    for (const [number, { kind, item, changes, lacking = [] }] of CONTRACT_KINDS.entries()) {
      const fresh = Object.fromEntries(
        Object.entries(item(parents, 500 + number)).filter(([field]) =>
          wire === "legacy" || !lacking.includes(field)
        ),
      );
      await roundOf(us.resource(kind), us, { item: fresh, change: changes(500 + number)[0] });
    }
  });
}

Deno.test("with mapped ids, plans of targets hold what their bodies say, under a policy", async () => {
  await using world = await emulated({
    ...speaking("unified"),
    emulator: { quirks: { unifiedTargetIds: "other" } },
  });
  const parents = await makeParents(await held(world), "legacy");
  const us = await held(world, { wire: "unified", wireIds: "mapped" });
  const contract = CONTRACT_KINDS.find(({ kind }) => kind === "sp.keywords")!;
  const [change] = contract.changes(700);
  await roundOf(us.sp.keywords as unknown as Resource, us, { item: contract.item(parents, 700), change });
});

Deno.test("what leaves under a plan's clearance is what was admitted of it, and nothing else", async () => {
  await using world = await emulated({ checkRequests: false });
  const us = await held(world);
  const [first, second] = await us.sp.keywords.list({ states: ["ENABLED"] });
  const id = first!.keywordId;
  const change = {
    kind: "sp.keywords",
    op: "update" as const,
    id,
    before: { bid: first!.bid ?? null },
    after: { bid: 0.61 },
    label: "x",
  };
  const plan = new ChangePlan({ profileId: us.profileId, countryCode: us.countryCode, changes: [change] });
  const open = [{ at: 0, change }];
  const { client } =
    (await us.judge?.({ plan, open, client: us, approvedBy: undefined, resumes: false, signal: undefined }))!;
  ok(client instanceof Object && "sp" in client);
  const cleared = client as ProfileClient;
  world.asked();
  const beyond = (error: unknown): boolean => {
    ok(error instanceof PolicyError, String(error));
    match(error.message, /holds something else than what was judged/);
    return true;
  };
  await rejects(cleared.sp.keywords.update([{ keywordId: id, bid: 99 }]), beyond);
  await rejects(cleared.sp.keywords.update([{ keywordId: id, bid: 0.61, state: "PAUSED" }]), beyond);
  await rejects(cleared.sp.keywords.update([{ keywordId: second!.keywordId, bid: 0.61 }]), beyond);
  await rejects(cleared.sp.keywords.delete([id]), beyond);
  await rejects(cleared.portfolios.create([{ name: "x", state: "ENABLED" }]), beyond);
  deepEqual(world.asked().filter((path) => !path.endsWith("/list")), [], "nothing is written");
  equal((await cleared.sp.keywords.update([{ keywordId: id, bid: 0.61 }])).successes.length, 1);
});

Deno.test("an approval is for the bodies as they were judged, with what completes them", async () => {
  await using world = await emulated({ checkRequests: false });
  const { us } = world;
  const budget = { amount: 450, currencyCode: "USD", policy: "MONTHLY_RECURRING" } as const;
  const { ids: [portfolioId = ""] } = await us.portfolios.create([{
    name: "Capped",
    state: "ENABLED",
    budget,
  }]);
  const change = {
    kind: "portfolios",
    op: "update" as const,
    id: portfolioId,
    before: { budget },
    after: { budget: { amount: 500 } },
    label: "Capped",
  };
  const plan = new ChangePlan({ profileId: us.profileId, countryCode: us.countryCode, changes: [change] });
  const shown = await judge(plan, us);
  const key = "the requests";
  ok(shown.parts[key] !== undefined);
  equal((await judge(plan, us)).parts[key], shown.parts[key]);
  const other = { ...budget, policy: "DATE_RANGE", startDate: "2026-10-01", endDate: "2026-10-31" } as const;
  (await us.portfolios.update([{ portfolioId, budget: other }])).raiseForErrors();
  const now = await judge(plan, us);
  const approval = { digest: shown.digest, shown: shown.parts, accepted: now.asks.map(findingKey) };
  const signed = { ...approval, plan_id: plan.id, fingerprint: plan.fingerprint, signature: "" };
  throws(
    () => ensureCurrent({ ...signed, approved_at: "", expires_at: "" }, now),
    /the requests changed since. Approve it again/,
  );
});

Deno.test("the bodies that were shown are sent, whatever the account becomes meanwhile, and the journal has their hashes", async () => {
  await using world = await emulated({ checkRequests: false });
  const sent: string[] = [];
  const { credentials, platform } = world.emulator;
  const { now, sleep } = world.time;
  const ads = new PlatformAds(credentials, {
    platform,
    now,
    sleep,
    onWarning: () => {},
    fetch: (input, init) => {
      if (init?.method === "PUT") {
        sent.push(String(init.body));
      }
      return fetch(input, init);
    },
  });
  const us = await ads.profile("US");
  const budget = { amount: 450, currencyCode: "USD", policy: "MONTHLY_RECURRING" } as const;
  const { ids: [portfolioId = ""] } = await us.portfolios.create([{
    name: "Capped",
    state: "ENABLED",
    budget,
  }]);
  const { profileId, countryCode } = us;
  const change = { kind: "portfolios", op: "update" as const, id: portfolioId, label: "Capped" };
  const plan = new ChangePlan({
    profileId,
    countryCode,
    changes: [{ ...change, before: { budget }, after: { budget: { amount: 440 } } }],
  });
  const review = await judge(plan, us);
  const consent = await ask(review, { may: "nothing", by: "a test" });
  const other = { ...budget, policy: "DATE_RANGE", startDate: "2026-10-01", endDate: "2026-10-31" } as const;
  (await us.portfolios.update([{ portfolioId, budget: other }])).raiseForErrors();
  const journal = new MemoryJournal();
  equal((await plan.apply(us, { ...consent, journal })).ok, true);
  const body = sent.at(-1)!;
  deepEqual(JSON.parse(body), { portfolios: [{ portfolioId, budget: { ...budget, amount: 440 } }] });
  const [begin, sending, leaving] = journal.events;
  equal(begin?.["requests"], review.parts["the requests"], "what was approved");
  deepEqual(sending, { event: "sending", changes: [0] });
  deepEqual(leaving, { event: "leaving", method: "PUT", path: "/portfolios", sha256: sha256(body) });
});
