import { deepEqual, equal } from "../support/assert.ts";
import { fileURLToPath } from "node:url";
import { type Credentials, type Platform, PlatformAds, type ProfileClient } from "../../mod.ts";
import { SeededRandom } from "../support/seeded_random.ts";
import { amount, SEED } from "./support/size.ts";
import { longFile } from "../support/long.ts";

longFile();

const KILLS = amount(2, 40);
const WRITERS = 4;
const RUNNER = fileURLToPath(new URL("./support/emulator_process.ts", import.meta.url));

/** Starts an emulator on a state file. */
async function start(statePath: string): Promise<{ process: Deno.ChildProcess; profile: ProfileClient }> {
  const process = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "-q", "--no-check", RUNNER, statePath],
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const reader = process.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let line = "";
  while (!line.endsWith("\n")) line += (await reader.read()).value ?? "\n";
  await reader.cancel();
  const { platform, credentials } = JSON.parse(line) as { platform: Platform; credentials: Credentials };
  const ads = new PlatformAds(credentials, { platform, retry: { maxAttempts: 1 } });
  return { process, profile: await ads.profile("CA") };
}

Deno.test(`an emulator that is killed ${KILLS} times while it writes keeps all that it answered, and nothing twice`, async () => {
  const folder = await Deno.makeTempDir();
  const random = new SeededRandom(SEED);
  const answered: string[] = [];
  try {
    for (let kill = 0; kill <= KILLS; kill++) {
      const { process, profile } = await start(`${folder}/state.json`);
      const names = (await profile.portfolios.list()).map(({ name }) => String(name));
      equal(new Set(names).size, names.length, "nothing is there twice");
      deepEqual(answered.filter((name) => !names.includes(name)), [], "everything answered is there");

      let left = kill < KILLS ? random.integer(3, 40) : 0;
      const write = async (writer: number): Promise<void> => {
        for (let turn = 0; left > 0; turn++) {
          const name = `Kill ${kill}, writer ${writer}, turn ${turn}`;
          const made = await profile.portfolios.create([{ name, state: "ENABLED" }]).catch(() => undefined);
          if (made?.ok !== true) return;
          answered.push(name);
          // The others have requests under way.
          if (--left === 0) process.kill("SIGKILL");
        }
      };
      await Promise.all([...Array(WRITERS).keys()].map(write));
      if (kill === KILLS) process.kill("SIGKILL");
      await process.status;
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
