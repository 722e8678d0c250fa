import { equal, match } from "../support/assert.ts";
import { type Emulated, emulated } from "./support/emulated.ts";
import { type CliRun, runCli } from "./support/run_cli.ts";

/** Runs adsctl against the emulator, with settings of its own. */
function adsctl({ env, folder }: Emulated, line: string): Promise<CliRun> {
  return runCli(line, { env: { ...env, XDG_CONFIG_HOME: `${folder}/config` } });
}

Deno.test("adsctl ops wire compare ends with 0 where both wires agree, and lists what differs with 6", async () => {
  await using world = await emulated();
  const same = await adsctl(world, "ops wire compare -m US --kind campaigns,keywords");
  equal(same.code, 0, same.stderr);
  match(same.stderr, /2 kinds, \d+ entities: no differences/);
  world.emulator.setQuirks({ unifiedTargetIds: "other" });
  const other = await adsctl(world, "ops wire compare -m US --kind keywords --json");
  equal(other.code, 6, other.stderr);
  const [first] = JSON.parse(other.stdout);
  equal(first.kind, "sp.keywords");
  equal(first.field, "keywordId");
  equal(first.unified, `7${first.legacy}`);
});

Deno.test("adsctl ops wire compare refuses a kind that one family lacks", async () => {
  await using world = await emulated();
  const refused = await adsctl(world, "ops wire compare -m US --kind portfolios");
  equal(refused.code, 2);
  match(refused.stderr, /Cannot compare portfolios: the unified family does not have it/);
});

Deno.test("adsctl ops wire status shows the wire of each kind as option, variable or saved setting say", async () => {
  await using world = await emulated();
  const rows = async (line: string): Promise<Record<string, string>> => {
    const { stdout } = await adsctl(world, `${line} --json`);
    return Object.fromEntries(
      JSON.parse(stdout).map((row: Record<string, string>) => [row["kind"], row["wire"]]),
    );
  };
  equal((await rows("ops wire status -m US"))["sp.keywords"], "legacy");
  const chosen = await rows("ops wire status -m US --wire sp=unified,sp.campaigns=compare");
  equal(chosen["sp.keywords"], "unified");
  equal(chosen["sp.campaigns"], "compare");
  equal(chosen["portfolios"], "legacy");
  await adsctl(world, "use --wire sp=unified");
  equal((await rows("ops wire status -m US"))["sp.keywords"], "unified");
});

for (
  const [setting, message] of [
    ["faster", /Cannot choose the wire by "faster": expected legacy, unified, compare/],
    ["sp.words=unified", /"sp\.words" is not a kind/],
    ["sp=unified,sb@=legacy", /"sb@" is not a kind/],
  ] as const
) {
  Deno.test(`--wire ${setting} is refused before anything is sent`, async () => {
    await using world = await emulated();
    const before = world.emulator.requests().length;
    const refused = await adsctl(world, `list campaigns -m US --wire ${setting}`);
    equal(refused.code, 2, refused.stderr);
    match(refused.stderr, message);
    equal(world.emulator.requests().length, before);
    const saved = await adsctl(world, `use --wire ${setting}`);
    equal(saved.code, 2, "and is not saved");
  });
}

Deno.test("adsctl ops sunset names the unified call and where each field moved", async () => {
  await using world = await emulated();
  const { stdout } = await adsctl(world, "ops sunset --json");
  const rows: Record<string, string>[] = JSON.parse(stdout);
  equal(rows.every((row) => typeof row["unified"] === "string"), true);
});

for (const wire of ["legacy", "unified"]) {
  Deno.test(`a plan for a Brands ad of a format is made on the ${wire} wire, and says what that wire lacks`, async () => {
    await using world = await emulated();
    const { stdout } = await adsctl(world, "list sb-ad-groups -m US --state enabled --limit 1 --json");
    const [{ adGroupId }] = JSON.parse(stdout);
    const file = `${world.folder}/ads.json`;
    const ad = { adGroupId, name: "Film", state: "PAUSED", adFormat: "video" };
    const plan = async (videoAssetIds: string[]): Promise<CliRun> => {
      await Deno.writeTextFile(file, JSON.stringify([{ ...ad, creative: { videoAssetIds } }]));
      return await adsctl(
        world,
        `plan create sb-ads ${file} -m US --wire ${wire} --out ${world.folder}/plan.json`,
      );
    };
    match((await plan(["asset.film:version_v1"])).stdout, /1 to create/);
    const versionless = await plan(["asset.film"]);
    match(
      versionless.stdout,
      wire === "legacy" ? /1 to create/ : /needs the version of the asset "asset\.film"/,
    );
  });
}
