import assert from "node:assert/strict";
import { ChangePlan } from "../../mod.ts";
import { type Emulated, emulated } from "./support/emulated.ts";
import { runCli } from "./support/run_cli.ts";

/** How many changes of a result, as `--json` prints it, have each outcome. */
function outcomes(json: string): Record<"done" | "refused" | "unknown" | "not_sent", number> {
  const { changes } = JSON.parse(json) as { changes: { outcome: string }[] };
  const count = (outcome: string): number => changes.filter((change) => change.outcome === outcome).length;
  return {
    done: count("done"),
    refused: count("refused"),
    unknown: count("unknown"),
    not_sent: count("not_sent"),
  };
}

/** A plan whose application needs three requests: Brands keywords go a hundred at a time. */
async function longPlan(world: Emulated): Promise<{ file: string; count: number }> {
  const listed = await runCli("list sb-keywords -m US --json", world);
  const rows = (JSON.parse(listed.stdout) as { keywordId: string; bid: number }[]).slice(0, 250);
  assert.equal(rows.length, 250, "the demo account has enough of them");
  const csv = await world.write(
    "k.csv",
    `id,bid\n${rows.map(({ keywordId }) => `${keywordId},+10%`).join("\n")}\n`,
  );
  const file = `${world.folder}/plan.json`;
  const made = await runCli(
    ["plan", "update", "sb-keywords", csv, "-m", "US", "--out", file, "--json"],
    world,
  );
  assert.equal(made.code, 0, made.stderr);
  // What the plan foresees would not be sent at all.
  await new ChangePlan({ ...await ChangePlan.load(file), findings: [] }).save(file);
  const { update, not_sent: unsent = 0 } = JSON.parse(made.stdout).counts;
  return { file, count: update + unsent };
}

function puts(world: Emulated): number {
  return world.emulator.requests().filter(({ method }) => method === "PUT").length;
}

Deno.test("Ctrl-C while a plan is applied lets the request in flight finish, reports, writes the rollback; resume finishes", async () => {
  await using world = await emulated();
  const { file, count } = await longPlan(world);
  let press = (): void => {};
  const run = await runCli(["plan", "apply", file, "--yes", "--no-check-drift", "--json"], {
    ...world,
    terminal: 200,
    onInterrupt: (handler) => void (press = handler),
    fetch: (input, init) => {
      if (init?.method === "PUT" && puts(world) === 1) press();
      return fetch(input, init);
    },
  });
  assert.equal(run.code, 130, run.stderr);
  const result = outcomes(run.stdout);
  assert.equal(result.done + result.refused, 200, "two requests were answered");
  assert.equal(result.not_sent, count - 200);
  assert.match(run.stderr, /adsctl plan undo .*plan\.json/);
  assert.match(run.stderr, /adsctl plan resume .*plan\.json/);
  assert.match(run.stderr, /^Stopping when the current work is done\. Ctrl-C again stops at once$/m);

  const look = await runCli(["plan", "resume", file, "--look"], world);
  assert.equal(look.code, 3);
  assert.match(look.stdout, new RegExp(`${result.done} succeeded`));
  assert.equal(puts(world), 2);
  const rest = await runCli(["plan", "resume", file, "--yes", "--json"], world);
  const whole = outcomes(rest.stdout);
  // Resuming judges anew: what the platform would refuse is not sent.
  assert.equal(whole.unknown, 0, rest.stdout);
  assert.equal(whole.done + whole.refused + whole.not_sent, count);
  assert.ok(whole.done > result.done);
  assert.equal(puts(world), 3, "nothing is sent twice");
  const rollback = JSON.parse(await Deno.readTextFile(JSON.parse(rest.stdout).rollback_file));
  assert.equal(rollback.changes.length, whole.done, "the rollback covers both runs");
});

Deno.test("a second Ctrl-C stops at once and says what is unknown", async () => {
  await using world = await emulated();
  const { file } = await longPlan(world);
  let press = (): void => {};
  const run = await runCli(["plan", "apply", file, "--yes", "--no-check-drift", "--json"], {
    ...world,
    onInterrupt: (handler) => void (press = handler),
    fetch: async (input, init) => {
      if (init?.method !== "PUT") return await fetch(input, init);
      press();
      press();
      init.signal?.throwIfAborted();
      return await fetch(input, init);
    },
  });
  assert.equal(run.code, 130, run.stderr);
  assert.deepEqual(outcomes(run.stdout), { done: 0, refused: 0, unknown: 100, not_sent: 150 });
  assert.equal(run.stderr.split("\n").filter((line) => line.startsWith("warning: ")).length, 10);
  assert.match(run.stderr, /^\.\.\. and 90 more warnings, all in the result file$/m);
});

Deno.test("Ctrl-C while reading ends with 130 and no stack", async () => {
  await using world = await emulated();
  let press = (): void => {};
  const run = await runCli("list keywords -m US", {
    ...world,
    onInterrupt: (handler) => void (press = handler),
    fetch: (input, init) => {
      if (String(input).includes("/sp/keywords")) press();
      return fetch(input, init);
    },
  });
  assert.deepEqual([run.code, run.stderr], [130, "error: Interrupted\n"]);
});

Deno.test("a run that was killed in the middle is refused by apply, and finished by resume", async () => {
  await using world = await emulated();
  const { file, count } = await longPlan(world);
  let press = (): void => {};
  const killed = await runCli(["plan", "apply", file, "--yes", "--no-check-drift"], {
    ...world,
    onInterrupt: (handler) => void (press = handler),
    fetch: (input, init) => {
      if (init?.method === "PUT" && puts(world) === 1) {
        press();
        press();
        return Promise.reject(init.signal!.reason);
      }
      return fetch(input, init);
    },
  });
  assert.equal(killed.code, 130);
  // What a killed process cannot write is not there.
  for (const { name } of Deno.readDirSync(`${world.folder}/.plans`)) {
    if (!name.endsWith(".journal.jsonl")) await Deno.remove(`${world.folder}/.plans/${name}`);
  }
  const again = await runCli(["plan", "apply", file, "--yes"], world);
  assert.equal(again.code, 4);
  assert.match(
    again.stderr,
    /another process is applying it now, or it was interrupted: "adsctl plan resume --look .*plan\.json"/,
  );
  const resumed = await runCli(["plan", "resume", file, "--yes"], world);
  assert.ok([0, 3].includes(resumed.code), resumed.stderr);
  assert.doesNotMatch(resumed.stdout, /earlier request failed|It may or may not have been done/);
  assert.equal(puts(world), 1 + Math.ceil((count - 100) / 100), "nothing is sent twice");
});

Deno.test("plan resume refuses a plan that was never begun, and asks before it sends", async () => {
  await using world = await emulated();
  const { file } = await longPlan(world);
  const never = await runCli(["plan", "resume", file, "--yes"], world);
  assert.equal(never.code, 2);
  assert.match(never.stderr, /never begun/);
});
