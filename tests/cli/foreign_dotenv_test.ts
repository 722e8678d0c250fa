import { equal, match } from "../support/assert.ts";
import { withDotenv } from "../support/with_dotenv.ts";
import { emulated } from "./support/emulated.ts";
import { runCli } from "./support/run_cli.ts";

const isSecret = (name: string): boolean => /CLIENT_ID|CLIENT_SECRET|REFRESH_TOKEN/.test(name);

Deno.test("a .env that nobody named gets no secret of the environment, and a login of its own is said first", async () => {
  await using world = await emulated();
  const all = Object.entries(world.env);
  const text = (entries: typeof all): string => entries.map(([name, value]) => `${name}=${value}\n`).join("");
  const ours = all.filter(([name]) => name.startsWith("PLATFORM_ADS_"));
  const secrets = Object.fromEntries(
    all.filter(([name]) => isSecret(name) || !name.startsWith("PLATFORM_ADS_")),
  );
  await withDotenv(text(ours.filter(([name]) => !isSecret(name))), async () => {
    const before = world.emulator.requests().length;
    const refused = await runCli("auth check", { env: secrets });
    equal(refused.code === 0, false);
    match(refused.stderr, /Cannot use \.\/\.env: it sets PLATFORM_ADS_BASE_URL_NA/);
    equal(world.emulator.requests().length, before);
  });
  const folders = Object.fromEntries(all.filter(([name]) => !name.startsWith("PLATFORM_ADS_")));
  await withDotenv(text(ours), async () => {
    const run = await runCli("list portfolios -m CA", { env: folders });
    match(run.stderr, /^Using the login in \.\/\.env, which no option or variable names\n/);
  });
});
