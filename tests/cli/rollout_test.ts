import { equal, match, ok } from "../support/assert.ts";
import { emulated } from "./support/emulated.ts";
import { runCli } from "./support/run_cli.ts";
import { ADSCTL } from "./support/process.ts";
import { type Judging, withAndWithoutPolicy } from "../support/judging.ts";
import { long } from "../support/long.ts";
import { until } from "../support/until.ts";

const PROFILES = 24;
const FILE = `name: Everywhere
state: PAUSED
targetingType: MANUAL
startDate: 2099-01-01
budget: { JPY: 2000, USD: 20, CAD: 25, MXN: 300, GBP: 15, EUR: 18, AUD: 30 }
ad_groups:
  - { name: Shoes, state: ENABLED, defaultBid: { JPY: 40, USD: 0.4, CAD: 0.5, MXN: 5, GBP: 0.3, EUR: 0.35, AUD: 0.5 }, keywords: [{ keywordText: shoes, matchType: EXACT, state: ENABLED }] }
`;

async function killedRollout({ variables }: Judging): Promise<void> {
  await using world = await emulated({ profiles: PROFILES });
  Object.assign(world.env, variables);
  await Deno.mkdir(`${world.folder}/account/sp`, { recursive: true });
  await world.write("account/sp/everywhere.yaml", FILE);
  const folder = `${world.folder}/rollout`;
  const made = await runCli([
    "plan",
    "from",
    `${world.folder}/account`,
    "--all-profiles",
    "--out",
    folder,
    "--note",
    "New",
  ], world);
  equal(made.code, 0, made.stderr);
  match(
    made.stderr,
    new RegExp(
      `${PROFILES} plans \\(${PROFILES} open\\): ${PROFILES * 3} to create, 0 to change, 0 to archive`,
    ),
  );
  const twice = await runCli(
    ["plan", "from", `${world.folder}/account`, "--all-profiles", "--out", folder],
    world,
  );
  equal(twice.code, 2);
  const shown = await runCli(["plan", "show", folder, "--json"], world);
  equal(JSON.parse(shown.stdout).length, PROFILES);
  equal((await runCli(["plan", "apply", folder], world)).code, 2, "there is nobody to ask");
  equal((await runCli(["plan", "apply", folder, "--yes", "--serial", "many"], world)).code, 2);

  const creates = (): number =>
    world.emulator.requests().filter(({ method, path }) =>
      method === "POST" && /\/sp\/(campaigns|adGroups|keywords)$/.test(path)
    ).length;
  const [program, ...words] = [
    ...ADSCTL,
    "plan",
    "apply",
    folder,
    "--yes",
    "--accept-risk",
    "--serial",
    "1,10%,100%",
  ];
  const child = new Deno.Command(program!, {
    args: words,
    // Not what the person at this machine chose with adsctl use.
    env: { ...world.env, XDG_CONFIG_HOME: `${world.folder}/config` },
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  let isOver = false;
  const ended = child.status.then(() => isOver = true);
  await until(() => isOver || creates() >= PROFILES);
  if (!isOver) child.kill("SIGKILL");
  await ended;
  ok(
    creates() >= PROFILES && creates() < PROFILES * 3,
    `killed after ${creates()} of ${PROFILES * 3} requests`,
  );

  const rest = await runCli([
    "plan",
    "resume",
    folder,
    "--yes",
    "--accept-risk",
    "--serial",
    "100%",
    "--json",
  ], world);
  equal(rest.code, 0, rest.stderr);
  equal(JSON.parse(rest.stdout).ok, true);
  equal((await runCli(["plan", "apply", folder, "--yes"], world)).code, 0, "nothing is left");
  // Every account has exactly one of everything.
  const same = await runCli([
    "plan",
    "from",
    `${world.folder}/account`,
    "--all-profiles",
    "--out",
    `${folder}2`,
  ], world);
  match(same.stderr, new RegExp(`0 plans \\(none\\)[^]*${PROFILES} left out: Nothing to change`));
  const campaigns = await runCli(["list", "campaigns", "-m", "CA", "--name", "Everywhere", "--json"], world);
  ok(campaigns.code === 2 || JSON.parse(campaigns.stdout).length === 1);
}

withAndWithoutPolicy(
  "plans for all profiles are one rollout: made, shown, killed in the middle, resumed, and each sent once",
  killedRollout,
  (name, test) => {
    long();
    Deno.test(name, test);
  },
);
