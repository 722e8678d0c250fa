import assert from "node:assert/strict";
import { type Change, ChangePlan, type PlanResult, resumePlan } from "../../mod.ts";
import type { CallState, EntityFields, PlanResource, ResumeOptions } from "../../src/plans/mod.ts";
import { FakeTarget } from "../support/fake_target.ts";
import { FakeTime } from "../support/fake_time.ts";
import { MemoryJournal } from "../support/memory_journal.ts";

const AT = "2026-09-30T12:00:00.000Z";

function bid(id: string, more: Partial<Change> = {}): Change {
  return { kind: "sp.keywords", op: "update", id, before: { bid: 1 }, after: { bid: 2 }, label: id, ...more };
}

function create(name: string, more: Partial<Change> = {}): Change {
  return { ...bid(""), kind: "sp.campaigns", op: "create", id: null, before: {}, after: { name }, ...more };
}

const CALL: Change = {
  ...create("x"),
  kind: "call",
  op: "call",
  before: { body: { a: 1 } },
  after: { operation: "x:Do", request: "PUT /x", body: { a: 2 } },
};

/** An account of keywords, with the ids of the campaigns that look like each new item, by name. */
class Account extends FakeTarget {
  readonly asked: unknown[] = [];
  readonly #alike: Readonly<Record<string, readonly string[]>>;
  constructor(
    keywords: Record<string, EntityFields>,
    alike: Readonly<Record<string, readonly string[]>> = {},
  ) {
    super({ "sp.keywords": keywords });
    this.#alike = alike;
  }

