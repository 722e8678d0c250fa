import { deepEqual, equal, match, notEqual, ok } from "../support/assert.ts";
import { ChangePlan } from "../../mod.ts";
import { type FileFault, withFailingFiles } from "../support/failing_files.ts";
import { type Emulated, emulated } from "./support/emulated.ts";
import { ADSCTL, inPipe } from "./support/process.ts";
import { type CliRun, runCli } from "./support/run_cli.ts";
import { long } from "../support/long.ts";
import { withoutPolicy } from "../support/without_policy.ts";

const BID = 0.77;
/** More than the files that one application of a plan writes: journal (five times), rollback plan, result. */
const WRITES = 9;

interface Scene {
  readonly world: Emulated;
  /** A plan of two requests: keywords, then a campaign. */
  readonly plan: string;
  /** The state of everything the plan changes. */
  values(): Promise<unknown[]>;
}

async function scene(run: (scene: Scene) => Promise<void>): Promise<void> {
  await using world = await emulated();
  const listed = await runCli("list keywords -m CA --state enabled --json", world);
  const keywords: { keywordId: string; campaignId: string; bid?: number }[] = JSON.parse(listed.stdout);
  const ids = keywords.filter(({ bid }) => bid !== undefined && bid !== BID).slice(0, 3);
  const campaignId = ids[0]!.campaignId;
  const csv = await world.write(
    "k.csv",
    `id,bid\n${ids.map(({ keywordId }) => `${keywordId},${BID}\n`).join("")}`,
  );
  const named = await world.write("c.csv", `id,name\n${campaignId},Renamed\n`);
  for (const [what, file] of [["keywords", csv], ["campaigns", named]] as const) {
    const out = `${world.folder}/${what}.json`;
    const made = await runCli(["plan", "update", what, file, "-m", "CA", "--out", out], world);
    equal(made.code, 0, made.stderr);
  }
  const parts = await Promise.all(
    ["keywords", "campaigns"].map((name) => ChangePlan.load(`${world.folder}/${name}.json`)),
  );
  const { profileId, countryCode } = parts[0]!;
  const collection = (kind: string) => world.emulator.state.profile(profileId)!.collection(kind);
  const values = () =>
    Promise.resolve([
      ...ids.map(({ keywordId }) => collection("sp.keywords").get(keywordId)?.["bid"]),
      collection("sp.campaigns").get(campaignId)?.["name"],
    ]);
  const both = new ChangePlan({ profileId, countryCode, changes: parts.flatMap(({ changes }) => changes) });
  await run({ world, plan: await both.save(`${world.folder}/both.json`), values });
}

/** What the account shows of each change. */
async function done({ values }: Scene): Promise<boolean[]> {
  return (await values()).map((value) => value === BID || value === "Renamed");
}

/** Applies the plan while files fail, and checks that what is reported is what was done, and that it can be undone. */
async function applyAndCheck(scene: Scene, fault: FileFault, write: number): Promise<void> {
  const { world, plan } = scene;
  const before = await scene.values();
  const name = `${fault.code} at write ${write + 1}`;
  const run = await withFailingFiles(fault, () => runCli(["plan", "apply", plan, "--yes", "--json"], world));
  const now = await done(scene);
  if (run.stdout === "") {
    deepEqual(now, [false, false, false, false], `${name}: nothing was done`);
    equal(run.code, 1, name);
    match(run.stderr, /Cannot write/, name);
    // The plan is still open, unless the journal took a line and not the one that discards it.
    const again = await runCli(
      ["plan", write === 1 || write === 2 ? "resume" : "apply", plan, "--yes"],
      world,
    );
    equal(again.code, 0, `${name}: the plan can be sent. ${again.stderr}`);
  } else {
    const { changes, not_written: notWritten, ok: isOk } = JSON.parse(run.stdout);
    deepEqual(changes.map(({ outcome }: { outcome: string }) => outcome === "done"), now, name);
    equal(run.code, isOk ? notWritten.length > 0 ? 1 : 0 : 3, name);
    if (run.code !== 0) match(run.stderr + run.stdout, /Cannot write .*(disk is full|may not write)/, name);
    match(run.stderr, /To undo it:\n {2}adsctl plan undo/, name);
  }
  const undone = await runCli(["plan", "undo", plan, "--yes"], world);
  equal(undone.code, 0, `${name}: ${undone.stderr}`);
  deepEqual(await scene.values(), before, `${name}: undone`);
}

for (const code of ["ENOSPC", "EACCES"]) {
  if (code !== "ENOSPC") long();
  withoutPolicy("it counts the files that are written, and a policy writes one more");
  Deno.test(`whichever file cannot be written (${code}), what was done is reported and can be undone`, async (t) => {
    let reported = 0;
    // Each application is undone, so that the next plan finds the account as it was.
    await scene(async (parts) => {
      const { profileId, countryCode, changes } = await ChangePlan.load(parts.plan);
      for (let write = 0; write < WRITES; write++) {
        await t.step(`from write ${write + 1} on`, async () => {
          const plan = await new ChangePlan({ profileId, countryCode, changes })
            .save(`${parts.world.folder}/plan-${write}.json`);
          // A full disk still takes the beginning of a line.
          const fits = code === "ENOSPC" ? { fits: 20 } : {};
          await applyAndCheck({ ...parts, plan }, { path: /\.plans/, code, after: write, ...fits }, write);
          reported++;
        });
      }
    });
    equal(reported, WRITES);
  });
}

