import { sha256 } from "../../src/base/text/sha256.ts";
import assert from "node:assert/strict";
import { ChangePlan } from "../../src/plans/change_plan/change_plan.ts";
import { ApplyJournal } from "../../src/plans/apply/apply_journal.ts";
import { type JournalReading, readJournal } from "../../src/plans/apply/journal_reading.ts";
import { type ChangeResult, doneResult, ownResult } from "../../src/plans/model/change_result.ts";
import { failure } from "../../src/platform/batch/item_error.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { MemoryJournal } from "../support/memory_journal.ts";

const PLAN = new ChangePlan({
  id: "p1",
  profileId: "1",
  countryCode: "US",
  changes: ["1", "2", "3"].map((id) => ({
    kind: "sp.keywords",
    op: "update",
    id,
    before: { bid: 1 },
    after: { bid: 2 },
    label: "ü",
  })),
});
const AT = "2026-09-30T12:00:00.000Z";
const BEGIN = { event: "begin", plan: "p1", fingerprint: PLAN.fingerprint };

const text = (...lines: readonly object[]): string =>
  lines.map((line) => `${JSON.stringify({ ...line, at: AT })}\n`).join("");

function read(...lines: readonly object[]): JournalReading {
  const reading = readJournal(text(BEGIN, ...lines), PLAN);
  assert.ok(typeof reading !== "string", String(reading));
  return reading;
}

const [NOT_SENT, UNKNOWN] = [{ state: "not_sent" }, { state: "unknown", lookalikes: [] }];
const sending = (...changes: number[]) => ({ event: "sending", changes });
const answered = (...verdicts: readonly object[]) => ({ event: "answered", verdicts });

Deno.test("a journal says how far each change got", () => {
  const done = { state: "done", id: "9" };
  const verdict = { change: 0, outcome: "done", id: "9" };
  const refused = { state: "refused", code: "NO", message: "no" };
  assert.deepEqual(read().statuses, [NOT_SENT, NOT_SENT, NOT_SENT]);
  assert.deepEqual(read(sending(0, 1)).statuses, [UNKNOWN, UNKNOWN, NOT_SENT]);
  assert.deepEqual(read(sending(0), answered(verdict)).statuses[0], done);
  assert.deepEqual(read(answered({ ...verdict, id: undefined })).statuses[0], {
    state: "done",
    id: undefined,
  });
  assert.deepEqual(
    read(sending(0), answered({ change: 0, outcome: "refused", code: "NO", message: "no" })).statuses[0],
    refused,
  );
  assert.deepEqual(read(answered({ change: 0, outcome: "refused" })).statuses[0], {
    ...{ state: "refused", code: "", message: "" },
  });
  assert.deepEqual(read(sending(0), answered({ change: 0, outcome: "not_sent" })).statuses[0], NOT_SENT);
  assert.deepEqual(read(answered({ change: 0, outcome: "unknown" })).statuses[0], UNKNOWN);
  for (const outcome of ["refused", "not_sent", "unknown"]) {
    assert.deepEqual(read(answered(verdict), answered({ change: 0, outcome })).statuses[0], done, outcome);
    assert.deepEqual(read(answered(verdict), sending(0)).statuses[0], done);
  }
});

Deno.test("lookalikes are those of the first announcement, until the change is known not to have been sent", () => {
  const first = { ...sending(0), lookalikes: { "0": ["7"], "1": ["x"] } };
  const later = { ...sending(0), lookalikes: { "0": ["7", "8"] } };
  const status = (...lines: readonly object[]): unknown => read(...lines).statuses[0];
  const known = { state: "unknown", lookalikes: ["7"] };
  assert.deepEqual(status(first), known);
  assert.deepEqual(status(first, later), known);
  assert.deepEqual(status(first, answered({ change: 0, outcome: "unknown" })), known);
  assert.deepEqual(status(first, answered({ change: 0, outcome: "not_sent" }), later), {
    ...{ state: "unknown", lookalikes: ["7", "8"] },
  });
});

