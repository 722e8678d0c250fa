import { deepEqual, ok } from "../support/assert.ts";
import { snapshotAccount, unpackSnapshot } from "../../src/account/mod.ts";
import { measureAdsctl } from "../bench/support/measure_adsctl.ts";
import { settingsOf } from "../cli/support/emulated.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { bigAccount, playedAccount } from "./support/big_account.ts";
import { amount, WHOLE_SUITE } from "./support/size.ts";
import { longFile } from "../support/long.ts";

longFile();

const KEYWORDS = amount(3_000, 100_000);
/** Megabytes that a copy of 100,000 entities may take; its seconds are a row of `task bench account_copy`. */
const MEMORY = 300;

Deno.test(`an account of ${KEYWORDS} keywords is copied and played within a bound of memory, and equal field by field`, async () => {
  await using folder = await temporaryFolder();
  const file = folder.file("big.snap");
  await using big = await bigAccount(KEYWORDS);
  const env = settingsOf(big.emulator, folder.path);
  const pull = await measureAdsctl(["rehearse", "pull", "-m", "US", "--out", file], env);
  await measureAdsctl(["list", "campaigns", "-m", "US", "--rehearse", file], env);
  const copy = await unpackSnapshot((await Deno.open(file)).readable);
  await using second = await playedAccount({ account: copy });
  const [before, after] = [await snapshotAccount(big.us), await snapshotAccount(second.us)];
  for (const [kind, entities] of Object.entries(before.profiles[0]!.collections)) {
    deepEqual(after.profiles[0]!.collections[kind], entities, kind);
  }
  if (WHOLE_SUITE) ok(pull.peakMb <= MEMORY, `the copy took ${pull.peakMb.toFixed(0)} MB`);
});
