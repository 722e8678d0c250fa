import assert from "node:assert/strict";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { runCli } from "./support/run_cli.ts";

async function words(typed: string[], env: Record<string, string> = {}): Promise<string[]> {
  const { code, stdout, stderr } = await runCli(["__complete", ...typed], { env });
  assert.equal(code, 0, stderr);
  return stdout.split("\n").filter((line) => line !== "").map((line) => line.split("\t")[0]!);
}

const CASES: [typed: string[], expected: string[]][] = [
  [["acc"], ["account"]],
  [["--demo", "li"], ["list"]],
  [["plan", "a"], ["archive", "approve", "apply"]],
  [["list", "brands-k"], ["brands-keywords"]],
  [["list", "keywords", "--li"], ["--limit"]],
  [["list", "keywords", "--format", "json"], ["json", "jsonl"]],
  [["list", "keywords", "-m", "D"], ["DE"]],
  [["list", "keywords", "--state", "enabled,p"], ["enabled,paused"]],
  [["completions", ""], ["bash", "zsh", "fish"]],
  [["help", "exit"], ["exit-codes"]],
  [["help", "plan", "up"], ["update", "upload"]],
  [["list", "keywords", ""], []],
  [["report", "sea"], ["search-terms"]],
  [["report", "st"], ["status", "stCampaigns", "stTargeting"]],
  [["report", "columns", "sdC"], ["sdCampaigns"]],
  [["store", "rows", "brands-t"], ["brands-targeting"]],
  [["sync", "-m", "US", "--report", "campaigns,brands-c"], ["campaigns,brands-campaigns"]],
  [["sync", "--report", "campaigns,camp"], []],
  [["report", "placement", "--columns", "clicks,imp"], ["clicks,impressions"]],
  [["report", "sp_placement", "--chart", "cos"], ["cost"]],
  [["report", "sp_placement", "--fields", "campaignN"], ["campaignName"]],
  [["profiles", "--fields", "profileId,country"], ["profileId,countryCode"]],
  [["profiles", "--fields=count"], ["--fields=countryCode"]],
  [["list", "keywords", "--fields", "keywordId,bi"], ["keywordId,bid"]],
  [["history", "--change", "bid"], ["bid-amount"]],
  [["ops", "show", "advertising-bil"], ["advertising-billing:"]],
  [["ops", "call", "advertising-billing:getInv"], ["advertising-billing:getInvoice"]],
  [["ops", "call", "getAdvertiserInv"], ["getAdvertiserInvoices"]],
  [["ops", "call", "sponsored-display:listCampaigns", "--query", "stateF"], ["stateFilter="]],
  [["ops", "call", "advertising-billing:getInvoice", "-p", "inv"], ["invoiceId="]],
  [["plan", "call", "sponsored-display:updateCamp"], ["sponsored-display:updateCampaigns"]],
  [["plan", "call", "sponsored-display:listCamp"], []],
  [["plan", "call", "sponsored-display:archiveCampaign", "--path", "c"], ["campaignId="]],
  [["ops", "search", "--api", "sponsored-disp"], ["sponsored-display"]],
  [["report", "status", ""], []],
  [["plan", "show", ""], []],
  [["use", "D"], ["DE"]],
  [["nosuch", "x"], []],
];

Deno.test("commands, entities, options and their values are completed", async () => {
  for (const [typed, expected] of CASES) assert.deepEqual(await words(typed), expected, typed.join(" "));
});

Deno.test("markets are those of the profiles that were listed last, by country and by id", async () => {
  await using folder = await temporaryFolder();
  const env = { XDG_STATE_HOME: folder.path };
  await runCli("auth profiles --demo", { env });
  const found = await words(["list", "keywords", "--demo", "-m", ""], env);
  assert.deepEqual(found.slice(0, 3), ["US", "CA", "MX"]);
  assert.ok(found.some((word) => /^\d+$/.test(word)) && !found.includes("FR"));
  assert.ok((await words(["list", "keywords", "-m", ""], env)).includes("FR"), "the demo's are for the demo");
});

for (const shell of ["bash", "zsh", "fish"]) {
  Deno.test(`completions ${shell} prints a script that names itself and asks __complete`, async () => {
    const { code, stdout } = await runCli(`completions ${shell}`);
    assert.equal(code, 0);
    assert.match(stdout, new RegExp(`${shell} completion of adsctl`));
    assert.match(stdout, /adsctl __complete/);
  });
}
