import assert from "node:assert/strict";
import { type Emulated, emulated } from "./support/emulated.ts";
import { type CliRun, type CliWorld, runCli } from "./support/run_cli.ts";
import { long } from "../support/long.ts";

type Row = Record<string, unknown>;

interface StreamWorld extends Emulated {
  run(line: string, more?: CliWorld): Promise<CliRun>;
  json(line: string): Promise<Row>;
}

/** An emulator whose clock stands still, and an adsctl that knows its queue. */
async function streamWorld(): Promise<StreamWorld> {
  const world = await emulated({
    clock: { now: "2026-09-26T20:20:00Z", frozen: true },
    quirks: { reportSeconds: 0 },
    sleep: () => Promise.resolve(),
  });
  const { url, accessKeyId, secretAccessKey } = world.emulator.queue();
  const env = {
    ...world.env,
    PLATFORM_ADS_STORE: `${world.folder}/ads.sqlite`,
    PLATFORM_ADS_QUEUE: url,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
  };
  const run = (line: string, more: CliWorld = {}): Promise<CliRun> =>
    runCli(line, { env, now: () => world.emulator.clock.now(), ...more });
  const json = async (line: string): Promise<Row> => {
    const { code, stdout, stderr } = await run(`${line} --json`);
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout);
  };
  return Object.assign(world, { run, json });
}

async function subscribed(datasets: string): Promise<StreamWorld> {
  const world = await streamWorld();
  const plan = `${world.folder}/plan.json`;
  const setup = await world.run(`store stream setup -m CA --dataset ${datasets} --out ${plan}`);
  assert.equal(setup.code, 0, setup.stderr);
  assert.match(setup.stdout, /dataSetId sp-traffic/);
  const applied = await world.run(`plan apply ${plan} --yes --accept-risk`);
  assert.equal(applied.code, 0, applied.stderr);
  return world;
}

long();
Deno.test("store stream setup plans subscriptions, confirm confirms them, consume stores hours that agree with the reports", async () => {
  await using world = await subscribed("sp-traffic,sp-conversion");
  const again = await world.run("store stream setup -m CA --dataset sp-traffic");
  assert.match(again.stderr, /sp-traffic is subscribed to already: PENDING_CONFIRMATION\nNothing to change/);

  const confirmed = await world.run("store stream confirm --yes --json");
  assert.equal(confirmed.code, 0, confirmed.stderr);
  const outcomes = JSON.parse(confirmed.stdout) as Row[];
  assert.deepEqual(outcomes.map(({ outcome }) => outcome), ["confirmed", "confirmed"]);
  assert.match((await world.run("store stream confirm --yes")).stderr, /No subscriptions to confirm/);

  world.emulator.advance(58 * 3600);
  const before = await world.json("store stream status -m CA");
  assert((before["queue"] as Row)["waiting"] as number > 1000);
  const consumed = await world.json("store stream run --once");
  assert(Number(consumed["stored"]) > 1000, JSON.stringify(consumed));
  assert(Number(consumed["duplicates"]) > 0, "a queue delivers some messages twice");
  assert.equal((await world.json("store stream run --once"))["stored"], 0);

  const status = await world.json("store stream status -m CA");
  const [conversions, traffic] = status["datasets"] as Row[];
  assert.deepEqual(
    [traffic?.["subscription"], traffic?.["last_hour"], traffic?.["behind_minutes"]],
    ["ACTIVE", "2026-09-29T05:00:00.000Z", 20],
  );
  assert.equal(conversions?.["dataset"], "sp-conversion");
  assert.deepEqual(status["queue"], { waiting: 0, in_flight: 0 });

  // Invalid clicks are taken back within thirty hours: the 27th is final.
  const synced = await world.run(
    "sync -m CA --report sp_campaigns --start 2026-09-26 --end 2026-09-28 --no-entities",
  );
  assert.equal(synced.code, 0, synced.stderr);
  const reconciled = await world.run("store stream reconcile --json --fail-on-differences");
  assert.equal(reconciled.code, 6, "the first day is not whole");
  const lines = JSON.parse(reconciled.stdout) as Row[];
  const whole = lines.filter(({ date }) => date === "2026-09-27");
  assert.equal(whole.length, 5);
  for (const line of whole) {
    assert.deepEqual([line["difference"], line["note"]], [0, ""], JSON.stringify(line));
  }
  const first = lines.find(({ date, metric }) => date === "2026-09-26" && metric === "clicks");
  assert.match(String(first?.["note"]), /^11 hours in the stream/);
  const byCampaign = await world.run(
    "store stream reconcile --start 2026-09-27 --end 2026-09-27 --by-campaign --fail-on-differences",
  );
  assert.equal(byCampaign.code, 0, byCampaign.stdout);
});

