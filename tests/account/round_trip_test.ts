import { deepEqual, equal } from "../support/assert.ts";
import fc from "fast-check";
import { AccountFiles, diffAccount, pullAccount } from "../../src/account/mod.ts";
import { emulated } from "../support/emulated.ts";
import { onBothWires } from "../support/on_both_wires.ts";
import { createAccount, emptyAccount, type RandomAccount, randomAccount } from "./random_account.ts";
import { longFile } from "../support/long.ts";

longFile();

/** Automatic targets, paused Brands keywords and a fourth placement follow in a second plan. */
const MAX_PLANS = 2;

onBothWires(
  "an account that was pulled has no differences, and its files make the same account where there is none",
  async (options, wire) => {
    await using first = await emulated(options);
    await using second = await emulated(options);
    await fc.assert(
      fc.asyncProperty(randomAccount, async (account) => {
        first.emulator.reset();
        second.emulator.reset();
        const [one, other] = [await first.ads.profile("CA"), await second.ads.profile("CA")];
        await emptyAccount(one);
        await emptyAccount(other);
        await createAccount(one, wire === "unified" ? forUnified(account) : account);

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
      { seed: 18, numRuns: wire === "legacy" ? 8 : 3, endOnFailure: true },
    );
  },
);

/** True for those who viewed or bought something of a category. */
function ofCategory(expression: unknown): boolean {
  return /"value":\[.*asinCategorySameAs/.test(JSON.stringify(expression));
}

/** What the unified family can express: Display without tactics, and one product id for each ad. */
function forUnified(account: RandomAccount): RandomAccount {
  const oneId = <Item extends Record<string, unknown>>(items: readonly Item[]) =>
    items.map(({ asin, ...ad }) => ad["sku"] === undefined ? { ...ad, asin } : ad);
  return {
    ...account,
    campaigns: account.campaigns.map((campaign) => ({
      ...campaign,
      adGroups: campaign.adGroups.map((group) => ({ ...group, ads: oneId(group.ads) })),
    })),
    displays: account.displays.map(({ fields: { tactic: _, ...fields }, ...campaign }) => ({
      ...campaign,
      fields,
      adGroups: campaign.adGroups.map((group) => ({
        ...group,
        ads: oneId(group.ads),
        targets: group.targets.filter((target) => !ofCategory(target["expression"])),
      })),
    })),
  };
}

function texts(files: AccountFiles): Record<string, string> {
  return Object.fromEntries(files.texts);
}
