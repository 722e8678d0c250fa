import { deepEqual, equal, match, notEqual, rejects } from "../support/assert.ts";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Emulator, EmulatorStateError } from "../../src/emulator/mod.ts";
import process from "node:process";
import { Caller } from "./caller.ts";
import { newAdGroup, pick, write } from "./products.ts";

async function withFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "emulator-"));
  try {
    await use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

Deno.test("an emulator that was killed resumes with entities, history, clock and tokens", () =>
  withFolder(async (folder) => {
    const statePath = join(folder, "deep", "state.json");
    const copy = join(folder, "copy.json");
    await using first = await Caller.start({ statePath });
    const { adGroupId } = await newAdGroup(first);
    await first.control("POST", "clock", { advance: 600 });
    const copied = readFileSync(statePath);
    writeFileSync(copy, copied);

    await using second = await Caller.start({ statePath: copy, clock: {} });
    equal(pick(second, "sp.ad_groups", (found) => found.adGroupId === adGroupId).name, "Fresh");
    equal(second.emulator.clock.iso(), "2026-09-30T12:10:00.000Z");
    const historyOf = (caller: Caller) => caller.emulator.state.profile(caller.profile("US"))!.history();
    deepEqual(historyOf(second), historyOf(first));
    const again = await newAdGroup(second);
    notEqual(again.adGroupId, adGroupId);
  }));

Deno.test("an access token of before the kill is still good", () =>
  withFolder(async (folder) => {
    const statePath = join(folder, "state.json");
    const { clientId, clientSecret, refreshToken } = await (async () => {
      await using caller = await Caller.start({ statePath });
      return caller.emulator.credentials;
    })();
    await using before = await Caller.start({ statePath });
    const form = {
      grant_type: "refresh_token",
      refresh_token: refreshToken,
      client_id: clientId,
      client_secret: clientSecret,
    };
    const { access_token } = (await before.askToken(form)).json;
    await before.stop();
    await using after = await Caller.start({ statePath });
    const headers = { authorization: `Bearer ${access_token}` };
    equal((await after.call("GET", "/v2/profiles", undefined, { headers })).status, 200);
    equal(after.emulator.credentials.clientId, clientId);
  }));

Deno.test("what was answered is in the file, and nothing but the file is left", () =>
  withFolder(async (folder) => {
    const statePath = join(folder, "state.json");
    await using caller = await Caller.start({ statePath });
    const { keywordId } = pick(caller, "sp.keywords", (keyword) => keyword.state === "ENABLED");
    await write(caller, ["PUT", "sp.keywords"], [{ keywordId, bid: 3.21 }]);
    const { profiles } = JSON.parse(readFileSync(statePath, "utf8"));
    equal(profiles.length, 1);
    const kept = profiles[0].collections["sp.keywords"].find((found: { keywordId: string }) =>
      found.keywordId === keywordId
    );
    equal(kept.bid, 3.21);
    deepEqual(readdirSync(folder), ["state.json"]);
  }));

Deno.test("a request that outlives its emulator does not overwrite what the next one kept", () =>
  withFolder(async (folder) => {
    const statePath = join(folder, "state.json");
    const [asleep, waking] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const sleep = () => {
      asleep.resolve();
      return waking.promise;
    };
    const first = await Emulator.start({ listen: false, statePath, sleep });
    first.setFaults([{ match: { operation: "identity:token" }, effects: { delay: 1 } }]);
    const { clientId, clientSecret, refreshToken } = first.credentials;
    const body = new URLSearchParams({
      grant_type: "refresh_token",
      refresh_token: refreshToken,
      client_id: clientId,
      client_secret: clientSecret,
    });
    const late = first.fetch(first.platform.tokenUrl, { method: "POST", body });
    await asleep.promise;
    await first.stop();
    await using second = await Caller.start({ statePath });
    const { adGroupId } = await newAdGroup(second);
    waking.resolve();
    await late;
    await using third = await Caller.start({ statePath });
    equal(pick(third, "sp.ad_groups", (found) => found.adGroupId === adGroupId).name, "Fresh");
  }));

Deno.test("a reset is kept too", () =>
  withFolder(async (folder) => {
    const statePath = join(folder, "state.json");
    await using caller = await Caller.start({ statePath });
    await newAdGroup(caller);
    caller.emulator.reset();
    deepEqual(JSON.parse(readFileSync(statePath, "utf8")).profiles, []);
  }));

Deno.test("looking changes nothing and reading profiles does not make the demo account", () =>
  withFolder(async (folder) => {
    const statePath = join(folder, "state.json");
    await using caller = await Caller.start({ statePath });
    await caller.call("GET", "/v2/profiles");
    deepEqual(JSON.parse(readFileSync(statePath, "utf8")).profiles, []);
  }));

const whole = JSON.stringify({
  format: "platform-ads-emulator-state",
  version: 1,
  seed: "demo",
  clock: { offset: 0 },
  created: 0,
  tokensIssued: 0,
  tokensRevoked: 0,
  codes: [],
  profiles: [],
});

const UNUSABLE: readonly [what: string, text: string, why: RegExp][] = [
  ["cut in half", whole.slice(0, whole.length / 2), /not complete JSON/],
  ["empty", "", /not complete JSON/],
  [
    "of another version",
    whole.replace(`"version":1`, `"version":99`),
    /version 99 and this emulator reads version 1/,
  ],
  ["of another seed", whole.replace(`"demo"`, `"other"`), /seed "other" and not "demo"/],
  ["some other JSON", `{"name":"x"}`, /not a state file/],
  ["a list", "[]", /not a state file/],
  [
    "with entities of a newer version",
    whole.replace(
      `"profiles":[]`,
      JSON.stringify({
        profiles: [{
          record: {},
          history: [],
          collections: { "sx.things": [{ thingId: "1" }, { thingId: "2" }] },
        }],
      }).slice(1, -1),
    ),
    /holds "sx\.things" in a form that this version does not know, so a newer one/,
  ],
  ["with a clock of a newer version", whole.replace(`"offset":0`, `"at":"now"`), /parts of it are missing/],
  ["with parts missing", whole.replace(`"codes":[]`, `"coded":[]`), /parts of it are missing/],
];

for (const [what, text, why] of UNUSABLE) {
  Deno.test(`a state file that is ${what} is refused by name and left alone`, () =>
    withFolder(async (folder) => {
      const statePath = join(folder, "state.json");
      writeFileSync(statePath, text);
      await rejects(Caller.start({ statePath }), (error: Error) => {
        match(error.message, why);
        match(error.message, /state\.json".*Use the version that wrote it, or move it away/);
        return error instanceof EmulatorStateError;
      });
      equal(readFileSync(statePath, "utf8"), text);
    }));
}

Deno.test("a failure over entities of a newer version names the file and what to do", () =>
  withFolder(async (folder) => {
    const statePath = join(folder, "state.json");
    {
      await using caller = await Caller.start({ statePath });
      await newAdGroup(caller);
    }
    const state = JSON.parse(readFileSync(statePath, "utf8"));
    state.profiles[0].history = [null];
    writeFileSync(statePath, JSON.stringify(state));
    await using caller = await Caller.start({ statePath });
    const now = caller.emulator.clock.now();
    const events = {
      fromDate: now - 86_400_000,
      toDate: now,
      eventTypes: { CAMPAIGN: { parents: [{ useProfileIdAdvertiser: true }] } },
    };
    const { status, json } = await caller.call("POST", "/history", events, { type: "application/json" });
    equal(status, 500);
    match(
      json.message,
      /^The emulator failed: .*\. The state file ".*state\.json" may be of another version: use the/,
    );
  }));

Deno.test("a file that a newer version writes while an emulator runs is refused by name, not as an internal failure", () =>
  withFolder(async (folder) => {
    const statePath = join(folder, "state.json");
    await using caller = await Caller.start({ statePath });
    writeFileSync(statePath, whole.replace(`"version":1`, `"version":2`));
    const { status, json } = await caller.call("GET", "/v2/profiles");
    deepEqual([status, json.code], [500, "INTERNAL_ERROR"]);
    match(
      json.message,
      /^Cannot use the emulator's state file ".*state\.json": it has version 2 and this emulator reads/,
    );
  }));

Deno.test("a whole file is taken, a folder or a place that cannot be written is refused", () =>
  withFolder(async (folder) => {
    const statePath = join(folder, "state.json");
    writeFileSync(statePath, whole);
    await (await Caller.start({ statePath })).stop();
    await rejects(Caller.start({ statePath: folder }), EmulatorStateError);
    const blocked = join(statePath, "inside", "state.json");
    await rejects(
      Caller.start({ statePath: blocked }),
      (error: Error) => error.message.includes("state.json"),
    );
    equal(existsSync(blocked), false);
    if (process.platform === "linux") {
      await rejects(
        Caller.start({ statePath: "/proc/nowhere/state.json" }),
        /Cannot write.*Choose another place/,
      );
    }
  }));

Deno.test("two emulators on one file see each other's changes and lose none", () =>
  withFolder(async (folder) => {
    const statePath = join(folder, "state.json");
    await using one = await Caller.start({ statePath });
    await using two = await Caller.start({ statePath });
    const made = [await newAdGroup(one), await newAdGroup(two), await newAdGroup(one)];
    equal(new Set(made.map(({ adGroupId }) => adGroupId)).size, 3);
    for (const caller of [one, two]) {
      await caller.call("GET", "/v2/profiles");
      for (const { adGroupId } of made) {
        pick(caller, "sp.ad_groups", (found) => found.adGroupId === adGroupId);
      }
    }
    await two.control("POST", "clock", { advance: 60 });
    equal((await one.control("GET", "clock")).json.now, "2026-09-30T12:01:00.000Z");
  }));
