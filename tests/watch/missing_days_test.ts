import { deepEqual, match } from "../support/assert.ts";
import { findAlerts } from "../../src/automation/watch/find_alerts.ts";
import { parseWatch } from "../../src/automation/watch/mod.ts";
import { Warehouse } from "../../src/store/mod.ts";
import { emulated } from "../support/emulated.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

Deno.test("a rule on spend alerts by the days that are stored, and the missing day is named; a rule that could be wrong waits", async () => {
  await using world = await emulated({
    emulator: { clock: { now: "2026-09-30T18:00:00Z", frozen: true }, quirks: { reportSeconds: 0 } },
  });
  world.time.advance(6 * 3600);
  await using folder = await temporaryFolder();
  await using store = await Warehouse.open(folder.file("ads.sqlite"), { now: world.time.now });
  const sync = (start: string, end: string) =>
    store.sync(world.us, { reports: ["sp_campaigns"], start, end });
  const file = parseWatch(
    `version: 1
rules:
  much: { over: market, days: fresh, when: cost7d > 10 }
  little: { over: market, days: fresh, when: cost7d < 1000000 }
  complete: { over: market, days: fresh, when: cost2d > 1 && cost7d_before > 1 }
`,
    "watch.yaml",
  );
  const find = () => findAlerts(file.rules, { profile: world.us, store, now: world.time.now() });
  await sync("2026-09-28", "2026-09-29");
  await sync("2026-09-10", "2026-09-26");
  const { alerts, unjudged } = await find();
  deepEqual(alerts.map(({ rule }) => rule), ["much", "complete"]);
  deepEqual(unjudged.map(({ rule }) => rule), ["much", "little", "complete"]);
  match(unjudged[0]!.why, /^Not stored: campaigns for US on 2026-09-27/);
  await sync("2026-09-27", "2026-09-27");
  deepEqual((await find()).alerts.map(({ rule }) => rule), ["much", "little", "complete"]);

  const young = parseWatch(
    `version: 1
rules:
  fall: { over: campaign, days: fresh, when: sales7d < 10 * sales7d_before }
  worse: { over: market, days: fresh, when: acos7d > 0.01 * acos7d_before }
  unusual: { over: market, days: fresh, when: sales1d >= 0 && sales1d_median >= 0 }
  rise: { over: market, days: fresh, when: sales7d > 0.01 * sales7d_before }
  spend: { over: market, days: fresh, when: cost7d > 0.01 * cost7d_before }
`,
    "watch.yaml",
  );
  const now = world.time.now();
  const found = await findAlerts(young.rules, { profile: world.us, store, now });
  // Sales of young days can only rise, and costs are complete.
  deepEqual(found.alerts.map(({ rule }) => rule), ["rise", "spend"]);
  deepEqual(found.unjudged.map(({ rule }) => rule), ["fall", "worse", "unusual", "rise"]);
  match(found.unjudged[0]!.why, /^Orders and sales cannot be compared yet/);
});
