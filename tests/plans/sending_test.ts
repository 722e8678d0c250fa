import assert from "node:assert/strict";
import { BatchResult, type Change, ChangePlan, type PlanResult } from "../../mod.ts";
import type { PlanResource, PlanTarget } from "../../src/plans/mod.ts";
import { BadRequestError } from "../../src/errors.ts";
import { failure } from "../../src/platform/batch/item_error.ts";
import { FakeTarget } from "../support/fake_target.ts";
import { MemoryJournal } from "../support/memory_journal.ts";

function bid(id: string, more: Partial<Change> = {}): Change {
  return { kind: "sp.keywords", op: "update", id, before: { bid: 1 }, after: { bid: 2 }, label: id, ...more };
}

function create(ref: string, more: Partial<Change> = {}): Change {
  return { ...bid(""), kind: "sp.campaigns", op: "create", id: null, before: {}, label: ref, ref, ...more };
}

function planOf(changes: readonly Change[]): ChangePlan {
  return new ChangePlan({ id: "p1", profileId: "100", countryCode: "US", changes });
}

/** Outcome and code of every change. */
const verdicts = ({ changes }: PlanResult): unknown[] =>
  changes.map(({ outcome, error }) => error === undefined ? outcome : `${outcome} ${error.code}`);

/** A target whose resources are altered. */
function altered(alter: (resource: PlanResource) => Partial<PlanResource>): FakeTarget {
  return new (class extends FakeTarget {
    override resource(kind: string): PlanResource {
      const resource = super.resource(kind);
      return { ...resource, ...alter(resource) };
    }
  })();
}

Deno.test("every request is in the journal before it leaves and its verdicts before the next one", async () => {
  const journal = new MemoryJournal();
  const target = new FakeTarget();
  target.troubles["update sp.keywords"] = { outcomes: { 1: "refused" } };
  const lines: number[] = [];
  const plan = planOf([bid("1"), create("c"), bid("2")]);
  await plan.apply(target, { journal, onSending: () => void lines.push(journal.events.length) });
  assert.deepEqual(lines, [2, 4]);
  const [begin, ...events] = journal.events;
  assert.deepEqual({ ...begin, requests: "" }, {
    event: "begin",
    plan: "p1",
    fingerprint: plan.fingerprint,
    requests: "",
  });
  assert.deepEqual(events, [
    { event: "sending", changes: [0, 2] },
    {
      event: "answered",
      verdicts: [
        { change: 0, outcome: "done", id: "1" },
        { change: 2, outcome: "refused", code: "TROUBLE", message: "As the test said" },
      ],
    },
    { event: "sending", changes: [1] },
    { event: "answered", verdicts: [{ change: 1, outcome: "done", id: "new-sp.campaigns-0" }] },
    { event: "end" },
  ]);
});

Deno.test("what looks like a new entity before it is sent is in the journal, archived ones too", async () => {
  const journal = new MemoryJournal();
  const asked: unknown[] = [];
  const target = altered(() => ({
    findEqual: (items, options) => {
      asked.push([items, options?.archived]);
      return Promise.resolve([["6"], ["7", "8"], []]);
    },
  }));
  const named = create("b", { after: { name: "B" } });
  await planOf([create("a"), named, create("c")]).apply(target, { journal });
  assert.deepEqual(asked, [[[{ bid: 2 }, { name: "B" }, { bid: 2 }], true]]);
  assert.deepEqual(journal.events[1], {
    event: "sending",
    changes: [0, 1, 2],
    lookalikes: { "0": ["6"], "1": ["7", "8"] },
  });
});

Deno.test("nothing is looked for without a journal", async () => {
  const target = altered(() => ({ findEqual: () => Promise.reject(new Error("asked")) }));
  assert.equal((await planOf([create("a")]).apply(target)).ok, true);
});

Deno.test("an application that is stopped says so in its journal, and one of which nothing was done is discarded", async () => {
  const target = new FakeTarget();
  target.troubles["update sp.keywords"] = { outcomes: { 0: "unknown" }, stoppedBy: new Error("cut") };
  const stopped = new MemoryJournal();
  await planOf([bid("1")]).apply(target, { journal: stopped });
  assert.deepEqual(stopped.events.map(({ event }) => event), ["begin", "sending", "answered", "stopped"]);
  target.troubles["update sp.keywords"] = { throws: new Error("down") };
  const failed = new MemoryJournal();
  await assert.rejects(planOf([bid("1")]).apply(target, { journal: failed }), /down/);
  assert.deepEqual(failed.events.map(({ event }) => event), ["begin", "discarded"]);
  target.troubles["update sp.keywords"] = {};
  await planOf([bid("1")]).apply(target, { journal: failed });
  assert.deepEqual(failed.events.slice(2).map(({ event }) => event), ["begin", "sending", "answered", "end"]);
  const taken = new MemoryJournal();
  await taken.create("of another\n");
  await assert.rejects(planOf([bid("1")]).apply(target, { journal: taken }), /its journal "memory" exists/);
  assert.equal(taken.text, "of another\n");
});

Deno.test("what cannot be written at the end is reported, and what was done is returned", async () => {
  const journal = new MemoryJournal();
  journal.onAppend = (text) => {
    if (text.includes('"end"')) throw new Error("full");
  };
  const judged = Object.assign(new FakeTarget(), {
    judge: () => Promise.resolve({ findings: [], settle: () => Promise.reject(new Error("no ledger")) }),
  });
  const result = await planOf([bid("1")]).apply(judged, { journal });
  assert.equal(result.ok, true);
  assert.deepEqual(result.notWritten.map(({ message }) => message), ["full", "no ledger"]);
});