Deno.test("a result that no file holds is printed whole, with every change", () =>
  scene(async ({ world, plan }) => {
    const fault = { path: /result\.json|undo\.json/, code: "ENOSPC" };
    const run = await withFailingFiles(fault, () => runCli(["plan", "apply", plan, "--yes"], world));
    equal(run.code, 1);
    equal(run.stdout.split("\n").filter((line) => line.startsWith("  ✓ ")).length, 4);
    equal(run.stderr.match(/^error: Cannot write .*the disk is full$/gm)?.length, 2, run.stderr);
  }));

Deno.test("when nobody reads stdout any more, every verdict goes to stderr", () =>
  scene(async (parts) => {
    const { world, plan } = parts;
    for (const format of [[], ["--json"]]) {
      const before = await parts.values();
      const path = format.length === 0 ? plan : `${plan}.copy.json`;
      if (path !== plan) {
        const { profileId, countryCode, changes } = await ChangePlan.load(plan);
        await new ChangePlan({ profileId, countryCode, changes }).save(path);
      }
      const run = await runCli(["plan", "apply", path, "--yes", ...format], { ...world, closesAfter: -1 });
      equal(run.code, 1);
      match(run.stderr, /Cannot write to standard output\. What was done:\nApplied: plan/);
      match(run.stderr, /update sp\.keywords: 3 succeeded, 0 failed/);
      match(run.stderr, /Result: .*result\.json\nTo undo it:\n {2}adsctl plan undo/);
      deepEqual(await done(parts), [true, true, true, true]);
      equal((await runCli(["plan", "undo", path, "--yes"], world)).code, 0);
      deepEqual(await parts.values(), before);
    }
  }));

Deno.test("Ctrl-C after the last request reports everything, and ends with 130", () =>
  scene(async (parts) => {
    let press = (): void => {};
    const run = await runCli(["plan", "apply", parts.plan, "--yes", "--json"], {
      ...parts.world,
      onInterrupt: (handler) => void (press = handler),
      fetch: async (input, init) => {
        const response = await fetch(input, init);
        const body = await response.arrayBuffer();
        if (init?.method === "PUT" && String(input).includes("campaigns")) {
          press();
          press();
        }
        return new Response(body, response);
      },
    });
    equal(run.code, 130, run.stderr);
    const { changes, result_file: file } = JSON.parse(run.stdout);
    deepEqual(changes.map(({ outcome }: { outcome: string }) => outcome), Array(4).fill("done"));
    equal(JSON.parse(await Deno.readTextFile(file)).ok, true);
    match(run.stderr, /adsctl plan undo/);
  }));

long();
Deno.test("for real: a file where the folder should be, a closed pipe, a limit on the size of files", async (t) => {
  const inShell = (world: Emulated, line: string): Promise<CliRun> =>
    inPipe(["bash", "-c", line], { env: world.env, cwd: world.folder });
  const adsctl = ADSCTL.map((word) => `'${word}'`).join(" ");

  await t.step("a file in place of the folder: nothing is sent", () =>
    scene(async (parts) => {
      await parts.world.write(".plans", "");
      const run = await inShell(parts.world, `${adsctl} plan apply both.json --yes`);
      notEqual(run.code, 0, run.stderr);
      match(run.stderr, /^error: Cannot .* "\.plans\/plan-.*": a part of the path is not a folder/);
      deepEqual(await done(parts), [false, false, false, false]);
    }));

  await t.step("a pipe that is closed at once: everything is on stderr", () =>
    scene(async (parts) => {
      const line = `set -o pipefail; ${adsctl} plan apply both.json --yes | true`;
      const run = await inShell(parts.world, line);
      deepEqual(await done(parts), [true, true, true, true]);
      equal(run.code, 1, run.stderr);
      match(run.stderr, /What was done:\nApplied: plan \S+ for profile/);
      match(run.stderr, /To undo it:\n {2}adsctl plan undo both\.json/);
    }));

  await t.step("files of a kilobyte at the most: what was done is reported", () =>
    scene(async (parts) => {
      const line = `ulimit -f 1; trap '' XFSZ; ${adsctl} plan apply both.json --yes`;
      const run = await inShell(parts.world, line);
      notEqual(run.code, 0);
      match(run.stderr + run.stdout, /Cannot write .*larger than the system allows/);
      const now = await done(parts);
      ok(now.includes(true), "the first kilobyte of the journal is enough for a request");
      match(
        run.stdout,
        new RegExp(`update sp\\.keywords: ${now.slice(0, 3).filter(Boolean).length} succeeded`),
      );
      match(run.stderr, /To undo it/);
    }));
});
