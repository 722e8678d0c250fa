import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { PlatformAds } from "../../mod.ts";
import { writeConsoleFiles } from "../../src/interfaces/demo/write_console_files.ts";
import { emulated } from "./support/emulated.ts";
import { runCli } from "./support/run_cli.ts";
import { plannedIn } from "../support/plan_words.ts";

const CLOCK = { now: "2026-09-30T12:00:00Z", frozen: true };
const FIXTURES = `${fileURLToPath(new URL("../fixtures/console", import.meta.url))}/`;

Deno.test("three files and two commands lead from an empty store to a bulk sheet, without settings of an account", async () => {
  await using at = await emulated({ clock: CLOCK, quirks: { reportSeconds: 0 } });
  const ads = new PlatformAds(at.emulator.credentials, {
    platform: at.emulator.platform,
    now: () => Date.parse(CLOCK.now),
  });
  const files = await writeConsoleFiles(await ads.profile("CA"), {
    start: "2026-09-16",
    end: "2026-09-29",
    isSummary: false,
    language: "en",
    only: ["sp_search_terms", "sp_targeting", "bulk"],
  });
  for (const { name, bytes } of files) await Deno.writeFile(`${at.folder}/${name}`, bytes);
  const paths = files.map(({ name }) => `${at.folder}/${name}`);
  const env = { XDG_STATE_HOME: `${at.folder}/offline` };
  const store = ["--store", `${at.folder}/files.sqlite`];
  const run = async (...line: string[]) => await runCli([...line, ...store], { env });

  const imported = await run("import", ...paths, "-m", "CA");
  assert.equal(imported.code, 0, imported.stderr);
  assert.match(imported.stdout, /sp_search_terms, en, \d+ rows, daily, 2026-09-16 to 2026-09-29/);
  assert.match(imported.stdout, /Names: \d+ rows have the ids of a bulk sheet, 0 keep their names/);
  assert.match(imported.stderr, /plan negatives -m CA --from-files --store/);

  const out = `${at.folder}/negatives.xlsx`;
  const days = ["--lag", "0", "--days", "14"];
  const planned = await run(
    "plan",
    "negatives",
    "-m",
    "CA",
    "--from-files",
    "--min-clicks",
    "6",
    ...days,
    "--out",
    out,
  );
  assert.equal(planned.code, 0, planned.stderr);
  assert.match(planned.stdout, /\d+ clicks, [\d.]+ spent, no orders/);
  assert.doesNotMatch(planned.stdout, /REHEARSAL|To apply it/);
  assert.match(
    planned.stderr,
    /Wrote .*negatives\.xlsx: \d+ rows of Sponsored Products\. Nothing was sent: upload it/,
  );
  assert.ok((await Deno.stat(out)).size > 1000);
  const again = await run("plan", "negatives", "-m", "CA", "--from-files", ...days, "--out", out);
  assert.deepEqual([again.code, /the file already exists/.test(again.stderr)], [2, true]);

  const bids = await run(
    ...[
      "plan",
      "bids",
      "-m",
      "CA",
      "--from-files",
      "--where",
      "acos14d > 35%",
      "--change",
      "-10%",
      "--lag",
      "0",
    ],
    ...["--out", `${at.folder}/bids.xlsx`, "--json"],
  );
  assert.equal(bids.code, 0, bids.stderr);
  const { sheet, counts, not_in_sheet: left } = JSON.parse(bids.stdout);
  assert.deepEqual([sheet, left], [`${at.folder}/bids.xlsx`, 0]);
  assert.ok(counts.update > 3);
  const harvest = await run("plan", "harvest", "-m", "CA", "--from-files", "--days", "14");
  assert.equal(harvest.code, 0, harvest.stderr);
  assert.match(harvest.stderr, /source,target,comment/);

  // The rows are what the account takes: a person uploads them.
  const sent = await runCli(["sheet", "plan", out, "-m", "CA", "--out", `${at.folder}/plan.json`], at);
  assert.equal(sent.code, 0, sent.stderr);
  const [creates, ...others] = plannedIn(sent.stdout);
  assert.ok(creates > 0);
  assert.deepEqual(others, [0, 0]);

  const cut = await run("plan", "negatives", "-m", "CA", "--from-files");
  assert.equal(cut.code, 2, cut.stderr);
  assert.match(
    cut.stderr,
    /lacks search-terms from .*Download the report of these days and add it with "adsctl import"/,
  );
});

Deno.test("import says what it cannot do: all at once, with what to type", async () => {
  await using at = await emulated({ clock: CLOCK });
  const store = ["--store", `${at.folder}/files.sqlite`];
  const env = { XDG_STATE_HOME: `${at.folder}/offline` };
  const cases = [
    [["import", `${FIXTURES}none.csv`, "-m", "US"], 2, /the file does not exist/],
    [["import", `${FIXTURES}de_bulk.csv`], 2, /Cannot find out the market of the files. Name it with -m/],
    [["import", `${FIXTURES}es_search_terms_summary.csv`, "-m", "XX"], 2, /the platform has no such market/],
    [
      ["import", `${FIXTURES}es_search_terms_summary.csv`, "-m", "ES", "--map", "Gasto"],
      2,
      /not a header and its meaning/,
    ],
    [
      ["import", `${FIXTURES}es_search_terms_summary.csv`, "-m", "US"],
      2,
      /"Divisa": its amounts are in EUR, and those of US in USD/,
    ],
    [["plan", "negatives", "-m", "US", "--from-files"], 2, /no file of sp_search_terms of US is stored/],
  ] as const;
  for (const [line, code, message] of cases) {
    const done = await runCli([...line, ...store], { env });
    assert.equal(done.code, code, done.stderr);
    assert.match(done.stderr, message);
  }
  // Its rows name the country.
  const spanish = await runCli(["import", `${FIXTURES}es_search_terms_summary.csv`, ...store], { env });
  assert.equal(spanish.code, 0, spanish.stderr);
  assert.match(
    spanish.stdout,
    /separator ;, decimal comma, days as "ago 1, 2026", rates with percent signs, orders of 7 days/,
  );
  const { code, stderr } = await runCli(["plan", "negatives", "-m", "ES", "--from-files", ...store], { env });
  assert.equal(code, 2, stderr);
  assert.match(stderr, /has no bulk sheet of ES, so that bids, states and ids are not known/);
  const map = ["--map", "Aktiviert=at work", "--save-map", `${at.folder}/map.csv`];
  const mapped = await runCli(["import", `${FIXTURES}de_bulk.csv`, "-m", "DE", ...store, ...map], { env });
  assert.match(mapped.stderr, /because of unknown words: 1 row of State "Aktiviert" \(row 2\)/);
  const kept = ["--map", `${at.folder}/map.csv`];
  const again = await runCli(["import", `${FIXTURES}de_bulk.csv`, "-m", "DE", ...store, ...kept], { env });
  assert.equal(again.stderr, mapped.stderr);
  const german = await runCli(["import", `${FIXTURES}de_bulk.csv`, "-m", "DE", ...store], { env });
  assert.equal(german.code, 0, german.stderr);
  assert.match(german.stdout, /1 sp.campaigns, 1 sp.ad_groups, 1 sp.product_ads, 1 sp.keywords/);
});
