import { deepEqual, equal, match, ok } from "../support/assert.ts";
import { Warehouse } from "../../src/store/mod.ts";
import { PAGE_REPORTS } from "../../src/store/sync/sync_options.ts";
import { syncOptions } from "../../src/operations/reads/sync.ts";
import { long } from "../support/long.ts";
import { consoleWorld, type SignedIn, signIn } from "./support/console_world.ts";

/** A fetch whose report requests wait until a test lets them go. */
function gated(): { fetch: typeof fetch; open: () => void } {
  let open = (): void => {};
  const opened = new Promise<void>((done) => open = done);
  return {
    open,
    fetch: async (input, init) => {
      const { url, method, signal } = new Request(input, init);
      const aborted = new Promise<never>((_, fail) =>
        signal.addEventListener("abort", () => fail(signal.reason), { once: true })
      );
      aborted.catch(() => {});
      if (method === "POST" && url.includes("/reporting/reports")) await Promise.race([opened, aborted]);
      return await fetch(input, init);
    },
  };
}

async function ended(page: SignedIn): Promise<Record<string, unknown>> {
  for (;;) {
    const { data } = await page.ask("/api/sync");
    if (data.state !== "running") return data;
    await new Promise((done) => setTimeout(done, 20));
  }
}

const REPORTS = { reports: ["search-terms"] };
/** Reports are ready at once. */
const emulator = { quirks: { reportSeconds: 0 } };

long();
Deno.test("a sync of the console fills the store with the same reports as adsctl sync, and pages read meanwhile", async () => {
  await using world = await consoleWorld({ emulator });
  const page = await signIn(world);
  deepEqual((await page.ask("/api/sync")).data.state, "none");
  const { profileId } = world.us;
  const { status, data } = await page.ask("/api/sync", { profiles: [profileId] });
  deepEqual([status, data.state, data.profiles], [200, "running", 1]);
  // Pages that open the store while it is written to neither wait for the sync nor stop it.
  equal((await page.ask("/api/store")).status, 200);
  equal((await page.ask("/api/overview")).status, 200);
  const { state, total, done, rows, problems, summary } = await ended(page);
  deepEqual([state, problems, done, Number(rows) > 0], ["done", [], total, true]);
  match(String(summary), /^11 of 11 reports of 1 profile stored/);
  await using store = await Warehouse.open(world.storePlace, { now: world.time.now });
  const reports = (await store.coverage()).map(({ report }) => report);
  deepEqual(reports.sort(), ["sp_placement", "sp_search_terms", "sp_targeting"]);
  const { reports: shown } = await syncOptions({ reports: ["pages", "placement"] }, []);
  deepEqual([...new Set(shown)], PAGE_REPORTS, "what a button of the page sends");
  const { rows: [entities] } = await store.query("SELECT count(*) AS n FROM entities");
  ok(Number(entities?.["n"]) > 100);
});

Deno.test("a second sync is refused while one runs; a stopped one keeps what it fetched, and can be started again", async () => {
  const gate = gated();
  await using world = await consoleWorld({ client: { fetch: gate.fetch }, emulator });
  const page = await signIn(world);
  const body = { profiles: [world.us.profileId], ...REPORTS };
  equal((await page.ask("/api/sync", body)).status, 200);
  const second = await page.ask("/api/sync", body);
  deepEqual([second.status, second.data.error.code], [409, "SYNC_RUNS"]);
  match(second.data.error.message, /one has been running since \d\d:\d\d UTC/);
  const { data: stopped } = await page.ask("/api/sync/stop", {});
  equal(stopped.state, "stopped");
  gate.open();
  equal((await page.ask("/api/sync", body)).status, 200);
  equal((await ended(page)).state, "done");
});

Deno.test("a sync of unknown profiles or reports is refused before anything is requested, and by a read-only console", async () => {
  await using world = await consoleWorld();
  const page = await signIn(world);
  const refused = async (body: object): Promise<[number, string]> => {
    const { status, data } = await page.ask("/api/sync", body);
    return [status, data.error.code];
  };
  deepEqual(await refused({ profiles: ["12"] }), [404, "NO_PROFILE"]);
  deepEqual(await refused({ profiles: [] }), [400, "BAD_REQUEST"]);
  deepEqual(await refused({ reports: [] }), [400, "BAD_REQUEST"]);
  deepEqual(await refused({ reports: ["serch-terms"] }), [409, "REFUSED"]);
  equal((await page.ask("/api/sync")).data.state, "none");
  await using other = await consoleWorld({ readOnly: true });
  const reader = await signIn(other);
  equal((await reader.ask("/api/sync", {})).data.error.code, "READ_ONLY");
});
