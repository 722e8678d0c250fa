import { deepEqual, equal, match, ok } from "../support/assert.ts";
import { type Emulated, emulated } from "./support/emulated.ts";
import { ADSCTL, inPipe } from "./support/process.ts";
import { runCli } from "./support/run_cli.ts";

interface Scene {
  readonly world: Emulated;
  /** Path of a plan that changes the bids of two keywords. */
  readonly plan: string;
  /** Ids of the two, and of a third one. */
  readonly ids: readonly string[];
  /** Bids of the two. */
  bids(): unknown[];
  /** Sets a bid by hand, as somebody in the console would. */
  setBid(id: string, bid: number): void;
}

async function scene(run: (scene: Scene) => Promise<void>): Promise<void> {
  await using world = await emulated();
  const listed = await runCli("list keywords -m CA --state enabled --json", world);
  const ids = (JSON.parse(listed.stdout) as { keywordId: string; bid?: number }[])
    .filter(({ bid }) => bid !== undefined).map(({ keywordId }) => keywordId).slice(0, 3);
  const csv = await world.write("bids.csv", `id,bid\n${ids[0]},0.71\n${ids[1]},0.72\n`);
  const plan = `${world.folder}/raise.json`;
  const made = await runCli(["plan", "update", "keywords", csv, "-m", "CA", "--out", plan], world);
  equal(made.code, 0, made.stderr);
  const { profile_id: profileId } = JSON.parse(await Deno.readTextFile(plan));
  const keywords = world.emulator.state.profile(profileId)!.collection("sp.keywords");
  await run({
    world,
    plan,
    ids,
    bids: () => ids.slice(0, 2).map((id) => keywords.get(id)?.["bid"]),
    setBid: (id, bid) => keywords.replace({ ...keywords.get(id)!, bid }),
  });
}

function visible(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).filter((name) => !name.startsWith(".")).sort();
}

Deno.test("one apply and one undo leave one visible file, and nobody else can read what they wrote", () =>
  scene(async ({ world, plan }) => {
    const before = visible(world.folder);
    equal((await runCli(["plan", "apply", plan, "--yes"], world)).code, 0);
    equal((await runCli(["plan", "undo", plan, "--yes"], world)).code, 0);
    deepEqual(visible(world.folder), before);
    const files = [
      plan,
      ...[...Deno.readDirSync(`${world.folder}/.plans`)].map(({ name }) => `${world.folder}/.plans/${name}`),
    ];
    equal(
      files.length,
      7,
      "the plan; journal and result, twice; the rollback plan and the one that would undo it",
    );
    if (Deno.build.os !== "windows") {
      deepEqual(files.filter((path) => (Deno.statSync(path).mode! & 0o077) !== 0), []);
    }
  }));

Deno.test("plans are listed and shown by their ids, whatever their files are called and wherever they are", () =>
  scene(async ({ world, plan }) => {
    const { id } = JSON.parse(await Deno.readTextFile(plan));
    const list = async (...more: string[]): Promise<Record<string, unknown>[]> =>
      JSON.parse((await runCli(["plan", "list", "--folder", world.folder, "--json", ...more], world)).stdout);
    deepEqual((await list()).map(({ id, state, file }) => [id, state, file]), [[id, "open", plan]]);
    await Deno.writeTextFile(`${world.folder}/other.json`, "{}");
    equal((await runCli(["plan", "apply", plan, "--yes"], world)).code, 0);
    deepEqual((await list()).map(({ id, state }) => [id, state]), [[id, "applied"]]);
    const all = (await list("--all")).map(({ id, state }) => [id, state]);
    deepEqual(all, [[`${id}-undo`, "open"], [id, "applied"]]);

    // The tool server's layout: plans under their own names in one folder.
    const served = `${world.folder}/served`;
    await Deno.mkdir(served);
    await Deno.rename(plan, `${served}/plan-${id}.json`);
    const env = { ...world.env, PLATFORM_ADS_MCP_PLAN_DIR: served };
    const shown = await runCli(["plan", "show", id], { env });
    match(shown.stdout, new RegExp(`^Plan ${id} for profile`));
    match(shown.stdout, /^Campaign SP \| .* \(\d+\)$/m, "the campaign's name is in the plan");
    const listed = await runCli(["plan", "list", "--json"], { env });
    deepEqual(JSON.parse(listed.stdout).filter((row: { id: string }) => row.id === id).length, 1);
    const nowhere = await runCli(["plan", "show", "20990101-000000-00000000"], { env });
    equal(nowhere.code, 2);
    match(
      nowhere.stderr,
      /there is no such file, and no plan of that id in .*"adsctl plan list" shows the plans/,
    );
  }));

Deno.test("undoing stops where somebody changed something since, and --skip-drifted undoes the rest and lists what was left", () =>
  scene(async ({ world, plan, ids, bids, setBid }) => {
    const before = bids();
    equal((await runCli(["plan", "apply", plan, "--yes"], world)).code, 0);
    setBid(ids[0]!, 5);
    const refused = await runCli(["plan", "undo", plan, "--yes"], world);
    equal(refused.code, 4, refused.stderr);
    match(refused.stderr, /the account changed since it was made.*"bid" was 0\.71 and is 5/);
    deepEqual(bids(), [5, 0.72]);
    const rest = await runCli(["plan", "undo", plan, "--yes", "--skip-drifted"], world);
    equal(rest.code, 3, rest.stderr);
    match(
      rest.stdout,
      new RegExp(`keyword .* ${ids[0]} .*\\n +never sent: DRIFTED: .*"bid" was 0\\.71 and is 5`),
    );
    deepEqual(bids(), [5, before[1]]);
  }));