Deno.test("the time that counts is that of the last request or retry", () => {
  const at = (event: object, seconds: number): string =>
    `${JSON.stringify({ ...event, at: new Date(seconds * 1000).toISOString() })}\n`;
  const last = (...events: readonly object[]): unknown => {
    const reading = readJournal(
      at(BEGIN, 0) + events.map((event, index) => at(event, index + 1)).join(""),
      PLAN,
    );
    return typeof reading === "string" ? reading : reading.lastSent;
  };
  assert.equal(last(), undefined);
  assert.equal(last(sending(0), answered()), 1000);
  assert.equal(last(sending(0), { event: "retrying" }, { event: "end" }), 2000);
  assert.equal(last(sending(0), answered(), sending(1), { event: "resumed" }), 3000);
});

Deno.test("a journal says what was decided of its plan", () => {
  const { begun, cutShort, abandoned, queuedAt } = read();
  assert.deepEqual([begun, cutShort, abandoned, queuedAt], [true, false, false, undefined]);
  assert.equal(read({ event: "abandoned" }).abandoned, true);
  assert.equal(read({ event: "queued", where: "db" }).queuedAt, "db");
  const empty = readJournal("", PLAN);
  assert.deepEqual(typeof empty === "string" || [empty.begun, empty.cutShort], [false, false]);
  const cut = readJournal('{"event":"begin"', PLAN);
  assert.deepEqual(typeof cut === "string" || [cut.begun, cut.cutShort], [false, true]);
});

Deno.test("damage is refused by its line, unless a crash made it", () => {
  const lines = (...parts: readonly string[]): unknown => readJournal(parts.join(""), PLAN);
  const begin = text(BEGIN);
  assert.equal(lines(begin, "{\n", text(sending(0))), "its line 2 is damaged");
  assert.equal(
    lines("{}\n", begin, text({ event: "end" })) instanceof Object,
    true,
    "cut before it was begun",
  );
  assert.equal(lines("{}\n", text({ event: "end" })), "its line 1 is damaged");
  assert.equal(lines(begin, "{\n"), "its line 2 is damaged");
  assert.equal(lines(begin, "5\n", text({ event: "resumed" })) instanceof Object, true);
  const marked = lines(begin, '{"event":"sen#cut\n');
  assert.equal(marked instanceof Object, true, "a second crash took what follows the mark");
  assert.equal(lines(begin, '{"event":"sen#cut\n', text(sending(0))) instanceof Object, true);
  const twice = lines(begin, '{"event":"sen\n', '{"event":"resu#cut\n', text({ event: "resumed" }));
  assert.equal(twice instanceof Object, true, "two crashes in a row");
  const glued = lines(begin, '{"event":"aban', text({ event: "resumed" }), "\n", text({ event: "resumed" }));
  assert.equal(glued instanceof Object, true, "a process was cut while another one wrote");
  assert.equal(lines(begin, "null\n", text({ event: "end" })), "its line 2 is damaged");
  assert.equal(lines(text({ ...BEGIN, fingerprint: "of another" })), "it does not belong to plan p1");
  assert.equal(lines(text(sending(0))), "it does not belong to plan p1");
});

/** A journal on a clock of its own. */
const REQUEST = { method: "PUT", path: "/sp/keywords", body: '{"keywords":[]}' };

function journal(now = { at: Date.parse(AT) }) {
  const file = new MemoryJournal();
  return { file, now, own: new ApplyJournal(file, () => now.at) };
}

Deno.test("an attempt is announced anew only where the announcement is older than a second", async () => {
  const { file, now, own } = journal();
  await own.begin(PLAN);
  await own.sending([0]);
  await own.leaving(REQUEST);
  now.at += 1000;
  await own.leaving(REQUEST);
  assert.equal(file.events.length, 3);
  now.at += 1;
  await own.leaving(REQUEST);
  assert.deepEqual(file.events[3], { event: "retrying" });
  await own.leaving(REQUEST);
  assert.equal(file.events.length, 4);
});