  override resource(kind: string): PlanResource {
    return {
      ...super.resource(kind),
      findEqual: (items, options) => {
        this.asked.push([items, options?.archived]);
        return Promise.resolve(items.map(({ name }) => [...this.#alike[String(name)] ?? []]));
      },
    };
  }
}

/** A plan whose application was cut off, with its journal. */
function cutOff(changes: readonly Change[], ...lines: readonly object[]) {
  const plan = new ChangePlan({ id: "p1", profileId: "100", countryCode: "US", changes });
  const begin = { event: "begin", plan: "p1", fingerprint: plan.fingerprint };
  const journal = new MemoryJournal();
  journal.text = [begin, ...lines].map((line) => `${JSON.stringify({ ...line, at: AT })}\n`).join("");
  return { plan, journal };
}

const sending = (...changes: number[]) => ({ event: "sending", changes });
const answered = (...verdicts: readonly object[]) => ({ event: "answered", verdicts });

/** What looking at the account finds of a plan whose changes were all sent, a long time ago. */
async function found(
  changes: readonly Change[],
  account: FakeTarget,
  line: object = sending(...changes.keys()),
): Promise<PlanResult> {
  const { plan, journal } = cutOff(changes, line);
  const before = journal.text;
  const result = await resumePlan(plan, account, { journal, lookOnly: true, settleAfter: 0 });
  assert.equal(journal.text, before, "who looks writes nothing");
  return result;
}

const verdicts = ({ changes }: PlanResult): unknown[] =>
  changes.map(({ outcome, id, error }) =>
    outcome === "done" ? `done ${id}` : `${outcome} ${error!.message.replace(/.*: /, "")}`
  );

Deno.test("a change that was sent is done where the account holds its values, and not sent where it holds the old ones", async () => {
  const account = new Account({
    "1": { bid: 2 },
    "2": { bid: 1 },
    "3": { bid: 5 },
    "5": { state: "archived" },
    "6": { state: "paused" },
  });
  const archive = bid("5", { op: "archive", before: { state: "ENABLED" }, after: { state: "ARCHIVED" } });
  const live = bid("6", { op: "archive", before: {}, after: { state: "ARCHIVED" } });
  assert.deepEqual(verdicts(await found([bid("1"), bid("2"), bid("3"), bid("4"), archive, live], account)), [
    "done 1",
    "not_sent It was not done",
    "unknown it holds neither the old values nor the new ones",
    "unknown the platform no longer returns it",
    "done 5",
    "not_sent It was not done",
  ]);
  assert.deepEqual(account.reads, [["1", "2", "3", "4", "5", "6"]]);
  assert.deepEqual(account.asked, []);
  assert.deepEqual(account.writes, []);
});

Deno.test("a new entity is found by what it looks like, each one once, and never what was there before", async () => {
  const account = new Account({}, { A: ["7", "8"], B: ["7"], C: ["6", "9"], D: [] });
  const changes = [create("A"), create("A"), create("A"), create("B"), create("C"), create("D")];
  const lookalikes = { "4": ["6"] };
  assert.deepEqual(verdicts(await found(changes, account, { ...sending(0, 1, 2, 3, 4, 5), lookalikes })), [
    ...[
      "done 7",
      "done 8",
      ...Array(2).fill("not_sent It was not done"),
      "done 9",
      "not_sent It was not done",
    ],
  ]);
  assert.equal(account.asked.length, 1);
  assert.deepEqual(account.asked[0], [changes.map(({ after }) => after), true]);
  assert.deepEqual(account.reads, []);
});

Deno.test("an entity that the plan is known to have made is not taken for another one", async () => {
  const { plan, journal } = cutOff(
    [create("A"), create("A")],
    sending(0, 1),
    answered({ change: 0, outcome: "done", id: "7" }),
  );
  const result = await resumePlan(plan, new Account({}, { A: ["7", "8"] }), { journal, lookOnly: true });
  assert.deepEqual(verdicts(result), ["done 7", "done 8"]);
});

Deno.test("nor is one that the plan made in part", async () => {
  const { plan, journal } = cutOff(
    [create("A"), create("A")],
    sending(0, 1),
    answered({ change: 0, outcome: "partial", id: "7", code: "HALF", message: "half" }),
  );
  const result = await resumePlan(plan, new Account({}, { A: ["7", "8"] }), { journal, lookOnly: true });
  assert.deepEqual(verdicts(result), ["partial half", "done 8"]);
});

Deno.test("what was sent is compared with the ids that its references stand for", async () => {
  const account = new Account({ "1": { campaignId: "7" } }, { A: ["7"], sub: ["9"] });
  const changes = [
    create("A", { ref: "c" }),
    bid("1", { before: {}, after: { campaignId: { ref: "c" } } }),
    create("sub", { kind: "sp.ad_groups", after: { name: "sub", campaignId: { ref: "c" } } }),
  ];
  const { plan, journal } = cutOff(
    changes,
    sending(0),
    answered({ change: 0, outcome: "done", id: "7" }),
    sending(1, 2),
  );
  const result = await resumePlan(plan, account, { journal, lookOnly: true });
  assert.deepEqual(verdicts(result), ["done 7", "done 1", "done 9"]);
  assert.deepEqual(account.asked, [[[{ name: "sub", campaignId: "7" }], true]]);
});

Deno.test("a call is settled by what reads it, and stays unknown without", async () => {
  const settled = async (now: CallState | undefined, change = CALL): Promise<unknown> => {
    const account = Object.assign(new Account({}), { calls: { read: () => Promise.resolve(now) } });
    return verdicts(await found([change], account as unknown as FakeTarget))[0];
  };
  assert.equal(await settled({ body: { a: 2 } }), "done undefined");
  assert.equal(await settled({ body: { a: 1 } }), "not_sent It was not done");
  assert.equal(
    await settled({ body: { a: 3 } }),
    "unknown the account holds neither the old values nor the new ones",
  );
  assert.equal(await settled(undefined), "unknown no known operation reads the changed entities");
  const { body: _, ...bodyless } = CALL.after;
  const removal = { ...CALL, before: { entity: { a: 1 } }, after: bodyless };
  assert.equal(await settled({ entity: { a: 1 } }, removal), "not_sent It was not done");
  assert.equal(
    await settled({}, removal),
    "unknown the account holds neither the old values nor the new ones",
  );
  const none = verdicts(await found([CALL], new Account({})))[0];
  assert.equal(none, "unknown no known operation reads the changed entities");
});

Deno.test("what the journal knows stands, without a look at the account", async () => {
  const account = new Account({});
  const { plan, journal } = cutOff(
    [bid("1"), bid("2"), bid("3")],
    sending(0, 1),
    answered({ change: 0, outcome: "done", id: "1" }, {
      change: 1,
      outcome: "refused",
      code: "NO",
      message: "no",
    }),
  );
  const result = await resumePlan(plan, account, { journal, lookOnly: true });
  assert.deepEqual(verdicts(result), ["done 1", "refused no", "not_sent It was not done"]);
  assert.deepEqual(result.failures.map(({ error }) => error.code), ["NO", "NOT_SENT"]);
  assert.deepEqual([account.reads, account.asked], [[], []]);
  assert.equal(result.stoppedBy, undefined);
});

/** Resumes a plan of which one change was sent, so many seconds ago; the waits that follow. */
async function waits(seconds: number, options: Partial<ResumeOptions> = {}, changes = [bid("1"), bid("2")]) {
  const { plan, journal } = cutOff(changes, sending(0));
  const time = new FakeTime({ now: new Date(Date.parse(AT) + seconds * 1000).toISOString() });
  const told: number[] = [];
  const account = Object.assign(new Account({ "1": { bid: 1 }, "2": { bid: 1 } }), {
    transport: { now: time.now, sleep: time.sleep, timeout: 30 },
  });
  const result = await resumePlan(plan, account, {
    journal,
    onWait: (wait) => void told.push(wait),
    ...options,
  });
  return { told, slept: time.slept, result, account, journal };
}

Deno.test("what was sent last is waited for as long as it may still arrive by clocks that are an hour apart", async () => {
  for (
    const [seconds, options, wait] of [
      [10, {}, [30]],
      [31, {}, [30]],
      [3600, {}, [30]],
      [3629, {}, [30]],
      [3630, {}, []],
      [-3600, {}, [30]],
      [-86_400, {}, [30]],
      [10, { settleAfter: 100 }, [100]],
      [3630, { settleAfter: 100 }, [100]],
      [10, { settleAfter: 0 }, []],
      [10, { lookOnly: true }, []],
      [10, { abandon: true }, [30]],
    ] as const
  ) {
    const { told, slept } = await waits(seconds, options);
    assert.deepEqual([told, slept], [wait, wait], JSON.stringify([seconds, options]));
  }
});

Deno.test("whoever only looks learns that it may still arrive", async () => {
  const early = await waits(10, { lookOnly: true });
  assert.deepEqual(early.result.changes.map(({ outcome }) => outcome), ["unknown", "not_sent"]);
  assert.match(
    early.result.failures[0]!.error.message,
    /It may still go through: check again in a minute/,
  );
  const last = await waits(29.5, { lookOnly: true });
  assert.deepEqual(last.result.changes.map(({ outcome }) => outcome), ["unknown", "not_sent"]);
  const late = await waits(31, { lookOnly: true });
  assert.deepEqual(late.result.changes.map(({ outcome }) => outcome), ["not_sent", "not_sent"]);
});

Deno.test("without a clock of its own a client's requests may be under way for a minute", async () => {
  const { plan, journal } = cutOff([bid("1")], sending(0));
  const look = async (secondsAgo: number): Promise<unknown> => {
    const at = new Date(Date.now() - secondsAgo * 1000).toISOString();
    journal.text = journal.text!.replaceAll(/"at":"[^"]*"/g, `"at":"${at}"`);
    const result = await resumePlan(plan, new Account({ "1": { bid: 1 } }), { journal, lookOnly: true });
    return result.changes[0]!.outcome;
  };
  assert.equal(await look(50), "unknown");
  assert.equal(await look(60.5), "not_sent");
  const { journal: fresh } = cutOff([bid("1")], sending(0));
  fresh.text = fresh.text!.replaceAll(AT, new Date().toISOString());
  const told: number[] = [];
  const options = { journal: fresh, settleAfter: 0.05, onWait: (seconds: number) => void told.push(seconds) };
  assert.equal((await resumePlan(plan, new Account({ "1": { bid: 1 } }), options)).ok, true);
  assert.equal(told.length, 1);
});

Deno.test("nothing is waited for where every response is known", async () => {
  const { plan, journal } = cutOff(
    [bid("1"), bid("2")],
    sending(0),
    answered({ change: 0, outcome: "done" }),
  );
  const account = new Account({ "2": { bid: 1 } });
  const onWait = (): void => assert.fail("waited");
  assert.equal((await resumePlan(plan, account, { journal, onWait })).ok, true);
});

Deno.test("a plan is not looked at and abandoned at once", async () => {
  const { plan, journal } = cutOff([bid("1")], sending(0));
  await assert.rejects(
    resumePlan(plan, new Account({}), { journal, lookOnly: true, abandon: true }),
    (error: Error) => error instanceof TypeError && /choose one/.test(error.message),
  );
});

Deno.test("a resumed plan sends what is open, and its journal says what was found and done", async () => {
  const { result, account, journal } = await waits(31);
  assert.deepEqual(result.changes.map(({ outcome }) => outcome), ["done", "done"]);
  assert.deepEqual(account.writes.map(({ items }) => items.length), [2]);
  assert.deepEqual(journal.events.map(({ event }) => event), [
    ...["begin", "sending", "resumed", "sending", "answered", "end"],
  ]);
  const { plan, journal: other } = cutOff(
    [bid("1"), bid("2"), bid("3"), bid("4")],
    sending(0, 1, 2, 3),
    answered({ change: 2, outcome: "done", id: "3" }),
  );
  const half = new Account({ "1": { bid: 2 }, "2": { bid: 1 }, "4": { bid: 9 } });
  const outcome = await resumePlan(plan, half, { journal: other, settleAfter: 0 });
  assert.deepEqual(outcome.changes.map(({ outcome }) => outcome), ["done", "done", "done", "unknown"]);
  assert.deepEqual(half.writes.map(({ items }) => items), [[{ keywordId: "2", bid: 2 }]]);
  assert.deepEqual(other.events[4], {
    event: "answered",
    verdicts: [{ change: 0, outcome: "done", id: "1" }],
  });
});

Deno.test("what is abandoned is never sent: its journal says so, and it can still be looked at", async () => {
  const { result, account, journal } = await waits(31, { abandon: true });
  assert.deepEqual(result.changes.map(({ outcome }) => outcome), ["not_sent", "not_sent"]);
  assert.deepEqual([account.writes, journal.events.at(-1)], [[], { event: "abandoned" }]);
  const { plan } = result;
  const options = { journal, settleAfter: 0 };
  await assert.rejects(resumePlan(plan, account, options), /Cannot resume plan p1: it was abandoned/);
  assert.equal((await resumePlan(plan, account, { ...options, lookOnly: true })).failures.length, 2);
  assert.equal((await resumePlan(plan, account, { ...options, abandon: true })).failures.length, 2);
});

Deno.test("a plan of another profile or country is not resumed, and its journal is left as it is", async () => {
  const { journal } = cutOff([bid("1")], sending(0));
  const before = journal.text;
  for (const [profileId, countryCode] of [["101", "US"], ["100", "CA"]] as const) {
    const plan = new ChangePlan({ id: "p1", profileId, countryCode, changes: [bid("1")] });
    await assert.rejects(
      resumePlan(plan, new Account({}), { journal }),
      /Cannot resume plan p1: it was made for/,
    );
  }
  assert.equal(journal.text, before);
});
