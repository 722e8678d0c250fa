import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Emulator, FAULT_PROFILES } from "../../src/emulator/mod.ts";
import { parseFaultRules } from "../../src/emulator/faults/parse_fault_rules.ts";
import { Caller } from "./caller.ts";

async function withFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "emulator-"));
  try {
    await use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Statuses of so many listings; 0 where the connection was cut. */
async function statuses(caller: Caller, count: number): Promise<number[]> {
  const seen: number[] = [];
  for (let index = 0; index < count; index++) {
    const answer = await caller.call("GET", "/v2/profiles", undefined, { alone: true }).catch(() =>
      undefined
    );
    seen.push(answer?.status ?? 0);
  }
  return seen;
}

for (const [name, rules] of Object.entries(FAULT_PROFILES)) {
  Deno.test(`the rules of "${name}" are ones that can be sent over HTTP as well`, () => {
    assert.deepEqual(parseFaultRules(JSON.parse(JSON.stringify(rules))), rules);
  });
}

Deno.test("a storm throttles, fails and cuts connections, and lets the rest through; calm does not", async () => {
  await using caller = await Caller.start({ sleep: () => Promise.resolve() });
  assert.deepEqual(new Set(await statuses(caller, 20)), new Set([200]));
  caller.emulator.setFaults("storm");
  const seen = new Set<number>();
  for (let round = 0; round < 10 && seen.size < 5; round++) {
    for (const status of await statuses(caller, 15)) seen.add(status);
    await caller.logIn();
  }
  for (const status of [200, 429, 0]) assert.equal(seen.has(status), true, `${status} of ${[...seen]}`);
  await caller.control("POST", "faults", { profile: "calm" });
  await caller.logIn();
  assert.deepEqual(new Set(await statuses(caller, 20)), new Set([200]));
});

Deno.test("equal seeds give equal storms", async () => {
  const run = async () => {
    await using caller = await Caller.start({ faults: "storm", sleep: () => Promise.resolve() });
    return await statuses(caller, 25);
  };
  assert.deepEqual(await run(), await run());
});

Deno.test("rules may be added to a named set, and an unknown set is refused by name", async () => {
  await using caller = await Caller.start();
  const rule = { name: "mine", effects: { delay: 0 } };
  const { json } = await caller.control("POST", "faults", { profile: "busy-day", rules: [rule] });
  assert.equal(json.rules.length, FAULT_PROFILES["busy-day"].length + 1);
  assert.equal(json.rules.at(-1).name, "mine");
  const refused = await caller.control("POST", "faults", { profile: "hurricane" });
  assert.deepEqual([refused.status, refused.json.message], [
    400,
    'Cannot find the fault profile "hurricane". Expected one of calm, busy-day, storm',
  ]);
});

Deno.test("faults and quirks come from a file", () =>
  withFolder(async (folder) => {
    const faultFile = join(folder, "faults.json");
    const rules = [{ match: { path: "/v2/profiles" }, times: 1, effects: { response: { status: 503 } } }];
    writeFileSync(faultFile, JSON.stringify({ rules, quirks: { reportSeconds: 900 } }));
    await using caller = await Caller.start({ faultFile });
    assert.deepEqual(await statuses(caller, 2), [503, 200]);
    assert.equal((await caller.control("GET", "quirks")).json.reportSeconds, 900);
    await caller.control("POST", "reset");
    assert.deepEqual(await statuses(caller, 2), [503, 200]);
  }));

const BAD_FILES: readonly [what: string, text: string, why: RegExp][] = [
  ["that is no JSON", "{", /Cannot use the fault file/],
  ["with an unknown field", '{"rule": []}', /"rule" is unknown/],
  [
    "with an unknown quirk",
    '{"quirks": {"moody": true}}',
    /"moody" is unknown. Expected one of shuffleSuccess/,
  ],
  ["with an unusable quirk", '{"quirks": {"reportRows": "csv"}}', /"reportRows" is invalid/],
  ["with a negative quirk", '{"quirks": {"reportSeconds": -1}}', /"reportSeconds" is invalid/],
  ["with a bad rule", '[{"effects": {"delay": "long"}}]', /"delay" of "effects" of rule 0 is "long"/],
];

for (const [what, text, why] of BAD_FILES) {
  Deno.test(`a fault file ${what} is refused before anything starts`, () =>
    withFolder(async (folder) => {
      const faultFile = join(folder, "faults.json");
      writeFileSync(faultFile, text);
      await assert.rejects(Emulator.start({ faultFile }), why);
    }));
}

Deno.test("a fault file that is not there is refused", async () => {
  await assert.rejects(
    Emulator.start({ faultFile: "/nowhere/faults.json" }),
    /Cannot use the fault file "\/nowhere/,
  );
});

Deno.test("faults outlive a killed emulator, with their counts, only when that is said", () =>
  withFolder(async (folder) => {
    const statePath = join(folder, "state.json");
    const rules = [{ match: { path: "/v2/profiles" }, times: 3, effects: { response: { status: 503 } } }];
    {
      await using caller = await Caller.start({ statePath });
      await caller.control("POST", "faults", { rules, keep: true });
      assert.deepEqual(await statuses(caller, 1), [503]);
    }
    {
      await using caller = await Caller.start({ statePath });
      assert.deepEqual(await statuses(caller, 3), [503, 503, 200]);
      const { json } = await caller.control("POST", "faults", { rules });
      assert.equal(json.kept, false);
    }
    await using caller = await Caller.start({ statePath });
    assert.deepEqual((await caller.control("GET", "faults")).json, { rules: [], kept: false });
  }));

Deno.test("the token endpoint can fail, when a rule names it", async () => {
  await using caller = await Caller.start();
  const form = {
    grant_type: "refresh_token",
    refresh_token: caller.emulator.credentials.refreshToken,
    client_id: caller.emulator.credentials.clientId,
    client_secret: caller.emulator.credentials.clientSecret,
  };
  caller.emulator.setFaults([{ effects: { response: { status: 500 } } }]);
  assert.equal((await caller.askToken(form)).status, 200);
  caller.emulator.setFaults([{
    match: { operation: "identity:token" },
    times: 1,
    effects: { response: { status: 500 } },
  }]);
  assert.equal((await caller.askToken(form)).status, 500);
  assert.equal((await caller.askToken(form)).status, 200);
});

Deno.test("quirks are changed over HTTP", async () => {
  await using caller = await Caller.start();
  const { json } = await caller.control("POST", "quirks", { emptyPageEvery: 1 });
  assert.deepEqual([json.emptyPageEvery, json.shuffleSuccess], [1, true]);
  const type = "application/vnd.spKeyword.v3+json";
  const first = await caller.call("POST", "/sp/keywords/list", { maxResults: 5 }, { type });
  const { nextToken } = first.json;
  const second = await caller.call("POST", "/sp/keywords/list", { maxResults: 5, nextToken }, { type });
  assert.deepEqual(second.json.keywords, []);
  assert.equal(typeof second.json.nextToken, "string");
});

Deno.test("rules that no request can match are refused, all at once, and the rules stay as they were", async () => {
  await using caller = await Caller.start({ faults: "busy-day" });
  const effects = { delay: 0 };
  const rules = [
    { match: { path: "/files/" }, effects },
    { match: { path: "sp/keywords", method: "FETCH" }, effects },
    { match: { path: "https://ads.example/sp/keywords?x=1" }, effects },
    { match: { region: "US" }, effects },
    { match: { path: "/files/*", method: "get", region: "EU" }, effects },
  ];
  const { status, json } = await caller.control("POST", "faults", { rules });
  assert.equal(status, 400);
  assert.deepEqual(json.message.match(/"\w+" of rule \d/g), [
    '"path" of rule 0',
    '"path" of rule 1',
    '"method" of rule 1',
    '"path" of rule 2',
    '"region" of rule 3',
  ]);
  assert.match(json.message, /is "\/files\/", which matches no request.*"\/files\/\*"/);
  const kept = (await caller.control("GET", "faults")).json.rules;
  assert.equal(kept.length, FAULT_PROFILES["busy-day"].length);
  for (const path of ["*", "*/list", "/sp/*", "/files/*", "/v2/profiles"]) {
    caller.emulator.setFaults([{ match: { path }, effects }]);
  }
});
