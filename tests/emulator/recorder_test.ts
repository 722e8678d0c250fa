import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { KEPT_HEADERS } from "../support/fixture.ts";
import { Caller } from "./caller.ts";
import { rowsOf } from "./report_caller.ts";

const KEYWORDS = "application/vnd.spKeyword.v3+json";

Deno.test("exchanges are written down as fixtures, without anything that lets somebody in", async () => {
  const folder = mkdtempSync(join(tmpdir(), "emulator-"));
  try {
    await using caller = await Caller.start();
    caller.emulator.record(join(folder, "new"));
    await caller.call("POST", "/sp/keywords/list", { maxResults: 2 }, { type: KEYWORDS });
    await caller.call("GET", "/v2/profiles?accessLevel=edit", undefined, { profile: null });
    await rowsOf(caller, "sp_campaigns", { start: "2026-09-01", end: "2026-09-01" });
    await caller.logIn();
    caller.emulator.record(undefined);
    await caller.call("GET", "/v2/profiles");

    const files = readdirSync(join(folder, "new")).sort();
    assert.deepEqual(files, [
      "0001_ListSponsoredProductsKeywords.json",
      "0002_listProfiles.json",
      "0003_createAsyncReport.json",
      "0004_getAsyncReport.json",
    ]);
    const texts = files.map((file) => readFileSync(join(folder, "new", file), "utf8"));
    const [list, profiles, , report] = texts.map((text) => JSON.parse(text));
    assert.deepEqual(
      [list.request.method, list.request.path, list.request.json],
      ["POST", "/sp/keywords/list", { maxResults: 2 }],
    );
    assert.equal(list.response.json.keywords.length, 2);
    assert.equal(profiles.request.query, "accessLevel=edit");
    // Profile ids past 2^53 keep their digits as text.
    assert.match(profiles.response.text, /"profileId":9223\d{15}/);
    assert.match(report.response.json.url, /signature=left-out$/);

    const { clientId, clientSecret, refreshToken } = caller.emulator.credentials;
    for (const [index, text] of texts.entries()) {
      for (const secret of [clientId, clientSecret, refreshToken, "Bearer", "Atza|"]) {
        assert.equal(text.includes(secret), false, `${files[index]} ${secret}`);
      }
      const { request, response } = JSON.parse(text);
      const names = [...Object.keys(request.headers), ...Object.keys(response.headers)];
      assert.deepEqual(names.filter((name) => !KEPT_HEADERS.has(name)), []);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

Deno.test("a second recording goes after the first in one folder, and a file is no folder", async () => {
  const folder = mkdtempSync(join(tmpdir(), "emulator-"));
  try {
    await using caller = await Caller.start();
    for (const path of ["/v2/profiles?n=1", "/v2/profiles?n=2"]) {
      caller.emulator.record(folder);
      await caller.call("GET", path, undefined, { profile: null });
      caller.emulator.record(undefined);
    }
    assert.deepEqual(readdirSync(folder).sort(), ["0001_listProfiles.json", "0002_listProfiles.json"]);
    const file = join(folder, "0001_listProfiles.json");
    assert.throws(
      () => caller.emulator.record(file),
      /Cannot record into the folder ".*0001_listProfiles.json"/,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});
