import assert from "node:assert/strict";
import { test } from "node:test";
import { NotFoundError } from "../../../src/errors.ts";
import { EntityWorld } from "../entities/entity_world.ts";

const MINUTE = 60_000;

/** A test with some stored campaigns. */
function exportTest(what: string, run: (world: EntityWorld) => Promise<void>): void {
  test(`an export ${what}`, async () => {
    await using world = await EntityWorld.open(3);
    await run(world);
  });
}

function paths(world: EntityWorld): string[] {
  return world.asked().map(({ method, path }) => `${method} ${path}`);
}

exportTest(
  "is asked for, waited for and told step by step, and its end stands in the ledger",
  async (world) => {
    world.looks = ["PROCESSING", "PROCESSING", "COMPLETED"].map((status) => ({ status }));
    const askedAt = new Date(world.now).toISOString();
    assert.equal((await world.sync()).source, "export");
    const [request] = world.asked();
    const mediaType = "application/vnd.campaignsexport.v1+json";
    const { json, contentType, accept, idempotent } = request!;
    assert.deepEqual({ json, contentType, accept, idempotent }, {
      json: {
        adProductFilter: ["SPONSORED_PRODUCTS", "SPONSORED_BRANDS", "SPONSORED_DISPLAY"],
        stateFilter: ["ENABLED", "PAUSED", "ARCHIVED"],
      },
      contentType: mediaType,
      accept: mediaType,
      idempotent: true,
    });
    assert.deepEqual(world.told.map(({ kind, status, seconds, rows }) => [kind, status, seconds, rows]), [
      ["asked", "building", 0, 0],
      ["waiting", "PROCESSING", 0, 0],
      ["waiting", "PROCESSING", 5, 0],
      ["waiting", "COMPLETED", 12.5, 0],
      ["stored", "stored", 12.5, 3],
    ]);
    for (const { profileId, countryCode, report, start, end, reportId } of world.told) {
      assert.deepEqual([profileId, countryCode, report, start, end, reportId], [
        ...["1", "US", "campaigns_export", "2026-10-01", "2026-10-01", "e-1"],
      ]);
    }
    const { state, reportId, rows, problem, askedAt: at, changedAt } = (await world.entry())!;
    assert.deepEqual([state, reportId, rows, problem, at, changedAt], [
      ...["stored", "e-1", 3, null, askedAt, new Date(world.now).toISOString()],
    ]);
  },
);

exportTest("is waited for at most a quarter of an hour, or half as long as a report", async (world) => {
  world.looks = [{ status: "PROCESSING" }];
  for (const [timeout, seconds] of [[undefined, 900], [3600, 900], [1800, 900], [1000, 500], [100, 50]]) {
    const { state, source, why } = await world.sync({ poll: { timeout } });
    const slow = `Cannot read the export of /campaigns/export: it is still PROCESSING after ${seconds} s`;
    assert.deepEqual([state, source, why], ["stored", "list", `${slow}. Lists take its place`]);
    assert.equal(world.warnings.at(-1), `US 1: ${why}`);
    const { state: left, reportId, problem } = (await world.entry())!;
    assert.deepEqual([left, reportId, problem], ["building", "e-1", null], "the next sync resumes it");
    world.now += 60 * MINUTE;
  }
});

exportTest(
  "that was asked for less than half an hour ago is resumed, an older one asked for anew",
  async (world) => {
    const ask = async (later: number): Promise<string[]> => {
      world.looks = [{ status: "PROCESSING" }];
      const before = world.now;
      await world.sync({ poll: { timeout: 2 } });
      world.now = before + later;
      world.looks = [{ status: "COMPLETED" }];
      world.asked();
      world.told.length = 0;
      assert.equal((await world.sync()).source, "export");
      return paths(world);
    };
    assert.deepEqual(await ask(30 * MINUTE - 1), ["GET /exports/e-1"]);
    assert.deepEqual(world.told.map(({ kind, status }) => [kind, status]), [
      ["resumed", "building"],
      ["waiting", "COMPLETED"],
      ["stored", "stored"],
    ]);
    world.now += 60 * MINUTE;
    assert.deepEqual(await ask(30 * MINUTE), ["POST /campaigns/export", "GET /exports/e-1"]);
    assert.equal(world.told[0]?.kind, "asked");
  },
);

exportTest(
  "that the platform has forgotten is asked for anew, other failures of one end it",
  async (world) => {
    world.looks = [{ status: "PROCESSING" }];
    await world.sync({ poll: { timeout: 2 } });
    world.looks = [{ status: "COMPLETED" }];
    let failures: Error[] = [new NotFoundError("Gone", { statusCode: 404, method: "GET", url: "/exports" })];
    world.intervene = ({ path }) => {
      const failure = path.startsWith("/exports/") ? failures.shift() : undefined;
      if (failure !== undefined) throw failure;
    };
    world.asked();
    assert.equal((await world.sync()).source, "export");
    assert.deepEqual(paths(world), ["GET /exports/e-1", "POST /campaigns/export", "GET /exports/e-1"]);

    world.looks = [{ status: "PROCESSING" }];
    await world.sync({ poll: { timeout: 2 } });
    world.asked();
    failures = [new Error("HTTP 500")];
    const { source, why } = await world.sync();
    assert.deepEqual([source, why], ["list", "HTTP 500. Lists take its place"]);
    assert(!paths(world).includes("POST /campaigns/export"));
  },
);

