import assert from "node:assert/strict";
import { type Emulated, emulated } from "./support/emulated.ts";
import { type CliRun, runCli } from "./support/run_cli.ts";

interface Keyword {
  readonly keywordId: string;
  readonly bid?: number;
}

function environment(world: Emulated): Record<string, string> {
  return { ...world.env, XDG_CONFIG_HOME: `${world.folder}/config` };
}

async function planBids(world: Emulated, bid: string, count = 1): Promise<string> {
  const listed = await runCli("list keywords -m CA --state enabled --json", world);
  const keywords = (JSON.parse(listed.stdout) as Keyword[]).filter((one) =>
    one.bid !== undefined && one.bid > 0.3 && one.bid < 2
  );
  const rows = keywords.slice(0, count).map(({ keywordId }) => `${keywordId},${bid}`);
  const file = await world.write("bids.csv", ["keywordId,bid", ...rows].join("\n"));
  const out = `${world.folder}/plan-${bid}.json`;
  const made = await runCli(["plan", "update", "keywords", file, "-m", "CA", "--out", out], world);
  assert.equal(made.code, 0, made.stderr);
  return out;
}

interface Shown {
  readonly applied: {
    readonly override: {
      readonly by: string;
      readonly findings: readonly { readonly code: string }[];
      readonly approval: { readonly signature: string } | null;
    } | null;
  } | null;
}

async function shown(world: Emulated, plan: string): Promise<{ data: Shown; text: string }> {
  const env = environment(world);
  const data = JSON.parse((await runCli(["plan", "show", plan, "--json"], { env })).stdout);
  return { data, text: (await runCli(["plan", "show", plan], { env })).stdout };
}

Deno.test("what a policy asks a person is signed at the terminal, kept with the result and shown", async () => {
  await using world = await emulated();
  const policy = await world.write("policy.yaml", "version: 1\nmax_bid: 2.5\nlevels: { max_bid: approve }\n");
  const plan = await planBids(world, "3");
  const env = environment(world);
  const apply = (stdin: string): Promise<CliRun> =>
    runCli(["plan", "apply", plan, "--policy", policy], { env, terminal: 100, stdin });
  const hurried = await apply("y\n");
  assert.equal(hurried.code, 1);
  assert.match(hurried.stderr, /Type "apply" to go on/);
  const applied = await apply("apply\nsecret words\nsecret words\n");
  assert.equal(applied.code, 0, applied.stderr);
  assert.doesNotMatch(applied.stderr + applied.stdout, /secret words/);
  const result = /Result:\s+(.*)/.exec(applied.stderr)![1]!;
  const { data, text } = await shown(world, plan);
  const { override } = data.applied!;
  assert.equal(override?.by, "a person at a terminal");
  assert.deepEqual(override?.findings.map(({ code }) => code), ["AMOUNT_TRIPLED", "POLICY_MAX_BID"]);
  assert.match(override?.approval?.signature ?? "", /^[A-Za-z0-9+/=]{40,}$/);
  assert.match(
    text,
    /Overridden by a person at a terminal, signed 20\d\d-.*:\n(?:.*\n)?.*bid 3 CAD .*\b2\.5 CAD/,
  );

  // Who changes the record cannot sign it anew.
  const record = JSON.parse(await Deno.readTextFile(result));
  record.override.approval.approved_at = "2026-01-01T00:00:00.000Z";
  await Deno.writeTextFile(result, JSON.stringify(record));
  assert.match((await shown(world, plan)).text, /with a signature of 2026-01-01.* that is NOT VALID here/);
});

Deno.test("the accepted risk of a plan, and refusals that were sent anyway, are kept and shown without a signature", async () => {
  await using world = await emulated();
  const env = environment(world);
  const risky = await planBids(world, "9");
  assert.equal((await runCli(["plan", "apply", risky, "--yes"], { env })).code, 4);
  assert.equal((await runCli(["plan", "apply", risky, "--yes", "--accept-risk"], { env })).code, 0);
  const first = await shown(world, risky);
  assert.match(first.text, /Overridden by --accept-risk, not signed:\n {2}approve: .*AMOUNT_TRIPLED/);
  assert.equal(first.data.applied?.override?.approval, null);

  const refused = await planBids(world, "99999", 2);
  const words = ["plan", "apply", refused, "--yes", "--accept-risk", "--send-anyway"];
  assert.equal((await runCli(words, { env })).code, 3);
  const codes = (await shown(world, refused)).data.applied?.override?.findings.map(({ code }) => code);
  assert.ok(codes?.includes("BID_OUT_OF_MARKET_PLACE_RANGE"), codes?.join());

  const plain = await planBids(world, "0.9");
  assert.equal((await runCli(["plan", "apply", plain, "--yes"], { env })).code, 0);
  const { data, text } = await shown(world, plain);
  assert.equal(data.applied?.override, null);
  assert.match(text, /\nApplied 20\d\d-.*: update sp\.keywords: /);
  assert.doesNotMatch(text, /Overridden/);
});

Deno.test("plan resume leaves out what the platform would refuse, and sends it under --send-anyway", async () => {
  for (const anyway of [false, true]) {
    await using world = await emulated();
    const env = environment(world);
    const plan = await planBids(world, "99999");
    const { id } = JSON.parse(await Deno.readTextFile(plan)) as { id: string };
    // A program that died after it began and before it sent anything leaves a journal without requests.
    const dies: typeof globalThis.fetch = (input, init) => {
      if (init?.method === "PUT") throw new TypeError("connection refused");
      return globalThis.fetch(input, init);
    };
    const words = ["plan", "apply", plan, "--yes", "--accept-risk", "--send-anyway"];
    await runCli(words, { env, fetch: dies });
    await Deno.remove(`${world.folder}/.plans/plan-${id}.result.json`);
    const more = anyway ? ["--send-anyway"] : [];
    const resume = ["plan", "resume", plan, "--yes", "--json", ...more];
    const before = world.emulator.requests().length;
    const bare = await runCli(resume, { env });
    assert.equal(bare.code, 4, "the risk is asked about again");
    const run = await runCli([...resume, "--accept-risk"], { env });
    assert.equal(run.code, 3, run.stderr);
    const puts = world.emulator.requests().slice(before).filter(({ method }) => method === "PUT");
    assert.equal(puts.length, anyway ? 1 : 0);
    const [change] = JSON.parse(run.stdout).changes;
    assert.equal(change.outcome, anyway ? "refused" : "not_sent");
  }
});
