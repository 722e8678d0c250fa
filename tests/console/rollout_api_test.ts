import { deepEqual, equal, match, notEqual, ok, rejects } from "../support/assert.ts";
import { Rollout } from "../../src/account/mod.ts";
import { ChangePlan, type ProfileClient } from "../../mod.ts";
import { EventHub } from "../../src/interfaces/console/http/event_hub.ts";
import { readIfThere } from "../../src/base/runtime/read_named_file.ts";
import { PlanPlaces } from "../../src/plans/store/plan_places.ts";
import { parsePolicy } from "../../src/plans/policy/mod.ts";
import { RolloutJobs } from "../../src/interfaces/console/http/rollout_jobs.ts";
import { leaveToQueue } from "../../src/plans/store/queued_plan.ts";
import { type ConsoleWorld, consoleWorld, type SignedIn, signIn } from "./support/console_world.ts";

interface Prepared {
  readonly page: SignedIn;
  readonly folder: string;
  readonly planIds: readonly string[];
  /** Bids of the keywords, in the order of the profiles. */
  bids(): Promise<(number | undefined)[]>;
  readonly before: readonly (number | undefined)[];
  readonly profiles: readonly ProfileClient[];
  readonly keywordIds: readonly string[];
}

/** A rollout that raises one bid in each of three profiles. */
async function prepared(world: ConsoleWorld): Promise<Prepared> {
  const profiles = [world.us, await world.ads.profile("CA"), await world.ads.profile("MX")];
  const plans = [];
  const keywordIds: string[] = [];
  for (const profile of profiles) {
    const [keyword] = (await profile.sp.keywords.list({ states: ["ENABLED"] })).filter(({ bid }) => bid);
    keywordIds.push(String(keyword?.keywordId));
    const bid = Math.round((keyword?.bid ?? 1) * 105) / 100;
    plans.push(await profile.sp.keywords.planUpdate([{ keywordId: String(keyword?.keywordId), bid }]));
  }
  const folder = world.rolloutPlans.path;
  await Rollout.create(folder, plans, { note: "Autumn bids", now: world.time.now });
  const bids = () =>
    Promise.all(profiles.map(async (one, at) => (await one.sp.keywords.get(keywordIds[at] ?? ""))?.bid));
  const page = await signIn(world);
  return {
    page,
    folder,
    planIds: plans.map(({ id }) => id),
    bids,
    before: await bids(),
    profiles,
    keywordIds,
  };
}

// deno-lint-ignore no-explicit-any -- an answer of the API
function decidedOf(review: any): Record<string, unknown> {
  return Object.fromEntries(
    // deno-lint-ignore no-explicit-any -- an answer of the API
    review.plans.map((one: any) => [one.plan_id, {
      shown: one.shown,
      accepted: one.asks.map(({ key }: { key: string }) => key),
    }]),
  );
}

async function decide(
  { page, folder }: Prepared,
  verb: "apply" | "undo",
  more: Record<string, unknown> = {},
): ReturnType<SignedIn["ask"]> {
  const { data: review } = await page.ask(
    `/api/rollout/review?verb=${verb}&folder=${encodeURIComponent(folder)}`,
  );
  return await page.ask(`/api/rollout/${verb}`, { folder, decided: decidedOf(review), ...more });
}

