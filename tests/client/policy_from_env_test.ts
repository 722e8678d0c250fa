import { equal, rejects } from "../support/assert.ts";
import { PlatformAds, PolicyError } from "../../mod.ts";
import { loadPolicy } from "../../src/plans/policy/mod.ts";
import { emulated } from "../cli/support/emulated.ts";

Deno.test("fromEnv judges every write by the policy that PLATFORM_ADS_POLICY names, in the environment or the dotenv file", async () => {
  await using world = await emulated();
  const policy = await world.write("policy.yaml", "version: 1\nmax_bid: 1.5\n");
  const strict = await world.write("strict.yaml", "version: 1\nmax_bid: 0.5\n");
  const lines = Object.entries(world.env).map(([name, value]) => `${name}=${value}`);
  const envFile = await world.write("ads.env", [...lines, `PLATFORM_ADS_POLICY=${policy}`].join("\n"));
  const { XDG_STATE_HOME } = world.env;
  const byVariable = await PlatformAds.fromEnv({
    env: { ...world.env, PLATFORM_ADS_POLICY: policy },
    loadPolicy,
  });
  const byFile = await PlatformAds.fromEnv({ envFile, env: { XDG_STATE_HOME }, loadPolicy });
  const both = await PlatformAds.fromEnv({
    envFile,
    env: { XDG_STATE_HOME, PLATFORM_ADS_POLICY: strict },
    loadPolicy,
  });
  for (const [ads, limit] of [[byVariable, 1.5], [byFile, 1.5], [both, 0.5]] as const) {
    const us = await ads.profile("US");
    const [keyword] = await us.sp.keywords.list({ states: ["ENABLED"] });
    const keywordId = keyword!.keywordId;
    const before = world.emulator.requests().length;
    await rejects(us.sp.keywords.update([{ keywordId, bid: limit + 0.1 }]), PolicyError);
    equal(
      world.emulator.requests().slice(before).filter(({ method }) => method === "PUT").length,
      0,
      "nothing was sent",
    );
    const done = await us.sp.keywords.update([{ keywordId, bid: limit }]);
    equal(done.ok, true);
  }
  const free = await (await PlatformAds.fromEnv({ env: world.env })).profile("US");
  const [keyword] = await free.sp.keywords.list({ states: ["ENABLED"] });
  equal((await free.sp.keywords.update([{ keywordId: keyword!.keywordId, bid: 1.6 }])).ok, true);
});

Deno.test("a policy that cannot be read lets no client be made", async () => {
  await using world = await emulated();
  const env = { ...world.env, PLATFORM_ADS_POLICY: `${world.folder}/none.yaml` };
  await rejects(PlatformAds.fromEnv({ env, loadPolicy }), /Cannot read the policy file ".*none\.yaml"/);
  const wrong = await world.write("policy.yaml", "version: 1\nmax_bid: many\n");
  await rejects(PlatformAds.fromEnv({ env: { ...env, PLATFORM_ADS_POLICY: wrong }, loadPolicy }), /max_bid/);
});

Deno.test("a policy without its loader lets no client be made, and the message says what to pass", async () => {
  await using world = await emulated();
  const policy = await world.write("policy.yaml", "version: 1\nmax_bid: 1.5\n");
  const env = { ...world.env, PLATFORM_ADS_POLICY: policy };
  await rejects(
    PlatformAds.fromEnv({ env }),
    /^ConfigurationError: Cannot use the policy ".*policy\.yaml" of PLATFORM_ADS_POLICY: .* given no loader\. Pass \{ loadPolicy \}/,
  );
  const given = await loadPolicy(policy);
  const us = await (await PlatformAds.fromEnv({ env, policy: given })).profile("US");
  const [keyword] = await us.sp.keywords.list({ states: ["ENABLED"] });
  await rejects(us.sp.keywords.update([{ keywordId: keyword!.keywordId, bid: 1.6 }]), PolicyError);
});
