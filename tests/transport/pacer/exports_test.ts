import { deepEqual, equal, rejects } from "../../support/assert.ts";
import type { ProfileClient, TransportEvent } from "../../../mod.ts";
import { type Emulated, emulated } from "../../support/emulated.ts";
import { FakeTime } from "../../support/fake_time.ts";
import { until } from "../../support/until.ts";

const CREATE = "v1-exports:CampaignExport";

interface Created {
  readonly exportId: string;
}

async function started(): Promise<Emulated & { held: FakeTime; events: TransportEvent[] }> {
  const held = new FakeTime({ held: true });
  const events: TransportEvent[] = [];
  const world = await emulated({
    emulator: { quirks: { reportSeconds: 60 }, clock: { now: "2026-09-30T12:00:00Z", frozen: true } },
    client: { now: held.now, sleep: held.sleep, onEvent: (event) => events.push(event) },
  });
  return { ...world, held, events, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() };
}

async function create(us: ProfileClient, signal?: AbortSignal): Promise<Created> {
  return await us.call(CREATE, {}, signal === undefined ? {} : { signal }) as Created;
}

function statuses({ emulator }: Emulated): (number | undefined)[] {
  return emulator.requests().filter(({ method, path }) =>
    method === "POST" && path.endsWith("/campaigns/export")
  )
    .map(({ status }) => status);
}

Deno.test("an export past the five that the platform builds waits until one of them is done, and is not refused", async () => {
  await using world = await started();
  const { emulator, us, held, events } = world;
  const done: Created[] = [];
  const asked = Array.from({ length: 8 }, async () => done.push(await create(us)));
  await until(() => held.sleepers === 1 && done.length === 5);
  equal(events.filter(({ kind }) => kind === "wait").length, 1, "that it waits is reported");
  emulator.advance(60);
  held.advance(2);
  await Promise.all(asked);
  equal(new Set(done.map(({ exportId }) => exportId)).size, 8);
  deepEqual(statuses(world), Array(8).fill(202));
});

Deno.test("a look by the caller that finds an export done makes room at once; another endpoint has room of its own", async () => {
  await using world = await started();
  const { emulator, us } = world;
  const exports = [];
  for (let count = 0; count < 5; count++) exports.push(await create(us));
  await us.call("v1-exports:AdExport", {});
  emulator.advance(60);
  const accept = "application/vnd.campaignsexport.v1+json";
  await us.call("v1-exports:GetExport", undefined, {
    pathParams: { exportId: exports[3]!.exportId },
    accept,
  });
  world.asked();
  await create(us);
  deepEqual(world.asked(), ["POST /campaigns/export"], "nothing had to be looked at");
});

Deno.test("an export that waits can be aborted, and the ones behind it go on", async () => {
  await using world = await started();
  const { emulator, us, held } = world;
  for (let count = 0; count < 5; count++) await create(us);
  const stop = new AbortController();
  const aborted = create(us, stop.signal);
  const next = create(us);
  await until(() => held.sleepers === 1);
  stop.abort(new Error("enough"));
  await rejects(aborted, /enough/);
  emulator.advance(60);
  await until(() => held.sleepers >= 1);
  held.advance(30);
  await next;
  deepEqual(statuses(world), Array(6).fill(202));
});