Deno.test("a rollout is applied and undone in stages from the console, and never applied again", async () => {
  await using world = await consoleWorld();
  const at = await prepared(world);
  const { page, folder } = at;
  const path = `/api/rollout?${new URLSearchParams({ folder, serial: "1,100%" })}`;
  const { data: shown } = await page.ask(path);
  const { data: list } = await page.ask("/api/plans");
  equal(list.rollouts[0].folder, folder);
  const row = ({ stage, state }: { stage: number; state: string }) => [stage, state];
  deepEqual(shown.plans.map(row), [[1, "open"], [2, "open"], [2, "open"]]);
  const events = new AbortController();
  const heard = await fetch(`${world.console.url}/api/events`, {
    headers: { cookie: page.cookie, "x-adsctl-console": page.secret },
    signal: events.signal,
  });
  const { status, data } = await decide(at, "apply", { serial: "1,100%" });
  deepEqual([status, data.ok, data.stopped, data.left], [200, true, null, 0]);
  deepEqual(data.plans.map(({ state }: { state: string }) => state), ["done", "done", "done"]);
  ok((await page.ask(path)).data.plans.every(({ undoable }: { undoable: boolean }) => undoable));
  const after = await at.bids();
  ok(after.every((bid, index) => bid !== at.before[index]));
  const seen = await progressIn(heard);
  events.abort();
  deepEqual(seen.at(0), { verb: "apply", done: 0, total: 3, stage: 1 });
  ok(seen.some(({ done, stage }) => done === 1 && stage === 1), "the first stage ends alone");
  deepEqual(seen.at(-1), { verb: "apply", done: 3, total: 3, stage: 2 });
  const undone = await decide(at, "undo", { serial: "1" });
  deepEqual([undone.status, undone.data.ok], [200, true]);
  deepEqual(await at.bids(), at.before);
  const ended = (await page.ask(path)).data.plans;
  const isUndoable = ({ state, undoable }: { state: string; undoable: boolean }) => [state, undoable];
  deepEqual(ended.map(isUndoable), Array(3).fill(["undone", false]));
  const again = await page.ask("/api/rollout/apply", { folder, decided: {} });
  equal(again.status, 409);
  match(again.data.error.message, /its undo was started/);
  deepEqual(await at.bids(), at.before);
});

Deno.test("undoing a rollout leaves out a call that a plan of another folder of the console put back", async () => {
  await using world = await consoleWorld();
  const { us, ads, rolloutPlans: { path: folder }, plans, time: { now }, emulator } = world;
  const [{ instanceId } = {}] = await ads.cleanRooms({ region: "NA" });
  const { place } = await ads.cleanRoom(String(instanceId));
  const body = { workflowId: "reach", sqlQuery: "SELECT campaign FROM sponsored_ads_traffic" };
  const call = await us.planCall<string>("workflow-management-service:createWorkflow", body, place);
  const rollout = await Rollout.create(folder, [call], { note: "A workflow", now });
  ok((await rollout.apply(() => us, { approvedBy: () => "Ann" })).ok);
  const copy = new ChangePlan({ ...await rollout.store.get(`${call.id}-undo`), id: "copy" });
  await plans.save(copy);
  ok((await plans.apply(copy, us)).result.ok);
  const page = await signIn(world);
  const { data: review } = await page.ask(
    `/api/rollout/review?verb=undo&folder=${encodeURIComponent(folder)}`,
  );
  const { status, data } = await page.ask("/api/rollout/undo", { folder, decided: decidedOf(review) });
  equal(status, 200, JSON.stringify(data));
  deepEqual([data.ok, data.plans[0].state], [false, "failed"]);
  match(data.plans[0].summary, /1 of them never sent/);
  const sent = emulator.requests().filter(({ method, path }) =>
    /POST|DELETE/.test(method) && /\/workflows(\/reach)?$/.test(path)
  );
  deepEqual(sent.map(({ method }) => method), ["POST", "DELETE"]);
});

Deno.test("a rollout stops after a stage that failed, and goes on with what is left", async () => {
  await using world = await consoleWorld();
  const at = await prepared(world);
  const [first] = at.profiles;
  const id = at.keywordIds[0] ?? "";
  const foreign = Math.round(((at.before[0] ?? 1) + 0.2) * 100) / 100;
  await (await first!.sp.keywords.planUpdate([{ keywordId: id, bid: foreign }])).apply(first!);
  const stopped = await decide(at, "apply", { serial: "1" });
  deepEqual([stopped.status, stopped.data.ok, stopped.data.left], [200, false, 3]);
  match(stopped.data.stopped, /1 of the 1 plans of stage 1 failed/);
  match(stopped.data.plans[0].summary, /changed/);
  deepEqual((await at.bids()).slice(1), at.before.slice(1), "later stages are not sent");
  const rest = await decide(at, "apply", { serial: "1", stop_on_failures: "100%" });
  deepEqual([rest.data.ok, rest.data.left], [false, 1]);
  const [kept, ...raised] = await at.bids();
  equal(kept, foreign);
  ok(raised.every((bid, index) => bid !== at.before[index + 1]));
});

