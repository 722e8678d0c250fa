import { equal, ok } from "../support/assert.ts";
import { emulated } from "./support/emulated.ts";
import { runCli } from "./support/run_cli.ts";

Deno.test("adsctl account recommendations shows reasons and objects, and no name moves the terminal", async () => {
  await using world = await emulated();
  const { emulator, env } = world;
  const profile = emulator.state.profiles("NA").find(({ record }) => record.countryCode === "US")!;
  const campaigns = profile.collection("sp.campaigns");
  const first = campaigns.all().find(({ state }) => state === "ENABLED")!;
  campaigns.replace({ ...first, name: "\u001b[31mLoud\u001b[0m" });
  const table = await runCli("account recommendations -m US", { env });
  equal(table.code, 0, table.stderr);
  ok(/AUTOMATIC_GLOBAL_ADS_ENROLLMENT\t\d+\t\d+ enabled campaigns/.test(table.stdout), table.stdout);
  const names = await runCli("account recommendations -m US --fields recommendedObjects --format tsv", {
    env,
  });
  ok(names.stdout.includes("Loud"), names.stdout);
  ok(!names.stdout.includes("\u001b"));
  const none = await runCli("account recommendations -m US --marketplace UK", { env });
  equal(none.code, 0);
  ok(none.stderr.includes("The platform has no recommendations for the account"));
});