exportTest(
  "that fails, has no file or cannot be understood says why, and lists take its place",
  async (world) => {
    const of = "Cannot read the export of /campaigns/export: ";
    const unread =
      "Cannot read the response about the export: its id or status is missing. The platform says: ";
    const cases: readonly [look: Record<string, unknown>, why: string][] = [
      [{ status: "FAILED" }, `${of}the platform says FAILED`],
      [{ status: "FAILED", error: { errorCode: "INTERNAL", message: "no" } }, `${of}INTERNAL: no`],
      [{ status: "FAILED", error: { message: "no" } }, `${of}no`],
      [{ status: "COMPLETED", url: null }, `${of}it is COMPLETED and has no file`],
      [{ status: 3 }, unread],
    ];
    for (const [look, why] of cases) {
      world.told.length = 0;
      world.now += MINUTE;
      world.looks = [look];
      const outcome = await world.sync();
      assert.deepEqual([outcome.state, outcome.source], ["stored", "list"]);
      assert.ok(outcome.why?.startsWith(why) && outcome.why.endsWith(". Lists take its place"), outcome.why);
      const { state, problem, rows } = (await world.entry())!;
      assert.deepEqual([state, problem, rows], [
        "failed",
        outcome.why.replace(/\. Lists take its place$/, ""),
        null,
      ]);
      const { kind, status, rows: told } = world.told.at(-1)!;
      assert.deepEqual([kind, status, told], ["failed", "failed", 0]);
    }
    world.intervene = ({ method }) => method === "POST" ? { status: "PROCESSING" } : undefined;
    world.now += MINUTE;
    assert.match((await world.sync()).error?.message ?? "", /^Cannot list \/sb\/v4\/campaigns/);
    assert.match(
      (await world.entry())?.problem ?? "",
      /^Cannot read the response to the new export: its id is missing/,
    );
  },
);

exportTest("whose address has expired is fetched from the next one", async (world) => {
  world.looks = [{ status: "COMPLETED" }, { status: "COMPLETED", url: "https://files.test/2" }];
  world.download = (url) => url.endsWith("/1") ? new Response("expired", { status: 403 }) : undefined;
  assert.equal((await world.sync()).source, "export");
  assert.deepEqual(world.fetched, ["https://files.test/1", "https://files.test/2"]);
  world.looks = [{ status: "COMPLETED" }, { status: "COMPLETED", url: 7 }];
  assert.match(
    (await world.sync()).why,
    /the platform gives no other address for it\. Lists take its place$/,
  );
});

exportTest("whose file came damaged is fetched once more, and not a third time", async (world) => {
  let damaged = 1;
  world.download = () => damaged-- > 0 ? new Response('[{"campaignId":') : undefined;
  assert.equal((await world.sync()).source, "export");
  assert.equal(world.fetched.length, 2);
  damaged = 9;
  world.now += MINUTE;
  const { source, why } = await world.sync();
  assert.deepEqual([source, world.fetched.length], ["list", 4]);
  const { state, problem } = (await world.entry())!;
  const broken =
    "Cannot read the export of /campaigns/export: its file is not whole: it ends in the middle of a row";
  assert.deepEqual([state, problem, why], ["failed", broken, `${broken}. Lists take its place`]);
  world.download = () => undefined;
  world.rows = () => ({ campaigns: [] });
  assert.equal((await world.sync()).source, "list");
  assert.equal(world.fetched.length, 5, "one that is whole and wrong is not fetched again");
});

exportTest("that was stopped stays open in the ledger, and nothing takes its place", async (world) => {
  const stops: readonly ((stop: () => void) => void)[] = [
    (stop) =>
      world.looks = [{
        status: "PROCESSING",
        get error() {
          return stop();
        },
      }],
    (stop) => {
      world.looks = [{ status: "COMPLETED" }];
      world.download = () => (stop(), new Response('[{"campaignId":'));
    },
  ];
  for (const arrange of stops) {
    const stop = new AbortController();
    arrange(() => stop.abort(new Error("Ctrl-C")));
    const outcome = await world.sync({ signal: stop.signal });
    const { state, source, why, error, entities } = outcome;
    assert.deepEqual([state, source, why, error?.message, entities], [
      ...["left", "list", "stopped before it was read", "Ctrl-C", 0],
    ]);
    assert.deepEqual(world.warnings, []);
    assert.equal((await world.entry())?.state, "building");
  }
});
