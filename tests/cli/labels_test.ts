import assert from "node:assert/strict";
import { emulated } from "./support/emulated.ts";
import { runCli } from "./support/run_cli.ts";

type Row = Record<string, string> & { readonly campaignIds: string[]; readonly adGroupIds: string[] };

Deno.test("labels are listed, and narrow every list to what carries them or is in what does", async () => {
  await using world = await emulated();
  const rows = async (line: string): Promise<Row[]> => {
    const { code, stdout, stderr } = await runCli(`${line} -m CA --json`, world);
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout);
  };
  const labels = await rows("labels --fields name,campaigns,adGroups,campaignIds,adGroupIds");
  const [core, trial] = [
    labels.find(({ name }) => name === "Core range")!,
    labels.find(({ name }) => name === "On trial")!,
  ];
  const narrowed = async (kind: string, ...names: string[]): Promise<Row[]> => {
    const flags = names.flatMap((name) => ["--label", name]);
    const { code, stdout, stderr } = await runCli(["list", kind, ...flags, "-m", "CA", "--json"], world);
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout);
  };
  const campaigns = [
    ...await narrowed("campaigns", "Core range"),
    ...await narrowed("sb-campaigns", "Core range"),
  ];
  assert.deepEqual(campaigns.map(({ campaignId }) => campaignId).sort(), [...core.campaignIds].sort());
  assert.deepEqual(await narrowed("campaigns", "On trial"), []);
  assert.deepEqual(
    (await narrowed("ad-groups", "On trial")).map(({ adGroupId }) => adGroupId),
    trial.adGroupIds,
  );

  const all = await rows("list keywords");
  const inside = all.filter(({ campaignId, adGroupId }) =>
    core.campaignIds.includes(campaignId!) || trial.adGroupIds.includes(adGroupId!)
  );
  assert.ok(inside.length > 0 && inside.length < all.length);
  const both = (await narrowed("keywords", "Core range", "On trial")).map(({ keywordId }) => keywordId);
  assert.deepEqual(both.toSorted(), inside.map(({ keywordId }) => keywordId).toSorted());
});

Deno.test("labels that are unknown, and conditions that contradict them, are refused before anything is listed", async () => {
  await using world = await emulated();
  const refused = async (args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await runCli([...args, "-m", "CA"], world);
    assert.equal(code, 2, stderr);
    assert.equal(stdout, "");
    return stderr;
  };
  assert.match(await refused(["list", "keywords", "--label", "Core rnge"]), /Did you mean "Core range"\?/);
  assert.match(
    await refused(["list", "keywords", "--label", "Core range", "--campaign-id", "1"]),
    /choose one/,
  );
  assert.match(await refused(["list", "portfolios", "--label", "Core range"]), /does not have that filter/);
  assert.match(
    await refused(["plan", "bids", "--label", "Core range", "--best", "3", "--change", "+5%"]),
    /Cannot rank within a label/,
  );
});

Deno.test("a policy protects what is in campaigns with a label of the account, by the file that labels writes", async () => {
  await using world = await emulated();
  const file = `${world.folder}/labels.json`;
  const written = await runCli(["account", "labels", "-m", "CA", "--out", file], world);
  assert.equal(written.code, 0, written.stderr);
  assert.match(written.stderr, /Wrote 2 labels/);
  const again = await runCli(["account", "labels", "-m", "CA", "--out", file], world);
  assert.equal(again.code, 2);
  assert.match(again.stderr, /already exists/);
  const policy = await world.write(
    "policy.yaml",
    `version: 1\nlabels_file: labels.json\nprotect: { labels: ["Core range"] }\n`,
  );
  const keywords = JSON.parse(
    (await runCli(["list", "keywords", "-m", "CA", "--json"], world)).stdout,
  ) as Row[];
  const labelled = JSON.parse(
    (await runCli(["list", "keywords", "-m", "CA", "--label", "Core range", "--json"], world)).stdout,
  ) as Row[];
  const inside = new Set(labelled.map(({ keywordId }) => keywordId));
  const apply = async (keywordId: string | undefined): Promise<{ code: number; stderr: string }> => {
    const changes = await world.write(`${keywordId}.csv`, `keywordId,bid\n${keywordId},0.52\n`);
    const out = `${world.folder}/plan-${keywordId}.json`;
    const made = await runCli(["plan", "update", "keywords", changes, "-m", "CA", "--out", out], world);
    assert.equal(made.code, 0, made.stderr);
    return await runCli(["plan", "apply", out, "--yes", "--accept-risk", "--policy", policy], world);
  };
  const enabled = keywords.filter(({ state, bid }) =>
    state === "ENABLED" && Number(bid) > 0.3 && Number(bid) < 1
  );
  const denied = await apply(enabled.find(({ keywordId }) => inside.has(keywordId))!.keywordId);
  assert.equal(denied.code, 4, denied.stderr);
  assert.match(denied.stderr, /Core range/);
  const sent = await apply(enabled.find(({ keywordId }) => !inside.has(keywordId))!.keywordId);
  assert.equal(sent.code, 0, sent.stderr);
});
