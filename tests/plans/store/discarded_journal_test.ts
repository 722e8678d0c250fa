import assert from "node:assert/strict";
import { ApplyJournal } from "../../../src/plans/apply/apply_journal.ts";
import { openAttempt } from "../../../src/plans/apply/journal_reading.ts";
import { doneResult } from "../../../src/plans/model/change_result.ts";
import { MemoryJournal } from "../../support/memory_journal.ts";
import { bid, planOf } from "./store_scene.ts";

const PLAN = planOf([bid("1"), bid("2"), bid("3")], { id: "p1" });
const [NOT_SENT, UNKNOWN] = [{ state: "not_sent" }, { state: "unknown", lookalikes: [] }];

function journal(): { file: MemoryJournal; own: ApplyJournal } {
  const file = new MemoryJournal();
  return { file, own: new ApplyJournal(file) };
}

Deno.test("a process that stood still while it discarded its attempt takes nothing from whoever took over meanwhile", async () => {
  const { file, own } = journal();
  await own.begin(PLAN);
  await own.sending([0]);
  const later = new ApplyJournal(file);
  const append = file.append.bind(file);
  file.append = async (text) => {
    file.append = append;
    await later.takeUp(PLAN);
    await later.answered(new Map([[0, doneResult({ at: 0, change: PLAN.changes[0]! }, { id: "1" })]]));
    await append(text);
  };
  await own.discard();
  assert.equal(file.events.at(-1)!["event"], "discarded", "the frozen process wrote its line");
  const { begun, statuses } = await later.read(PLAN);
  assert.deepEqual([begun, statuses[0]], [true, { state: "done", id: "1" }]);
  await assert.rejects(new ApplyJournal(file).begin(PLAN), /its journal "memory" exists/);
});

Deno.test("a discarded journal is begun anew by one alone, and says nothing of what was before", async () => {
  const { file, own } = journal();
  await own.begin(PLAN);
  await own.sending([0, 1]);
  await own.discard();
  const discarded = file.text!;
  const [first, second] = [new ApplyJournal(file), new ApplyJournal(file)];
  const append = file.append.bind(file);
  file.append = async (text) => {
    // Another one begins after both have found the journal discarded.
    file.append = append;
    await first.begin(PLAN);
    await append(text);
  };
  await assert.rejects(second.begin(PLAN), /its journal "memory" exists/);
  await second.discard();
  const { begun, statuses, lastSent } = await first.read(PLAN);
  assert.deepEqual([begun, statuses, lastSent], [true, [NOT_SENT, NOT_SENT, NOT_SENT], undefined]);
  assert.equal(file.text!.startsWith(discarded), true, "nothing is ever removed");
  await first.discard();
  const queued = new ApplyJournal(file);
  assert.equal(await queued.leaveToQueue(PLAN, "db"), true);
  assert.equal(await new ApplyJournal(file).leaveToQueue(PLAN, "another"), false);
  assert.equal(openAttempt(file.text!)!.text.includes('"queued"'), true);
});

Deno.test("whoever takes up a journal while it is discarded begins it, and leaves it to one that has begun it by then", async () => {
  for (const isBegunAnew of [false, true]) {
    const { file, own } = journal();
    await own.begin(PLAN);
    const [resuming, applying] = [new ApplyJournal(file), new ApplyJournal(file)];
    const append = file.append.bind(file);
    file.append = async (text) => {
      file.append = append;
      await own.discard();
      await append(text);
      if (isBegunAnew) await applying.begin(PLAN);
    };
    const taken = await resuming.takeUp(PLAN).then(({ begun }) => begun, (error) => error.message);
    if (isBegunAnew) {
      assert.match(taken, /another process has taken over/);
      await applying.sending([0]);
    } else {
      assert.equal(taken, true);
      await resuming.sending([0]);
    }
  }
});

Deno.test("a process that stood still after a line that did not fit takes nothing from whoever took over meanwhile", async () => {
  const { file, own } = journal();
  await own.begin(PLAN);
  file.onAppend = (line) => {
    file.onAppend = () => {};
    file.text += line.slice(0, 9);
    throw new Error("full");
  };
  const later = new ApplyJournal(file);
  const look = file.read.bind(file);
  file.read = async () => {
    file.read = look;
    const found = await look();
    await later.takeUp(PLAN);
    await later.sending([0]);
    return found;
  };
  await assert.rejects(own.sending([1]), /full/);
  await assert.rejects(own.sending([1]), /another process has taken over/);
  assert.deepEqual((await later.read(PLAN)).statuses[0], UNKNOWN);
});
