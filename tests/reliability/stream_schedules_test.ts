import assert from "node:assert/strict";
import { test } from "node:test";
import { consumeStream } from "../../src/store/stream/consume_stream.ts";
import { Warehouse } from "../../src/store/warehouse/warehouse.ts";
import { SeededRandom } from "../support/seeded_random.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { Killed, UnreliableQueue } from "./support/killed_stream.ts";
import { amount, SEED } from "./support/size.ts";
import { longFile } from "../support/long.ts";

longFile();

const SCHEDULES = amount(80, 10_000);
/** Schedules of one store: its tables stay small. */
const OF_ONE_STORE = 250;

interface Totals {
  clicks: number;
  cents: number;
}

/** Records of a schedule: changes of a few hours, negative ones among them. */
function records(
  schedule: number,
  random: SeededRandom,
): { body: string; hour: string; clicks: number; cents: number }[] {
  return Array.from({ length: random.integer(1, 40) }, (_, index) => {
    const hour = `2026-11-0${random.integer(1, 3)}T0${random.integer(0, 9)}:00:00Z`;
    const [clicks, cents] = [random.integer(-3, 9), random.integer(-300, 900)];
    const record = {
      dataset_id: "sp-traffic",
      idempotency_id: `${schedule}-${index}`,
      advertiser_id: "ENTITY1",
      marketplace_id: "M1",
      campaign_id: String(schedule),
      time_window_start: hour,
      clicks,
      cost: cents / 100,
    };
    const body = random.next() < 0.1
      ? JSON.stringify({ Type: "Notification", Message: JSON.stringify(record) })
      : JSON.stringify(record);
    return { body, hour, clicks, cents };
  });
}

async function storedTotals(store: Warehouse, schedule: number): Promise<Map<string, Totals>> {
  const { rows } = await store.query(
    "SELECT starts_at, clicks, cost FROM sp_traffic_hourly WHERE campaign_id = ? ORDER BY starts_at",
    [String(schedule)],
  );
  return new Map(
    rows.map(({ starts_at: at, clicks, cost }) => [
      String(at).replace(".000Z", "Z"),
      { clicks: Number(clicks), cents: Math.round(Number(cost) * 100) },
    ]),
  );
}

test(`${SCHEDULES} random schedules of deliveries and kills: no record is lost, and none counts twice`, async () => {
  const folder = await temporaryFolder();
  let [kills, redelivered, aside] = [0, 0, 0];
  try {
    for (let first = 0; first < SCHEDULES; first += OF_ONE_STORE) {
      const store = await Warehouse.open(folder.file(`${first}.sqlite`));
      for (let schedule = first; schedule < Math.min(first + OF_ONE_STORE, SCHEDULES); schedule++) {
        const random = new SeededRandom(SEED + schedule);
        const queue = new UnreliableQueue(`${SEED} ${schedule}`, random);
        const sent = records(schedule, random);
        const isSpoiled = random.next() < 0.3;
        const bodies = [...sent.map(({ body }) => body), ...(isSpoiled ? [`{"broken": ${schedule}`] : [])];
        const half = random.integer(0, bodies.length);
        queue.send(bodies.slice(0, half));
        queue.killing = random.pick([0, 0.02, 0.1, 0.3]);
        let late = bodies.slice(half);
        for (let run = 0; !queue.isEmpty || late.length > 0; run++) {
          if (run === 3 || queue.isEmpty) late = (queue.send(late), []);
          // Whoever operates it stops killing at some time.
          if (run === 40) queue.killing = 0;
          try {
            const { duplicates, rejected } = await consumeStream(queue.killed(store.stream), queue.source(), {
              now: () => queue.now,
            });
            redelivered += duplicates;
            aside += rejected;
          } catch (error) {
            if (!(error instanceof Killed)) throw error;
            kills++;
          }
          queue.now += random.integer(0, 120_000);
        }
        const expected = new Map<string, Totals>();
        for (const { hour, clicks, cents } of sent.toSorted((a, b) => a.hour < b.hour ? -1 : 1)) {
          const total = expected.get(hour) ?? { clicks: 0, cents: 0 };
          expected.set(hour, { clicks: total.clicks + clicks, cents: total.cents + cents });
        }
        assert.deepEqual(
          await storedTotals(store, schedule),
          expected,
          `schedule ${schedule} with seed ${SEED}`,
        );
        if (isSpoiled) {
          const { rows } = await store.query("SELECT count(*) AS n FROM stream_rejected WHERE body = ?", [
            `{"broken": ${schedule}`,
          ]);
          assert.equal(Number(rows[0]?.["n"]), 1);
        }
      }
      await store.close();
    }
    // Else nothing was tried.
    assert(kills > SCHEDULES && redelivered > SCHEDULES && aside > 0, `${kills} kills, ${redelivered} again`);
    console.log(`${SCHEDULES} schedules: ${kills} kills, ${redelivered} records that came again`);
  } finally {
    await folder.remove();
  }
});