Deno.test("a rollout is locked, shown and stopped while its accounts are checked, and nothing is sent", async () => {
  const held = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  let isHolding = false;
  await using world = await consoleWorld({
    client: {
      fetch: async (input, init) => {
        // Only the first: what is not locked fails the test, and does not wait with it.
        if (isHolding) {
          isHolding = false;
          reached.resolve();
          await held.promise;
        }
        return await fetch(input, init);
      },
    },
  });
  const at = await prepared(world);
  const { page, folder } = at;
  const { data: review } = await page.ask(`/api/rollout/review?folder=${encodeURIComponent(folder)}`);
  const body = { folder, decided: decidedOf(review) };
  isHolding = true;
  const sent = page.ask("/api/rollout/apply", body);
  try {
    await Promise.race([reached.promise, sent]);
    for (const verb of ["apply", "undo"]) {
      const { status, data } = await page.ask(`/api/rollout/${verb}`, body);
      deepEqual([status, data.error.code], [409, "RUNNING"]);
    }
    equal((await page.ask("/api/rollout/stop", { folder })).data.stopped, true);
  } finally {
    held.resolve();
    await Promise.allSettled([sent]);
  }
  const { status, data } = await sent;
  deepEqual([status, data.ok, data.stopped, data.left], [200, false, "It was interrupted", 3]);
  deepEqual(await at.bids(), at.before);
});

Deno.test("a rollout with plans on a queue is neither reviewed nor applied in the console", async () => {
  await using world = await consoleWorld();
  const at = await prepared(world);
  const { page, folder, planIds } = at;
  const path = `/api/rollout/review?folder=${encodeURIComponent(folder)}`;
  const { data: review } = await page.ask(path);
  await leaveToQueue(world.rolloutPlans, await world.rolloutPlans.get(planIds[1] ?? ""), "a queue");
  for (
    const answer of [
      await page.ask(path),
      await page.ask("/api/rollout/apply", { folder, decided: decidedOf(review) }),
    ]
  ) {
    equal(answer.status, 409);
    match(answer.data.error.message, /1 of its 3 plans are queued; workers apply them/);
  }
  deepEqual(await at.bids(), at.before);
});

Deno.test("only plans that were begun keep the approval of a rollout that a policy asks for", async () => {
  const rule =
    '{ name: bids, when: "change.op == \\"update\\"", level: approve, message: a person looks at it }';
  const policy = parsePolicy(`version: 1\nrules:\n  - ${rule}\n`);
  const refusing: typeof fetch = async (input, init) =>
    init?.method === "PUT" ? Response.json({ message: "no" }, { status: 400 }) : await fetch(input, init);
  await using world = await consoleWorld({ client: { policy, fetch: refusing } });
  const at = await prepared(world);
  const { folder, page, planIds } = at;
  const { data: review } = await page.ask(`/api/rollout/review?folder=${encodeURIComponent(folder)}`);
  ok(review.plans.every(({ asks }: { asks: unknown[] }) => asks.length > 0));
  const body = { folder, decided: decidedOf(review), passphrase: "", serial: "1" };
  const { status, data } = await page.ask("/api/rollout/apply", body);
  deepEqual([status, data.ok], [200, false], JSON.stringify(data));
  match(data.stopped, /1 of the 1 plans of stage 1 failed/);
  const places = new PlanPlaces(folder);
  const kept = await Promise.all(
    planIds.map(async (id) => await readIfThere(places.approval(id)) !== undefined),
  );
  deepEqual(kept, [true, false, false]);
  deepEqual(await at.bids(), at.before);
});

Deno.test("a plan of a rollout is not edited in the grid: the rollout would lose its profile", async () => {
  await using world = await consoleWorld();
  const { page, planIds } = await prepared(world);
  const [id = ""] = planIds;
  const { data } = await page.ask(`/api/plans/${id}`);
  deepEqual([data.in_rollout, data.state], [true, "waiting"]);
  const rows = await page.ask(`/api/plans/${id}/grid`);
  match(rows.data.closed, /it belongs to a rollout/);
});

