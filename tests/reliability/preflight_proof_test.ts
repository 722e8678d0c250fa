import { equal, ok } from "../support/assert.ts";
import type { ProfileClient } from "../../mod.ts";
import type { Emulator } from "../../src/emulator/mod.ts";
import { emulated } from "../support/emulated.ts";
import { SeededRandom } from "../support/seeded_random.ts";
import { Foresight } from "./support/foresight.ts";
import { PlanMaker } from "./support/plan_maker.ts";
import { emptyAccounts, fillAtRandom } from "./support/random_account.ts";
import { fetchOf } from "./support/fetch_of.ts";
import { amount, SEED, WHOLE_SUITE } from "./support/size.ts";
import { longFile } from "../support/long.ts";

longFile();

/** Archives a few entities of the demo account. */
async function archiveSome(us: ProfileClient): Promise<void> {
  for (
    const kind of [
      "sp.campaigns",
      "sp.ad_groups",
      "sp.keywords",
      "sb.campaigns",
      "sd.campaigns",
      "sd.ad_groups",
    ]
  ) {
    const resource = us.resource(kind);
    const ids = (await resource.list()).map((entity) => String(entity[resource.idField]));
    const some = ids.filter((_, at) => at % 7 === 3).slice(0, 3);
    if (some.length > 0) await resource.delete(some);
  }
}

interface Account {
  readonly name: string;
  /** Plans for each profile. */
  readonly plans: number;
  readonly begin: (emulator: Emulator) => void;
  readonly fill: (us: ProfileClient, random: SeededRandom) => Promise<void>;
}

const ACCOUNTS: readonly Account[] = [
  { name: "the demo account", plans: amount(4, 200), begin: () => {}, fill: archiveSome },
  { name: "random accounts", plans: amount(4, 200), begin: emptyAccounts, fill: fillAtRandom },
];

async function measure({ plans, begin, fill }: Account): Promise<Foresight> {
  await using world = await emulated({ checkRequests: false, ...(WHOLE_SUITE ? { fetchOf } : {}) });
  begin(world.emulator);
  const foresight = new Foresight();
  for (const [index, { profileId }] of (await world.ads.profiles()).entries()) {
    const us = await world.ads.profile(profileId);
    const random = new SeededRandom(SEED * 1000 + index);
    await fill(us, random);
    await foresight.count(us, new PlanMaker(us, random), plans);
  }
  return foresight;
}

for (const account of ACCOUNTS) {
  const { name } = account;
  Deno.test(`on ${name}, at least 98 % of what the platform refuses is foreseen in the plan, and nothing that is foreseen is accepted`, async () => {
    const foresight = await measure(account);
    console.log(`On ${name}: ${foresight.summary()}; seed ${SEED}`);
    ok(foresight.refused > 100, "enough is refused to count");
    equal(foresight.wrong.length, 0, foresight.wrong.join("\n"));
    ok(foresight.share >= 0.98, foresight.missed.join("\n"));
  });
}
