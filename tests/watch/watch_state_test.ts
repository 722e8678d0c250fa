import { DatabaseSync } from "node:sqlite";
import { deepEqual, equal, match, ok, rejects } from "../support/assert.ts";
import { hasPostgres, makeDatabase, type TestServer, testServer } from "../support/postgres.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { parseWatch, WatchState } from "../../src/automation/watch/mod.ts";
import { deliverAlerts } from "../../src/automation/watch/deliver_alerts.ts";
import { ALERT, raised } from "./sample_alert.ts";

/** What a state promises, on any database. */
function contract(name: string, place: () => Promise<string>): void {
  Deno.test(`${name}: an alert is kept once, and not said again within its quiet days`, async () => {
    const at = await place();
    await using state = await WatchState.open(at);
    await using other = await WatchState.open(at);
    equal((await state.raise([raised(ALERT)])).length, 1);
    equal((await other.raise([raised(ALERT)])).length, 0, "the same from another process");
    const days = (count: number) => ({
      ...ALERT,
      id: `day ${count}`,
      day: `2026-10-0${count}`,
      since: `2026-10-0${count}`,
    });
    equal((await state.raise([raised(days(5), ["out"], 7)])).length, 0);
    const [again] = await state.raise([raised(days(6), ["out"], 7)]);
    equal(again?.text, "Since 2026-09-29, and it goes on\none\ntwo");
    equal(again?.since, "2026-09-29", "what was due to be said again began when it was said first");
    equal((await state.raise([raised({ ...days(6), id: "x", key: "2" }, ["out"], 7)])).length, 1);
    equal((await state.raise([raised({ ...ALERT, id: "y", profileId: "2" })])).length, 1);
    deepEqual((await other.list({ profileId: "1" })).map(({ id }) => id).sort(), [
      "0123456789ab",
      "day 6",
      "x",
    ]);
  });

  Deno.test(`${name}: what a channel did not take waits, longer each time, and is lost never`, async () => {
    await using state = await WatchState.open(await place());
    await state.raise([raised(ALERT, ["out", "hook"])]);
    const now = Date.parse(ALERT.at);
    const [first, second] = await state.waiting("1", now);
    await state.delivered(first!, now);
    await state.failed(second!, { problem: "it responds with 500", nextAt: now + 60_000 });
    deepEqual(await state.waiting("1", now + 59_000), []);
    const [later] = await state.waiting("1", now + 60_000);
    deepEqual([later?.channel, later?.attempts, later?.alert], [second!.channel, 1, ALERT]);
    const [kept] = await state.list({ profileId: "1" });
    deepEqual([kept?.delivered, kept?.waiting], [[first!.channel], [{
      channel: second!.channel,
      attempts: 1,
      problem: "it responds with 500",
    }]]);
  });

  Deno.test(`${name}: an alert whose plan is not made yet is delivered with it`, async () => {
    await using state = await WatchState.open(await place());
    await state.raise([{ ...raised(ALERT), isComplete: false }]);
    deepEqual(await state.waiting("1", Date.now()), []);
    const [open] = await state.incomplete("1");
    await state.complete({ ...open!, planId: "plan-1" });
    deepEqual((await state.waiting("1", Date.now())).map(({ alert }) => alert.planId), ["plan-1"]);
    deepEqual(await state.incomplete("1"), []);
  });

  Deno.test(`${name}: alerts are marked as seen, snoozed and closed, by all programs of the store`, async () => {
    const at = await place();
    await using state = await WatchState.open(at);
    await using other = await WatchState.open(at);
    const now = Date.parse(ALERT.at);
    const day = 86_400_000;
    await state.raise([raised(ALERT), raised({ ...ALERT, id: "two", profileId: "2" })]);
    const states = async (moment = now): Promise<string[]> =>
      (await other.list({ now: moment })).map(({ id, mark }) => `${id} ${mark.state}`).sort();
    deepEqual(await states(), ["0123456789ab new", "two new"]);
    deepEqual(await state.mark([ALERT.id, "none"], { state: "seen", now, by: "Ann" }), [ALERT.id]);
    await other.mark(["two"], { state: "snoozed", now, until: now + 2 * day, reason: "stock comes" });
    deepEqual(await states(), ["0123456789ab seen", "two snoozed"]);
    deepEqual(await states(now + 2 * day), ["0123456789ab seen", "two new"], "a snooze ends by itself");
    const of = async (profileId: string[]) =>
      (await state.list({ profileId, now, limit: Infinity })).map(({ id }) => id);
    deepEqual([(await of(["1", "2"])).length, await of(["3", "2"]), await of([])], [2, ["two"], []]);
    const [two] = await state.list({ profileId: "2", now });
    deepEqual(two?.mark, {
      state: "snoozed",
      at: ALERT.at,
      until: new Date(now + 2 * day).toISOString(),
      by: null,
      reason: "stock comes",
    });
    let problem = "";
    await state.mark(["two"], { state: "snoozed", now, until: now }).catch((error) =>
      problem = error.message
    );
    match(problem, /in the future/);
    await state.mark([ALERT.id], { state: "closed", now, by: "Ann", reason: "the weekend event" });
    deepEqual(
      (await other.list({ state: "closed", now })).map(({ id, mark }) => [id, mark.by, mark.reason]),
      [
        [ALERT.id, "Ann", "the weekend event"],
      ],
    );
    deepEqual((await other.list({ state: ["new", "snoozed"], now })).map(({ id }) => id), ["two"]);
    await state.mark([ALERT.id], { state: "new", now });
    deepEqual(await states(), ["0123456789ab new", "two snoozed"]);
  });

  Deno.test(`${name}: what goes on is in the inbox once, and not said again while it is snoozed`, async () => {
    await using state = await WatchState.open(await place());
    const later = (id: string, day: string) =>
      raised({ ...ALERT, id, day, since: day, at: `${day}T12:00:00.000Z` });
    await state.raise([raised(ALERT)]);
    await state.raise([later("next", "2026-09-30")]);
    const marks = (await state.list({ profileId: "1" })).map(({ id, mark }) => [id, mark.state, mark.reason]);
    deepEqual(marks, [["next", "new", null], [ALERT.id, "closed", "said again as next"]]);
    const now = Date.parse("2026-09-30T13:00:00Z");
    await state.mark(["next"], { state: "snoozed", now, until: Date.parse("2026-10-03T00:00:00Z") });
    deepEqual(await state.raise([later("kept back", "2026-10-02")]), []);
    deepEqual((await state.raise([later("said", "2026-10-04")])).map(({ id }) => id), ["said"]);
  });
}

