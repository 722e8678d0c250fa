import { equal, match } from "../support/assert.ts";
import { runCli } from "../cli/support/run_cli.ts";
import { connect } from "../../src/interfaces/mcp/connect.ts";
import { McpContext } from "../../src/interfaces/mcp/context/mcp_context.ts";
import { readSettings } from "../../src/interfaces/mcp/context/settings.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

Deno.test("the tool server and adsctl work on one demo account, at the same time and after each other", async () => {
  await using folder = await temporaryFolder();
  const env = { XDG_STATE_HOME: folder.path, XDG_CONFIG_HOME: folder.path, PLATFORM_ADS_DEMO: "1" };
  const settings = await readSettings([], env);
  const context = new McpContext({ settings, connect: () => Promise.reject(new Error("unused")) });
  const { ads, close } = await connect(settings, context, { env, log: () => {} });
  const ca = await ads.profile("CA");
  const [campaign] = await ca.sp.campaigns.list({ states: ["ENABLED"] });
  (await ca.sp.campaigns.pause([campaign!.campaignId])).raiseForErrors();
  const line = `list campaigns -m CA --id ${campaign!.campaignId} --fields state --format tsv`;
  equal((await runCli(line, { env })).stdout, "state\nPAUSED\n", "while the server runs");
  await close();
  const after = await runCli(line, { env });
  equal(after.stdout, "state\nPAUSED\n", "after it has ended");
  const history = await runCli("account history -m CA --since -1h --limit 1 --format tsv", { env });
  match(history.stdout, /STATUS\t[^\t]*\tENABLED\tPAUSED/);
});
