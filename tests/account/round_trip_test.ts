import { deepEqual, equal } from "../support/assert.ts";
import fc from "fast-check";
import { AccountFiles, diffAccount, pullAccount } from "../../src/account/mod.ts";
import { emulated } from "../support/emulated.ts";
import { createAccount, emptyAccount, randomAccount } from "./random_account.ts";

/** Automatic targets, paused Brands keywords and a fourth placement follow in a second plan. */
const MAX_PLANS = 2;

Deno.test("an account that was pulled has no differences, and its files make the same account where there is none", async () => {
  await using first = await emulated();
  await using second = await emulated();
  await fc.assert(
    fc.asyncProperty(randomAccount, async (account) => {
      first.emulator.reset();
      second.emulator.reset();
      const [one, other] = [await first.ads.profile("CA"), await second.ads.profile("CA")];
      await emptyAccount(one);
      await emptyAccount(other);
      await createAccount(one, account);

      const files = await pullAccount(one);
      deepEqual((await diffAccount(one, files)).toData()["summary"], "No differences");
      // The same by parsing every file, as without a lock file that knows their texts.
      const unknown = AccountFiles.fromTexts(files.texts);
      const same = await diffAccount(one, unknown);
      deepEqual([same.summary(), same.updates, same.refusals], ["No differences", [], []]);
      equal((await same.plan({ prune: true })).changes.length, 0);

      let plans = 0;
      for (; plans <= MAX_PLANS; plans++) {
        const plan = await (await diffAccount(other, unknown)).plan();
        if (plan.changes.length === 0) break;
        deepEqual(plan.findings.filter(({ refused }) => refused), []);
        (await plan.apply(other)).raiseForErrors();
      }
      equal(plans <= MAX_PLANS, true, "the account comes to what the files say");
      deepEqual(texts(await pullAccount(other)), texts(files));
    }),
    { seed: 18, numRuns: 15, endOnFailure: true },
  );
});

function texts(files: AccountFiles): Record<string, string> {
  return Object.fromEntries(files.texts);
}
