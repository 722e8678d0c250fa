import { parquetReadObjects } from "hyparquet";
import { readFile } from "node:fs/promises";
import { deepEqual, equal, ok } from "../../support/assert.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";
import { openLake } from "../../../src/store/lake/open_lake.ts";
import { readManifest } from "../../../src/store/lake/manifest.ts";
import { publishLake } from "../../../src/store/lake/publish_lake.ts";
import { tapMessages, type TapState } from "../../../src/store/lake/tap_messages.ts";
import type { Warehouse } from "../../../src/store/warehouse/warehouse.ts";
import { type AddTest, daily, DE, T0, US } from "../contract/ground.ts";
import { put } from "../contract/workflows.ts";

/** Lakes and loaders get from every database the rows that queries find. */
export function lakeContract(it: AddTest): void {
  sendingAgain(it);
  it(
    "a lake has every row of the tables that queries find, and nothing to write a second time",
    async ({ store }) => {
      await using folder = await temporaryFolder();
      const columns = { campaignId: "9007199254740993", campaignName: "Été", clicks: 3, cost: 0.1 };
      for (const profile of [US, DE]) {
        for (const report of ["sp_campaigns", "sp_placement"] as const) {
          const rows = daily(["2026-08-30", "2026-09-02"], {
            ...columns,
            placementClassification: "Top",
            oddity: 1,
          });
          await store.replace({ ...profile, report, start: "2026-08-30", end: "2026-09-02" }, rows);
        }
      }
      const campaign = {
        campaignId: "9007199254740993",
        name: "Été",
        state: "ENABLED",
        budget: { budget: 5.5 },
      };
      await store.replaceEntities({ ...US, kind: "sp.campaigns" }, [campaign]);
      await store.replaceEntities({ ...US, kind: "sp.campaigns" }, [{ ...campaign, state: "PAUSED" }]);

      await putResults(store);

      const place = await openLake(folder.file("lake"));
      const options = { tables: ["days", "marts", "ready", "entities", "changes", "results"] };
      const { unfit } = await publishLake(store, place, options);
      deepEqual(unfit, {});
      equal((await publishLake(store, place, options)).written, 0);
      const { manifest: { tables } } = await readManifest(place);
      let compared = 0;
      for (const [name, { columns, files }] of Object.entries(tables)) {
        const names = columns.map((column) => column.name).filter((name) => !OF_LAKE.includes(name));
        const read: Record<string, unknown>[] = [];
        for (const { path, country_code, profile_id } of files) {
          if (path === null) continue;
          const owner = results.includes(name) ? { profile_id } : { country_code, profile_id };
          const { buffer } = new Uint8Array(await readFile(folder.file(`lake/${path}`)));
          for (const row of await parquetReadObjects({ file: buffer })) {
            for (const own of OF_LAKE) delete row[own];
            read.push({ ...owner, ...row });
          }
        }
        const list = names.map((each) => `"${each}"`).join(", ");
        const owners = results.includes(name) ? "profile_id" : "country_code, profile_id";
        const { rows } = await store.query(`SELECT ${owners}, ${list} FROM ${name}`);
        deepEqual(read.map(plainly).sort(), rows.map(plainly).sort(), name);
        compared += rows.length;
      }
      ok(compared > 40, `${compared} rows`);
    },
    "dear",
  );
}

const results = ["brand_metrics"];
/** Columns of results that their views do not have. */
const OF_LAKE = ["run_id", "row_number", "extra"];

/** Two versions of a week of brand metrics, of which the second is shown. */
async function putResults(store: Warehouse): Promise<void> {
  const report = { instanceId: US.profileId, workflowId: "report:brand_metrics", profile: US };
  for (const after of [3, 17]) {
    const storedAt = new Date(T0 + after * 86_400_000).toISOString();
    const version = await store.workflows.useVersion(
      { ...report, sql: "{}", settings: JSON.stringify({ after }) },
      storedAt,
    );
    const columns = { computed_on: "day" } as const;
    await put(store, { ...report, version, storedAt, columns, start: "2026-08-31", end: "2026-09-06" }, {
      brand_name: "Été",
      awareness_index: after / 10,
      computed_on: "2026-09-06",
      is_new: null,
    });
  }
}

/** Messages for loaders name what is gone, from every database. */
function sendingAgain(it: AddTest): void {
  it("messages for loaders name the rows that went since the last state, and nothing twice", async ({ store }) => {
    const range = { start: "2026-09-01", end: "2026-09-01" };
    const rows = ["7", "8"].map((campaignId) => ({ date: "2026-09-01", campaignId, clicks: 1 }));
    const put = (some: typeof rows) => store.replace({ ...US, report: "sp_campaigns", ...range }, some);
    const send = (state?: TapState) =>
      Array.fromAsync(tapMessages(store, { tables: ["sp_campaigns"], state }));
    await put(rows);
    const first = await send();
    const state = first.findLast((message) => message.type === "STATE")?.value;
    deepEqual(await send(state), []);
    await put(rows.slice(0, 1));
    const again = (await send(state)).flatMap((message) => message.type === "RECORD" ? [message.record] : []);
    deepEqual(
      again.map(({ date, campaign_id, _sdc_deleted_at: at }) => [date, campaign_id, at === null]),
      [["2026-09-01", "8", false], ["2026-09-01", "7", true]],
    );
    ok(!Number.isNaN(Date.parse(String(again[0]?.["_sdc_deleted_at"]))));

    await putResults(store);
    const metrics = await Array.fromAsync(tapMessages(store, { tables: ["results"] }));
    deepEqual(
      metrics.flatMap((message) => message.type === "RECORD" ? [message.record] : []).map((
        { profile_id, country_code, version, awareness_index, computed_on },
      ) => [profile_id, country_code, version, awareness_index, computed_on]),
      [[US.profileId, "US", 2, 1.7, "2026-09-06"]],
    );
  });
}

/** A row as text, in which numbers, days and moments of both are written alike. */
function plainly(row: Readonly<Record<string, unknown>>): string {
  const values = Object.entries(row).map(([name, value]) => {
    if (value instanceof Date) return [name, value.toISOString().replace("T00:00:00.000Z", "")];
    if (typeof value === "bigint") return [name, Number(value)];
    if (typeof value === "boolean") return [name, String(value)];
    return [name, typeof value === "string" && name === "known_from" ? new Date(value).toISOString() : value];
  });
  return JSON.stringify(Object.fromEntries(values));
}