long();
Deno.test("a delivery stream is subscribed by a plan, and its bucket and folder give the hours that the reports have", async () => {
  await using world = await streamWorld();
  const { emulator, folder } = world;
  emulator.setQuirks({ deliveryGzip: true });
  const stream = emulator.deliveryStream();
  const to = `--firehose ${stream.deliveryStreamArn} --subscription-role ${stream.subscriptionRoleArn} ` +
    `--subscriber-role ${stream.subscriberRoleArn}`;
  const setup = await world.run(
    `store stream setup -m CA --dataset sp-traffic,sp-conversion ${to} --out ${folder}/plan.json`,
  );
  assert.equal(setup.code, 0, setup.stderr);
  const applied = await world.run(`plan apply ${folder}/plan.json --yes --accept-risk`);
  assert.equal(applied.code, 0, applied.stderr);
  emulator.advance(60);
  const again = await world.run(`store stream setup -m CA --dataset sp-traffic ${to}`);
  assert.match(again.stderr, /sp-traffic is subscribed to already: ACTIVE\nNothing to change/);

  emulator.advance(58 * 3600);
  const env = { ...world.env, AWS_ENDPOINT_URL_S3: stream.endpoint, AWS_ACCESS_KEY_ID: "emulator" };
  const consume = async (from: string, store: string): Promise<Row> => {
    const { code, stdout, stderr } = await world.run(
      `store stream run --from ${from} --json --store ${store}`,
      {
        env: { ...env, AWS_SECRET_ACCESS_KEY: "emulator" },
      },
    );
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout);
  };
  const [first, second] = [`${folder}/first.sqlite`, `${folder}/second.sqlite`];
  const consumed = await consume(stream.address, first);
  assert(Number(consumed["stored"]) > 1000 && Number(consumed["duplicates"]) > 0, JSON.stringify(consumed));
  assert(Number((consumed["files"] as Row)["read"]) > 50);
  assert.equal((await consume(stream.address, first))["messages"], 0);
  emulator.advance(3600);
  assert.deepEqual((await consume(stream.address, first))["duplicates"] as number < 50, true);

  const written = await emulator.deliver(`${folder}/delivered`);
  assert(written > 50 && await emulator.deliver(`${folder}/delivered`) === 0);
  await consume(`${folder}/delivered`, second);
  const found: string[] = [];
  for (const store of [first, second]) {
    const synced = await world.run(
      `sync -m CA --report sp_campaigns --start 2026-09-27 --end 2026-09-27 --no-entities --store ${store}`,
    );
    assert.equal(synced.code, 0, synced.stderr);
    const reconciled = await world.run(
      `store stream reconcile --json --fail-on-differences --store ${store}`,
    );
    assert.equal(reconciled.code, 0, reconciled.stdout);
    assert.equal((JSON.parse(reconciled.stdout) as Row[]).length, 5);
    found.push(reconciled.stdout);
  }
  assert.equal(found[0], found[1]);
});