Deno.test("each request is in the journal with the hash of its body, once for each announcement", async () => {
  const { file, own } = journal();
  await own.begin(PLAN, { requests: "ab" });
  await own.sending([0]);
  await own.leaving(REQUEST);
  await own.leaving(REQUEST);
  await own.leaving({ ...REQUEST, method: "DELETE", path: "/sb/keywords/7", body: undefined });
  await own.sending([1]);
  await own.leaving(REQUEST);
  const { method, path } = REQUEST;
  const put = { event: "leaving", method, path, sha256: sha256(REQUEST.body) };
  assert.deepEqual(file.events.filter(({ event }) => event !== "sending"), [
    { event: "begin", plan: PLAN.id, fingerprint: PLAN.fingerprint, requests: "ab" },
    put,
    { event: "leaving", method: "DELETE", path: "/sb/keywords/7" },
    put,
  ]);
  const reading = readJournal(file.text!, PLAN);
  assert.ok(typeof reading !== "string");
  assert.deepEqual(reading.statuses.map(({ state }) => state), ["unknown", "unknown", "not_sent"]);
});

Deno.test("what was answered more than ten seconds ago about whose journal it is is asked again", async () => {
  for (const [late, isTaken] of [[10_000, false], [10_001, true]] as const) {
    const { file, now, own } = journal();
    await own.begin(PLAN);
    await own.sending([0]);
    await own.leaving(REQUEST);
    const size = file.size.bind(file);
    let looks = 0;
    file.size = async () => {
      const found = await size();
      if (++looks > 1) return found;
      // This process stands still before it reads the answer, and another one takes over meanwhile.
      now.at += late;
      await new ApplyJournal(file).takeUp(PLAN);
      return found;
    };
    const left = await own.leaving(REQUEST).then(() => true, (error) => error.message);
    if (isTaken) assert.match(left, /another process has taken over/);
    else assert.equal(left, true);
  }
});

Deno.test("a journal is plain ASCII, so that its length is its length in bytes", async () => {
  const { file, own } = journal();
  await own.begin(PLAN);
  const change = PLAN.changes[0]!;
  const message = "zu groß – 日本 😀";
  await own.answered(new Map([[0, ownResult({ at: 0, change }, "refused", { code: "ü", message })]]));
  assert.equal(new TextEncoder().encode(file.text).length, file.text!.length);
  assert.deepEqual(file.events[1]!["verdicts"], [{ change: 0, outcome: "refused", code: "ü", message }]);
});

Deno.test("what failed for the moment is unknown, and what was so already is done", async () => {
  const { file, own } = journal();
  await own.begin(PLAN);
  const [change] = PLAN.changes;
  const item = { index: 0, item: {}, outcome: "refused" as const };
  const failed = (transient: boolean): ChangeResult => ({
    change: change!,
    outcome: "refused",
    error: { ...failure(item, { code: "C", message: "m" }), transient },
  });
  await own.answered(
    new Map<number, ChangeResult>([
      [0, failed(true)],
      [1, failed(false)],
      [2, { change: change!, outcome: "already", id: "2" }],
    ]),
  );
  assert.deepEqual(file.events[1]!["verdicts"], [
    { change: 0, outcome: "unknown", code: "C", message: "m" },
    { change: 1, outcome: "refused", code: "C", message: "m" },
    { change: 2, outcome: "done", id: "2" },
  ]);
  await own.answered(new Map());
  assert.equal(file.events.length, 2, "nothing to say is not written");
});