Deno.test("what waits for a change follows it when the plan is resumed, unless that was refused", async () => {
  const child = (more: Partial<Change>): Change =>
    bid("9", { kind: "sp.targets", dependsOn: ["c"], ...more });
  const codes = async (outcome: "unknown" | "not_sent" | "refused"): Promise<unknown> => {
    const target = new FakeTarget();
    target.troubles["create sp.campaigns"] = { outcomes: { 0: outcome } };
    const result = await planOf([create("c"), child({ ref: "d" }), child({ id: "8", dependsOn: ["d"] })])
      .apply(target);
    return [verdicts(result).slice(1), result.changes[1]!.error!.message.replace(/:.*/, "")];
  };
  const why = 'Never sent, because it depends on "c", which';
  assert.deepEqual(await codes("unknown"), [
    ["not_sent NOT_SENT", "not_sent NOT_SENT"],
    `${why} may not have been applied`,
  ]);
  assert.deepEqual(await codes("not_sent"), [
    ["not_sent DEPENDENCY_FAILED", "not_sent DEPENDENCY_FAILED"],
    `${why} was not sent`,
  ]);
  assert.deepEqual(await codes("refused"), [
    ["not_sent DEPENDENCY_FAILED", "not_sent DEPENDENCY_FAILED"],
    `${why} was refused`,
  ]);
});

Deno.test("after the sending has ended, what was left waits with what depends on it", async () => {
  const target = new FakeTarget();
  target.troubles["update sp.keywords"] = { outcomes: { 0: "unknown" }, stoppedBy: new Error("cut") };
  const result = await planOf([
    bid("1"),
    create("c"),
    bid("9", { kind: "sp.targets", dependsOn: ["c"] }),
    bid("8", { kind: "sp.targets" }),
  ]).apply(target);
  assert.deepEqual(verdicts(result), ["unknown TROUBLE", ...Array(3).fill("not_sent NOT_SENT")]);
  const messages = result.changes.slice(1).map(({ error }) => error!.message.replace(/.*: /, ""));
  assert.deepEqual(messages, ["cut", "the sending was stopped", "cut"]);
  const error = result.changes[3]!.error!;
  assert.equal(error.raw, result.stoppedBy);
});

Deno.test("a verdict on an item that was not sent is passed over", async () => {
  const item = { index: 7, item: {}, outcome: "refused" as const };
  const target = altered(() => ({
    update: () =>
      Promise.resolve(
        new BatchResult([{ index: 0, item: {}, id: "1", entity: undefined }, {
          ...item,
          id: "9",
          entity: undefined,
        }], [
          failure(item, { code: "NO", message: "no" }),
        ]),
      ),
  }));
  assert.deepEqual(verdicts(await planOf([bid("1")]).apply(target)), ["done"]);
});

Deno.test("a response that is refused after another group was done is an error of the plan, in words", async () => {
  const target = altered(({ kind, update }) => ({
    update: kind === "sp.targets" ? () => Promise.reject("text") : update,
  }));
  const result = await planOf([bid("1"), bid("2", { kind: "sp.targets" })]).apply(target);
  assert.deepEqual([result.stoppedBy?.message, verdicts(result)], ["text", ["done", "not_sent NOT_SENT"]]);
});

Deno.test("a client that judges may name another one to send with", async () => {
  const [own, other] = [new FakeTarget(), new FakeTarget()];
  const judged: PlanTarget = Object.assign(own, {
    judge: () => Promise.resolve({ findings: [], client: other, settle: () => Promise.resolve() }),
  });
  await planOf([bid("1")]).apply(judged);
  assert.deepEqual([own.writes.length, other.writes.length], [0, 1]);
});

Deno.test("a change that is not sent does not move the others: an archive between two updates goes after them", async () => {
  const target = new FakeTarget();
  const sent: string[] = [];
  const archive = bid("2", { op: "archive", before: { state: "ENABLED" }, after: { state: "ARCHIVED" } });
  const plan = new ChangePlan({
    ...planOf([bid("1"), archive, bid("3")]),
    findings: [{ code: "X", level: "advise", change: 0, message: "no", refused: true }],
  });
  const result = await plan.apply(target, {
    onSending: (changes) => void sent.push(changes.map(({ op, id }) => `${op} ${id}`).join()),
  });
  assert.deepEqual(sent, ["update 3", "archive 2"]);
  assert.deepEqual(verdicts(result), ["not_sent X", "done", "done"]);
});

Deno.test("changes of a later request that the platform refused whole are refused, those that never left are not sent", async () => {
  const fields = { statusCode: 400, method: "PUT", url: "/x", code: "BAD" };
  const refusal = new BadRequestError("The platform responded with 400", fields);
  const target = altered((resource) =>
    resource.kind !== "sp.keywords" ? {} : {
      update: async (_items, options) => {
        await options?.onSending?.([0]);
        throw refusal;
      },
    }
  );
  const journal = new MemoryJournal();
  const plan = planOf([create("c"), bid("1"), bid("2")]);
  const result = await plan.apply(target, { journal });
  assert.deepEqual(verdicts(result), ["done", "refused BAD", "not_sent NOT_SENT"]);
  assert.equal(result.stoppedBy, refusal);
  assert.deepEqual(journal.events.at(-2), {
    event: "answered",
    verdicts: [{ change: 1, outcome: "refused", code: "BAD", message: "The platform responded with 400" }],
  });
});