contract("SQLite", async () => `${await Deno.makeTempDir({ prefix: "watch-state-" })}/ads.sqlite`);

if (hasPostgres) {
  let server: TestServer;
  Deno.test.beforeAll(async () => {
    server = await testServer();
  });
  Deno.test.afterAll(() => server.stop());
  contract("PostgreSQL", () => makeDatabase(server));
}

Deno.test("webhooks are signed and carry the alert's id, Slack gets plain text, and a dead channel is tried again", async () => {
  const seen: { path: string; headers: Headers; body: string }[] = [];
  let status = 500;
  await using server = Deno.serve({ port: 0, onListen: () => {} }, async (request) => {
    seen.push({ path: new URL(request.url).pathname, headers: request.headers, body: await request.text() });
    return new Response(null, { status });
  });
  const base = `http://127.0.0.1:${server.addr.port}`;
  const { channels } = parseWatch(
    `version: 1
channels:
  hook: { kind: webhook, url_env: HOOK, secret_env: HOOK_SECRET }
  team: { kind: slack, url_env: TEAM }
  lost: { kind: webhook, url_env: LOST }
  open: { kind: webhook, url_env: OPEN }
rules: { dear: { over: campaign, when: cost7d > 1, channel: [hook, team, lost, open] } }`,
    "watch.yaml",
  );
  await using state = await WatchState.open(`${await Deno.makeTempDir({ prefix: "watch-" })}/ads.sqlite`);
  await state.raise([raised(ALERT, channels.map(({ name }) => name))]);
  const env = {
    HOOK: `${base}/hook?token=s3cret`,
    HOOK_SECRET: "k3y",
    TEAM: `${base}/team`,
    OPEN: "http://example.com/x",
  };
  const now = Date.parse(ALERT.at);
  const deliver = (at: number) =>
    deliverAlerts({ state, profileId: "1", channels, env, write: () => {}, now: at });
  const first = await deliver(now);
  equal(first.delivered, 0);
  deepEqual(first.failed.map(({ channel, problem }) => [channel, problem]).sort(), [
    ["hook", "it responds with 500"],
    ["lost", "LOST is not set"],
    ["open", "OPEN is not an https address"],
    ["team", "it responds with 500"],
  ]);
  ok(!JSON.stringify(first).includes("s3cret"));
  equal(seen.length, 4, "each of the two is tried twice");
  status = 200;
  equal((await deliver(now + 59_000)).delivered, 0);
  equal((await deliver(now + 60_000)).delivered, 2);
  equal((await deliver(now + 3_600_000)).delivered, 0, "what was delivered is not sent again");

  const { headers, body } = seen.filter(({ path }) => path === "/hook").at(-1)!;
  deepEqual(JSON.parse(body), ALERT);
  equal(headers.get("idempotency-key"), ALERT.id);
  const [, seconds, hex] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(headers.get("x-alert-signature")!)!;
  const key = await crypto.subtle.importKey(
    "raw",
    new TextEncoder().encode("k3y"),
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["verify"],
  );
  const bytes = Uint8Array.from(hex!.match(/../g)!, (pair) => Number.parseInt(pair, 16));
  ok(await crypto.subtle.verify("HMAC", key, bytes, new TextEncoder().encode(`${seconds}.${body}`)));
  const message = seen.filter(({ path }) => path === "/team").at(-1)!.body;
  ok(!message.includes("<!channel>") && !message.includes("\\u001b"), message);
  match(message, /&lt;!channel&gt;/);
});

Deno.test("alerts are kept in stores alone: files of other programs and of newer releases are refused", async () => {
  await using folder = await temporaryFolder();
  const other = folder.file("other.sqlite");
  const database = new DatabaseSync(other);
  database.exec("CREATE TABLE mine (a)");
  database.close();
  await rejects(() => WatchState.open(other), /SQLite file of another program/);
  const own = folder.file("ads.sqlite");
  await (await WatchState.open(own)).close();
  const made = new DatabaseSync(own);
  made.exec("PRAGMA user_version = 99999");
  made.close();
  await rejects(() => WatchState.open(own), /made by a newer release/);
});