Deno.test("store stream run reads files and standard input without a login, and sets aside what cannot be read", async () => {
  await using world = await streamWorld();
  const record = (id: string): string =>
    JSON.stringify({
      dataset_id: "sp-traffic",
      idempotency_id: id,
      advertiser_id: "ENTITY1",
      marketplace_id: "M1",
      time_window_start: "2026-09-01T10:00:00Z",
      clicks: 1,
    });
  await Deno.mkdir(`${world.folder}/in/deep`, { recursive: true });
  await Deno.writeTextFile(`${world.folder}/in/one.jsonl`, `${record("a")}\n${record("b")}\n`);
  await Deno.writeTextFile(`${world.folder}/in/deep/two`, record("c") + record("d"));
  await Deno.writeTextFile(`${world.folder}/in/.hidden`, "no");
  const packed = new Response(
    new Blob([record("e")]).stream().pipeThrough(new CompressionStream("gzip")),
  );
  await Deno.writeFile(`${world.folder}/in/three.gz`, await packed.bytes());
  const env = { PLATFORM_ADS_STORE: `${world.folder}/other.sqlite`, HOME: world.folder };
  const read = await world.run(`store stream run --from ${world.folder}/in --json`, { env });
  assert.equal(read.code, 0, read.stderr);
  assert.equal(JSON.parse(read.stdout).stored, 5);
  assert.match(read.stderr, /No profile is known for 1 advertisers.* UTC: ENTITY1/);
  const piped = await world.run("store stream run --from -", {
    env,
    stdin: `${record("a")}\nnot json\n${record("f")}`,
  });
  assert.equal(piped.code, 3);
  assert.match(piped.stderr, /^3 messages: 1 records stored, 1 duplicates, 1 set aside in /);
  assert.match(piped.stderr, /To list unreadable messages:\n {2}adsctl query/);
  const status = await world.run("store stream status --json", { env });
  assert.equal(JSON.parse(status.stdout).rejected, 1);
});

Deno.test("store stream commands refuse what makes no sense before anything is sent", async () => {
  await using world = await streamWorld();
  const refused = [
    ["store stream setup -m CA", /add --dataset/],
    ["store stream setup -m CA --dataset sp-trafic", /did you mean "sp-traffic"/],
    ["store stream setup -m CA --dataset sp-traffic --queue nowhere", /expected its address/],
    [
      "store stream setup -m CA --dataset sp-traffic --queue arn:aws:sqs:us-east-1:000000000000:a.fifo",
      /standard queues only/,
    ],
    ["store stream run --from x --queue y", /choose one/],
    ["store stream run --from x --follow --once", /choose one/],
    ["store stream run --follow --again", /Cannot use --follow: add --from/],
    ["store stream run --from gs://hourly", /expected the path of a folder, or s3:/],
    [
      "store stream setup -m CA --dataset sp-traffic --subscriber-role x",
      /Cannot use --subscriber-role: add --firehose/,
    ],
    [
      "store stream setup -m CA --dataset sp-traffic --firehose x",
      /add --subscription-role and --subscriber-role/,
    ],
    [
      "store stream setup -m CA --dataset sp-traffic --firehose arn:aws:firehose:eu-west-1:123456789012:deliverystream/h " +
      "--subscription-role arn:aws:iam::123456789013:role/a --subscriber-role b",
      /in eu-west-1.* NA deliver to us-east-1; the subscription role belongs to account 123456789013.*"b" is not an ARN/,
    ],
    ["store stream run --from /nowhere", /does not exist/],
    ["store stream reconcile --above much", /is not a share/],
    ["store stream confirm", /there is no terminal/],
  ] as const;
  for (const [line, message] of refused) {
    const { code, stderr } = await world.run(line);
    assert.equal(code, 2, `${line}: ${stderr}`);
    assert.match(stderr, message);
  }
  const calls = world.emulator.requests().filter(({ operation }) => operation?.includes("stream"));
  assert.deepEqual(calls, []);
});

Deno.test("store stream run reports a queue that refuses its keys", async () => {
  await using world = await streamWorld();
  const { code, stderr } = await world.run("store stream run --once", {
    env: {
      ...world.env,
      PLATFORM_ADS_STORE: `${world.folder}/ads.sqlite`,
      PLATFORM_ADS_QUEUE: world.emulator.queue().url,
      AWS_ACCESS_KEY_ID: "emulator",
      AWS_SECRET_ACCESS_KEY: "wrong-secret",
    },
  });
  assert.equal(code, 2);
  assert.match(stderr, /SignatureDoesNotMatch/);
  assert.doesNotMatch(stderr, /wrong-secret/);
});
