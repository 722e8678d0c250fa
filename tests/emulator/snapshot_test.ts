import assert from "node:assert/strict";
import { EmulatorStateError } from "../../src/emulator/mod.ts";
import { Caller } from "./caller.ts";
import { configurationOf, createReport, lookAt } from "./report_caller.ts";

const KEYWORDS = "application/vnd.spKeyword.v3+json";

function firstKeyword(caller: Caller) {
  const profile = caller.emulator.state.profile(caller.profile("US"))!;
  return profile.collection("sp.keywords").all().find(({ state, bid }) =>
    state === "ENABLED" && bid !== undefined
  )!;
}

async function setBid(caller: Caller, keywordId: unknown, bid: number): Promise<void> {
  const { status } = await caller.call("PUT", "/sp/keywords", { keywords: [{ keywordId, bid }] }, {
    type: KEYWORDS,
  });
  assert.equal(status, 207);
}

Deno.test("a snapshot brings back entities, history, reports and clock", async () => {
  await using caller = await Caller.start();
  const { keywordId, bid } = firstKeyword(caller);
  const configuration = configurationOf("sp_campaigns");
  const asked = { startDate: "2026-09-01", endDate: "2026-09-02", configuration };
  const { reportId } = (await createReport(caller, asked)).json;
  await setBid(caller, keywordId, 3.21);
  const snapshot = caller.emulator.snapshot();

  caller.emulator.advance(86_400);
  await caller.logIn();
  await setBid(caller, keywordId, 0.5);
  await caller.call("DELETE", `/reporting/reports/${reportId}`);
  caller.emulator.restore(snapshot);

  assert.equal(firstKeyword(caller).bid, 3.21);
  assert.notEqual(bid, 3.21);
  assert.equal(caller.emulator.clock.iso(), "2026-09-30T12:00:00.000Z");
  assert.equal((await lookAt(caller, reportId)).json.status, "PENDING");
  const profile = caller.emulator.state.profile(caller.profile("US"))!;
  const bids = profile.history().filter((event) => event.entityId === keywordId).map(({ newValue }) =>
    newValue
  );
  assert.equal(bids.at(-1), "3.21");
});

Deno.test("a snapshot travels over HTTP and to another emulator with the same seed", async () => {
  await using first = await Caller.start();
  const { keywordId } = firstKeyword(first);
  await setBid(first, keywordId, 4.32);
  const { json: snapshot } = await first.control("GET", "snapshot");
  await using second = await Caller.start();
  const answer = await second.control("POST", "snapshot", snapshot);
  assert.deepEqual(answer.json, { now: "2026-09-30T12:00:00.000Z", frozen: true });
  assert.equal(firstKeyword(second).bid, 4.32);
});

Deno.test("faults stay when a snapshot is taken up, also for the next emulator", async () => {
  const folder = await Deno.makeTempDir();
  const statePath = `${folder}/state.json`;
  try {
    {
      await using caller = await Caller.start({ statePath });
      const snapshot = caller.emulator.snapshot();
      caller.emulator.setFaults([{ name: "kept", effects: { delay: 0 } }], { keep: true });
      caller.emulator.restore(snapshot);
    }
    await using caller = await Caller.start({ statePath });
    const { json } = await caller.control("GET", "faults");
    assert.deepEqual(json.rules.map(({ name }: { name: string }) => name), ["kept"]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("a snapshot may be larger than the platform lets a request be", async () => {
  await using caller = await Caller.start();
  const { json: snapshot } = await caller.control("GET", "snapshot");
  const { status } = await caller.control("POST", "snapshot", {
    ...snapshot,
    padding: "x".repeat(11_000_000),
  });
  assert.equal(status, 200);
});

const UNUSABLE: readonly [
  what: string,
  change: (snapshot: Record<string, unknown>) => unknown,
  why: RegExp,
][] = [
  ["of another seed", (snapshot) => ({ ...snapshot, seed: "other" }), /made with the seed "other"/],
  ["of another version", (snapshot) => ({ ...snapshot, version: 99 }), /version 99/],
  ["with parts missing", ({ profiles: _, ...rest }) => rest, /parts of it are missing/],
  ["that is something else", () => ({ hello: 1 }), /not a state file/],
];

for (const [what, change, why] of UNUSABLE) {
  Deno.test(`a snapshot ${what} is refused and changes nothing`, async () => {
    await using caller = await Caller.start();
    const { keywordId } = firstKeyword(caller);
    await setBid(caller, keywordId, 5.43);
    const unusable = change(JSON.parse(caller.emulator.snapshot()));
    assert.throws(() => caller.emulator.restore(JSON.stringify(unusable)), EmulatorStateError);
    const { status, json } = await caller.control("POST", "snapshot", unusable);
    assert.equal(status, 400);
    assert.match(json.message, why);
    assert.equal(firstKeyword(caller).bid, 5.43);
  });
}