Deno.test("what an undo could not put back is undone by the same command later, and by none after that", () =>
  scene(async ({ world, plan, ids, bids, setBid }) => {
    const before = bids();
    equal((await runCli(["plan", "apply", plan, "--yes"], world)).code, 0);
    setBid(ids[0]!, 5);
    equal((await runCli(["plan", "undo", plan, "--yes", "--skip-drifted"], world)).code, 3);
    const early = await runCli(["plan", "undo", plan, "--yes"], world);
    equal(early.code, 4, early.stderr);
    const left = await runCli(["plan", "undo", plan, "--yes", "--skip-drifted"], world);
    equal(left.code, 3, left.stderr);
    setBid(ids[0]!, 0.71);
    const rest = await runCli(["plan", "undo", plan, "--yes", "--send-anyway"], world);
    equal(rest.code, 0, rest.stderr);
    deepEqual(bids(), before);
    const again = await runCli(["plan", "undo", plan, "--yes"], world);
    equal(again.code, 4, again.stderr);
    match(again.stderr, /it was undone at/);
  }));

Deno.test("what is so already is neither sent nor a failure with --skip-drifted", () =>
  scene(async ({ world, plan, ids, bids, setBid }) => {
    setBid(ids[0]!, 0.71);
    const run = await runCli(["plan", "apply", plan, "--yes", "--skip-drifted", "--json"], world);
    equal(run.code, 0, run.stderr);
    deepEqual(JSON.parse(run.stdout).changes.map(({ outcome }: { outcome: string }) => outcome), [
      "already",
      "done",
    ]);
    deepEqual(bids(), [0.71, 0.72]);
    const undone = await runCli(["plan", "undo", plan, "--yes"], world);
    equal(undone.code, 0, undone.stderr);
    equal(bids()[0], 0.71, "what was not done is not undone");
  }));

Deno.test("of two applies at once the loser hears that the plan is being applied elsewhere", () =>
  scene(async ({ world, plan }) => {
    const gate = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    const first = runCli(["plan", "apply", plan, "--yes"], {
      ...world,
      fetch: async (input, init) => {
        if (init?.method === "PUT") {
          reached.resolve();
          await gate.promise;
        }
        return await fetch(input, init);
      },
    });
    await reached.promise;
    const second = await runCli(["plan", "apply", plan, "--yes"], world);
    gate.resolve();
    equal(second.code, 4);
    match(
      second.stderr,
      /another process is applying it now, or it was interrupted: "adsctl plan resume --look .*raise\.json"/,
    );
    equal((await first).code, 0);
  }));

Deno.test("undo asks on a terminal, sends nothing without a yes, and undoes once", () =>
  scene(async ({ world, plan, bids }) => {
    const before = bids();
    const never = await runCli(["plan", "undo", plan, "--yes"], world);
    equal(never.code, 2);
    match(never.stderr, /it was never begun/);
    equal((await runCli(["plan", "apply", plan, "--yes"], world)).code, 0);
    const no = await runCli(["plan", "undo", plan], { ...world, terminal: 100, stdin: "n\n" });
    equal(no.code, 1);
    match(no.stderr, /Undoes the plan of .*[\s\S]*Apply these changes to [^\d]+\? \[y\/N\]/);
    deepEqual(bids(), [0.71, 0.72]);
    const yes = await runCli(["plan", "undo", plan], { ...world, terminal: 100, stdin: "y\n" });
    equal(yes.code, 0, yes.stderr);
    deepEqual(bids(), before);
    const twice = await runCli(["plan", "undo", plan, "--yes"], world);
    equal(twice.code, 4);
    match(twice.stderr, /it was undone at .*-undo\.json/);
    const listed = JSON.parse(
      (await runCli(["plan", "list", "--folder", world.folder, "--json"], world)).stdout,
    ) as {
      state: string;
    }[];
    deepEqual([...new Set(listed.map(({ state }) => state))].sort(), ["applied", "undone"]);
  }));

Deno.test("a plan is listed as undone when its inverse was applied from another folder", () =>
  scene(async ({ world, plan }) => {
    const { id } = JSON.parse(await Deno.readTextFile(plan));
    equal((await runCli(["plan", "apply", plan, "--yes"], world)).code, 0);
    const served = `${world.folder}/served`;
    await Deno.mkdir(served);
    const inverse = `${served}/inverse.json`;
    equal((await runCli(["plan", "undo", "--only-plan", plan, "--out", inverse], world)).code, 0);
    const env = { ...world.env, PLATFORM_ADS_MCP_PLAN_DIR: served };
    const state = async (): Promise<unknown> => {
      const { stdout } = await inPipe([...ADSCTL, "plan", "list", "--json"], { env, cwd: world.folder });
      return JSON.parse(stdout).find((row: { id: string }) => row.id === id)?.state;
    };
    equal(await state(), "applied");
    const sent = await runCli(["plan", "apply", inverse, "--yes", "--accept-risk"], world);
    equal(sent.code, 0, sent.stderr);
    equal(await state(), "undone");
  }));

Deno.test("the inverse of a plan says what it cannot restore", () =>
  scene(async ({ world, ids }) => {
    const file = `${world.folder}/archive.json`;
    const made = await runCli(["plan", "archive", "keywords", ids[2]!, "-m", "CA", "--out", file], world);
    equal(made.code, 0, made.stderr);
    const inverse = await runCli(["plan", "undo", "--only-plan", file], world);
    equal(inverse.code, 0, inverse.stderr);
    match(inverse.stdout, /^Warning: Archiving is permanent and cannot be undone: keyword ".*" \(EXACT\)$/m);
    ok(!inverse.stdout.includes(ids[2]!));
    match(inverse.stderr, /Nothing to change, so no plan was saved/);
  }));
