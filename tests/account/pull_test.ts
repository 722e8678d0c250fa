import { deepEqual, equal, match, ok, rejects } from "../support/assert.ts";
import { AccountFiles, diffAccount, pullAccount } from "../../src/account/mod.ts";
import { mostlyOnOneWire } from "../support/on_both_wires.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { edited, EXACT, onOtherWire, problemsOf, pulled, SPRING } from "./account_world.ts";

Deno.test("a pull over files with local edits is refused unless forced, and nothing is written", async () => {
  await using world = await pulled();
  await using folder = await temporaryFolder();
  const { ca, files } = world;
  await files.save(folder.path);
  const brands = [...files.texts.keys()].find((path) => path.startsWith("sb/"))!;
  await Deno.writeTextFile(
    folder.file(EXACT),
    files.texts.get(EXACT)!.replace(/^state: .*/m, "state: PAUSED"),
  );
  await Deno.remove(folder.file(brands));
  await Deno.writeTextFile(folder.file("sp/mine.yaml"), SPRING.replace("portfolio: New ideas\n", ""));
  const mine = await AccountFiles.load(folder.path);
  deepEqual((await problemsOf(pullAccount(ca, { files: mine }))).map((text) => text.split(":")[0]), [
    brands,
    EXACT,
  ]);
  const forced = await pullAccount(ca, { files: mine, force: true });
  const { written, removed: gone } = await forced.save(folder.path);
  deepEqual([[...written].sort(), gone], [[brands, EXACT], []]);
  equal(
    await Deno.readTextFile(folder.file("sp/mine.yaml")),
    SPRING.replace("portfolio: New ideas\n", ""),
    "a new file stays",
  );
  equal(await Deno.readTextFile(folder.file(EXACT)), files.texts.get(EXACT));
});

Deno.test("a campaign that was archived in the account loses its file, and one that was renamed keeps it", async () => {
  await using world = await pulled();
  await using folder = await temporaryFolder();
  const { ca, files } = world;
  await files.save(folder.path);
  const { profiles } = files.lock!;
  const idOf = (path: string): string => profiles[ca.profileId]!.files[path]!.campaign!.id;
  const brands = [...files.texts.keys()].find((path) => path.startsWith("sb/"))!;
  await ca.sb.campaigns.delete([idOf(brands)]);
  await ca.sp.campaigns.update([{ campaignId: idOf(EXACT), name: "Another name" }]);
  const again = await pullAccount(ca, { files: await AccountFiles.load(folder.path) });
  const { written, removed: gone } = await again.save(folder.path);
  deepEqual([written, gone], [[EXACT], [brands]]);
});

Deno.test("files of other markets and a lock file of another account are refused", async () => {
  await using world = await pulled();
  const { ca, files, world: { ads, us } } = world;
  await rejects(diffAccount(us, files), /account\.yaml says that they are for CA\. Add US to markets/);
  const [first, second] = (await ads.profiles()).filter(({ countryCode }) => countryCode === "DE");
  const german = await pullAccount(await ads.profile(first!.profileId));
  await rejects(
    diffAccount(await ads.profile(second!.profileId), german),
    /account\.lock\.json belongs to profile \d+ \(DE\)/,
  );
  await rejects(pullAccount(await ads.profile(second!.profileId), { files: german }), /belongs to profile/);
  const anyMarket = edited(files, { "account.yaml": (text) => text.replace(/markets: .*\n/, "") });
  await rejects(diffAccount(us, anyMarket), /account\.lock\.json belongs to profile \d+ \(CA\)/);
  equal((await diffAccount(ca, anyMarket)).isEmpty, true);
});

mostlyOnOneWire(
  "a pull by the other wire takes nothing out of the files that it does not read",
  async (options, wire) => {
    await using world = await pulled(options);
    const { ca, files } = world;
    const other = await onOtherWire(world.world, wire);
    const [group] = await (wire === "unified" ? ca : other).sp.adGroups.list();
    (await (wire === "unified" ? ca : other).sp.adGroups.update([
      { adGroupId: group!.adGroupId, tags: { team: "blue" } },
    ])).raiseForErrors();
    const first = await pullAccount(ca, { files });
    const second = await pullAccount(other, { files: first });
    const third = await pullAccount(ca, { files: second });
    const lines = (text: string | undefined): string[] => (text ?? "").split("\n");
    for (const [path, text] of first.texts) {
      const there = new Set(lines(second.texts.get(path)));
      // Lines of one entity each may have gained fields.
      deepEqual(lines(text).filter((line) => !there.has(line) && !line.includes("{")), [], path);
    }
    deepEqual(Object.fromEntries(third.texts), Object.fromEntries(second.texts));
    equal((await diffAccount(other, third)).isEmpty, true);
    equal((await diffAccount(ca, third)).isEmpty, true);
    const changed = ca.sd.campaigns;
    const [display] = await changed.list();
    (await changed.update([{ campaignId: display!.campaignId, budget: 77 }])).raiseForErrors();
    const fourth = await pullAccount(other, { files: third });
    const difference = [...fourth.texts].flatMap(([path, text]) => {
      const before = lines(third.texts.get(path));
      return lines(text).filter((line) => !before.includes(line));
    });
    deepEqual(difference, ["budget: 77"]);

    const older = wire === "legacy" ? ca : other;
    const byUnified = wire === "legacy" ? other : ca;
    const [brands] = await older.sb.campaigns.list();
    const { bidOptimization = false, bidOptimizationStrategy } = brands!.bidding!;
    ok(typeof bidOptimizationStrategy === "string");
    const set = async (value: boolean): Promise<void> => {
      const bidding = { bidOptimization: value };
      (await older.sb.campaigns.update([{ campaignId: brands!.campaignId, bidding }])).raiseForErrors();
    };
    await set(!bidOptimization);
    const known = await pullAccount(older, { files: fourth });
    await set(bidOptimization);
    const last = await pullAccount(byUnified, { files: known });
    const path = [...last.texts.keys()].find((one) => last.texts.get(one) !== known.texts.get(one))!;
    match(path, /^sb/);
    match(
      last.texts.get(path)!,
      new RegExp(`bidOptimization: ${bidOptimization}.*${bidOptimizationStrategy}`),
    );
  },
);