Deno.test("whoever takes up a journal begins it where that was never written, and reads what was added meanwhile", async () => {
  const { file, own } = journal();
  file.text = '{"event":"beg';
  const { begun } = await own.takeUp(PLAN);
  assert.equal(begun, true);
  assert.deepEqual(
    file.text!.split("\n").slice(1, -1).filter((line) => line !== "").map((line) => JSON.parse(line).event),
    [
      "begin",
      "resumed",
    ],
  );
  const again = new ApplyJournal(file);
  assert.equal((await again.takeUp(PLAN)).begun, true);
  assert.equal(file.text!.match(/"begin"/g)!.length, 1);
  assert.equal(file.text!.match(/"resumed"/g)!.length, 2);
});

Deno.test("a process that lost its journal sends nothing, says only what was done, and discards nothing", async () => {
  const { file, own } = journal();
  await own.begin(PLAN);
  await own.sending([0]);
  await new ApplyJournal(file).takeUp(PLAN);
  const taken = /another process has taken over the journal "memory"/;
  await assert.rejects(own.leaving(REQUEST), taken);
  await assert.rejects(own.sending([1]), taken);
  const before = file.events.length;
  const change = PLAN.changes[0]!;
  await own.answered(new Map([[0, ownResult({ at: 0, change }, "not_sent", { code: "X", message: "m" })]]));
  assert.equal(file.events.length, before);
  await own.answered(new Map([[0, doneResult({ at: 0, change }, { id: "1" })]]));
  assert.equal(file.events.length, before + 1);
  await own.discard();
  assert.equal(file.events.length, before + 1);
});

Deno.test("a part of a line that did not fit counts as cut, and what another process wrote as its own", async () => {
  const { file, own } = journal();
  await own.begin(PLAN);
  const begun = file.text!;
  const full = new Error("full");
  file.onAppend = (line) => {
    file.text += line.slice(0, 9);
    throw full;
  };
  await assert.rejects(own.sending([0]), full);
  await assert.rejects(own.sending([0]), full, "again, in the middle of the mark");
  file.onAppend = () => {};
  await own.sending([1]);
  await own.leaving(REQUEST);
  const statuses = [NOT_SENT, UNKNOWN, NOT_SENT];
  assert.deepEqual((await new ApplyJournal(file).read(PLAN)).statuses, statuses);
  assert.equal(file.text!.startsWith(begun), true);
  file.onAppend = () => {
    file.text += "of another";
    throw full;
  };
  await assert.rejects(own.sending([0]), full);
  file.onAppend = () => {};
  await assert.rejects(own.sending([0]), /another process has taken over/);
});

Deno.test("a journal whose end was cut goes on in a new line", async () => {
  const { file, own } = journal();
  file.text = `${text(BEGIN)}{"event":"sen`;
  await own.read(PLAN);
  await own.sending([0]);
  await own.end();
  assert.deepEqual(file.text!.split("\n").slice(2, -1).map((line) => JSON.parse(line).event), [
    "sending",
    "end",
  ]);
});

Deno.test("a journal in a file is its owner's alone, is made once, and is begun anew where nothing was done", async () => {
  await using folder = await temporaryFolder();
  const path = folder.file("a.jsonl");
  const own = new ApplyJournal(path);
  await own.begin(PLAN);
  if (Deno.build.os !== "windows") assert.equal((await Deno.stat(path)).mode! & 0o777, 0o600);
  await assert.rejects(new ApplyJournal(path).begin(PLAN), /its journal ".*a\.jsonl" exists/);
  assert.equal(await new ApplyJournal(path).leaveToQueue(PLAN, "db"), false);
  await own.discard();
  assert.equal(await new ApplyJournal(path).leaveToQueue(PLAN, "db"), true);
  await assert.rejects(own.read(PLAN), /plan p1 is queued at db/);
  await Deno.writeTextFile(path, "{\n");
  await assert.rejects(own.read(PLAN), /Cannot use the journal ".*a\.jsonl": its line 1 is damaged/);
});

Deno.test("a journal that cannot be read is not discarded", async () => {
  const { file, own } = journal();
  await own.begin(PLAN);
  file.read = () => Promise.reject(new Error("no"));
  await own.discard();
  assert.equal(file.events.length, 1);
});