Deno.test("a damaged rollout hides no plan of its folder, and none of them is replaced", async () => {
  await using world = await consoleWorld();
  const { page, planIds: [id = ""], folder } = await prepared(world);
  await Deno.writeTextFile(`${folder}/rollout.json`, "{");
  const { status, data } = await page.ask(`/api/plans/${id}`);
  deepEqual([status, data.in_rollout, data.state], [200, true, "waiting"]);
  notEqual((await page.ask(`/api/plans/${id}/draft/review`, { revision: 0 })).status, 200);
});

/** Runs a step once, before the first change that is sent after the step was given. */
function beforeSending(): { fetch: typeof fetch; step: (() => Promise<unknown>) | undefined } {
  const sending: ReturnType<typeof beforeSending> = {
    step: undefined,
    fetch: async (input, init) => {
      const step = init?.method === "PUT" ? sending.step : undefined;
      if (step !== undefined) {
        sending.step = undefined;
        await step();
      }
      return await fetch(input, init);
    },
  };
  return sending;
}

async function changeBid({ before, profiles, keywordIds }: Prepared, place: number): Promise<void> {
  const bid = Math.round(((before[place] ?? 1) + 0.2) * 100) / 100;
  await profiles[place]!.sp.keywords.update([{ keywordId: keywordIds[place] ?? "", bid }]);
}

Deno.test("drift that nobody was shown stops a rollout also when it is continued", async () => {
  const sending = beforeSending();
  await using world = await consoleWorld({ client: { fetch: sending.fetch } });
  const at = await prepared(world);
  sending.step = () => changeBid(at, 1);
  for (const run of ["first", "continued"]) {
    const { status, data } = await decide(at, "apply", { serial: "1", skip_drifted: true });
    equal(status, 200, JSON.stringify(data));
    deepEqual(data.plans.map(({ state }: { state: string }) => state), ["done", "failed", "open"], run);
    match(data.stopped, /1 of the 1 plans of stage 2 failed/, run);
  }
  deepEqual((await at.bids())[2], at.before[2]);
});

Deno.test("changes that a person agreed to leave out of a rollout stop no stage, and others do", async () => {
  const sending = beforeSending();
  await using world = await consoleWorld({ client: { fetch: sending.fetch } });
  const at = await prepared(world);
  await changeBid(at, 0);
  // The third drifts once the second is being sent, and nobody was shown that.
  sending.step = () => changeBid(at, 2);
  const { status, data } = await decide(at, "apply", { serial: "1", skip_drifted: true });
  equal(status, 200, JSON.stringify(data));
  deepEqual(data.plans.map(({ state }: { state: string }) => state), ["failed", "done", "failed"]);
  match(data.stopped, /1 of the 1 plans of stage 3 failed/);
});

Deno.test("a plan that a rollout is sending is shown as that, and is neither finished nor undone beside it", async () => {
  const held = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  let isHeld = false;
  const holding: typeof fetch = async (input, init) => {
    if (init?.method === "PUT" && !isHeld) {
      isHeld = true;
      reached.resolve();
      await held.promise;
    }
    return await fetch(input, init);
  };
  await using world = await consoleWorld({ client: { fetch: holding } });
  const at = await prepared(world);
  const { page, planIds: [id = ""] } = at;
  const sent = decide(at, "apply", { serial: "1" });
  try {
    await Promise.race([reached.promise, sent]);
    equal((await page.ask(`/api/plans/${id}`)).data.running, true);
    for (const verb of ["resume", "undo"]) {
      const { status, data } = await page.ask(`/api/plans/${id}/${verb}`, {});
      deepEqual([status, data.error.code], [409, "RUNNING"], verb);
    }
  } finally {
    held.resolve();
    await Promise.allSettled([sent]);
  }
  equal((await sent).data.ok, true);
  equal((await page.ask(`/api/plans/${id}`)).data.running, false);
});

Deno.test("a rollout is sent only as it was shown, with stages that make sense, from a folder of the console", async () => {
  await using world = await consoleWorld();
  const at = await prepared(world);
  const { page, folder, planIds } = at;
  const { data: review } = await page.ask(`/api/rollout/review?folder=${encodeURIComponent(folder)}`);
  const decided = decidedOf(review);
  const { [planIds[2] ?? ""]: _, ...two } = decided;
  const refused: [body: Record<string, unknown>, status: number, words: RegExp][] = [
    [{ folder, decided: two }, 409, /Reload the page/],
    [{ folder, decided: { ...decided, [planIds[1] ?? ""]: { shown: "other" } } }, 409, /Reload the page/],
    [{ folder, decided, serial: "some" }, 400, /serial: Cannot use "some"/],
    [{ folder, decided, stop_on_failures: "1,2" }, 400, /stop_on_failures: Cannot use "1,2"/],
    [{ folder: world.plans.path, decided }, 404, /none of the plan folders/],
    [{ folder: "/", decided }, 404, /none of the plan folders/],
    [{ decided }, 400, /"folder" is missing/],
  ];
  for (const [body, status, words] of refused) {
    const answer = await page.ask("/api/rollout/apply", body);
    equal(answer.status, status, JSON.stringify(answer.data));
    match(answer.data.error.message, words);
  }
  deepEqual(await at.bids(), at.before);
});

Deno.test("a rollout is neither applied nor undone by a console that only reads", async () => {
  await using world = await consoleWorld({ readOnly: true });
  const at = await prepared(world);
  for (const verb of ["apply", "undo", "stop"]) {
    const { status } = await at.page.ask(`/api/rollout/${verb}`, { folder: at.folder, decided: {} });
    equal(status, 403, verb);
  }
  deepEqual(await at.bids(), at.before);
});

Deno.test("a rollout that is sent is shown to new pages, is not sent twice, and stops between two plans", async () => {
  const events = new EventHub();
  const jobs = new RolloutJobs(events);
  const plan = { id: "1-a", countryCode: "US", reverses: "1-b" } as ChangePlan;
  const job = { folder: "/rollout", verb: "undo", ended: new AbortController().signal } as const;
  const checked = Promise.withResolvers<void>();
  const counts: unknown[] = [];
  const running = jobs.run(job, async ({ stop, onBegin, onPlan, onReviewed }) => {
    await checked.promise;
    onReviewed(2);
    await onBegin?.(plan, 1);
    await new Promise((done) => stop.addEventListener("abort", done, { once: true }));
    for (const onlyLeftOut of [true, false]) {
      await onPlan?.({ plan, state: "failed", onlyLeftOut }, 1);
      counts.push(...jobs.current().map(({ data: { done, failed } }) => [done, failed]));
    }
    return { entries: [], ok: false, stopped: "It was interrupted" };
  });
  const shown = () => jobs.current().map(({ data: { state, running } }) => [state, running]);
  deepEqual(shown(), [["checking", []]]);
  deepEqual(["1-a", "1-b"].map((id) => jobs.isRunning(id)), [false, false]);
  checked.resolve();
  await Promise.resolve();
  deepEqual(["1-a", "1-b", "1-c"].map((id) => jobs.isRunning(id)), [true, true, false]);
  deepEqual(shown(), [["running", [{ plan_id: "1-a", country_code: "US" }]]]);
  await rejects(() => jobs.run(job, () => Promise.reject(new Error("sent twice"))), /is being sent now/);
  jobs.stop("/another");
  deepEqual(shown()[0]?.[0], "running");
  jobs.stop("/rollout");
  equal((await running).stopped, "It was interrupted");
  deepEqual(counts, [[1, 0], [1, 1]], "what was agreed to be left out is no failure");
  deepEqual(jobs.current(), []);
  await jobs.settled();
});

/** Events about a rollout until it ends, without repeats of one state. */
async function progressIn(response: Response): Promise<{ done: number; stage: number }[]> {
  const found: { done: number; stage: number }[] = [];
  let text = "";
  for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
    text += part;
    if (text.includes('"state":"ended"')) break;
  }
  for (const [, data = ""] of text.matchAll(/^event: rollout\ndata: (.*)$/gm)) {
    const { verb, done, total, stage, state } = JSON.parse(data);
    if (state === "running") found.push({ verb, done, total, stage } as { done: number; stage: number });
  }
  return found;
}
