import { columnLetters } from "../../src/base/text/row_cells.ts";
import assert from "node:assert/strict";
import { emulated } from "./support/emulated.ts";
import { runCli } from "./support/run_cli.ts";

Deno.test("a sheet is pulled, edited, planned and applied, and comes back with what became of each row", async () => {
  await using world = await emulated();
  const file = `${world.folder}/sp.csv`;
  const pulled = await runCli(["sheet", "pull", "-m", "CA", file, "--product", "Sponsored Products"], world);
  assert.equal(pulled.code, 0, pulled.stderr);
  assert.match(pulled.stderr, /Wrote .*sp\.csv\. Sponsored Products: \d+ rows/);
  const again = await runCli(["sheet", "pull", "-m", "CA", file, "--product", "Sponsored Products"], world);
  assert.equal(again.code, 2);
  assert.match(again.stderr, /the file already exists/);

  const lines = (await Deno.readTextFile(file)).split("\r\n");
  const head = lines[0]!.replace("\uFEFF", "").split(",");
  const [operation, bid] = [head.indexOf("Operation"), head.indexOf("Bid")];
  const at = lines.findIndex((line) => /,Keyword,.*,enabled,/.test(line) && line.split(",")[bid] !== "");
  const edited = (value: string): string =>
    lines.with(at, lines[at]!.split(",").with(operation, "update").with(bid, value).join(",")).join("\r\n");
  await Deno.writeTextFile(file, edited("abc"));
  const out = `${world.folder}/plan.json`;
  const asked = world.emulator.requests().length;
  const refused = await runCli(["sheet", "plan", file, "-m", "CA", "--out", out], world);
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /1 problem, nothing was sent\n.*row \d+, Bid: "abc" is not an amount/);
  assert.equal(world.emulator.requests().length, asked);

  await Deno.writeTextFile(file, edited("0.66"));
  const planned = await runCli(["sheet", "plan", file, "-m", "CA", "--out", out], world);
  assert.equal(planned.code, 0, planned.stderr);
  assert.match(planned.stdout, /bid .* → 0\.66/);
  assert.match(planned.stderr, /Rows: 1 with an operation, \d+ without\. Changes: 1/);
  assert.match(planned.stderr, /adsctl sheet result .*sp\.csv .*plan\.json/);
  assert.equal((await runCli(["plan", "apply", out, "--yes"], world)).code, 0);

  const result = await runCli(["sheet", "result", file, out, "--json"], world);
  assert.equal(result.code, 0, result.stderr);
  const { file: written, rows } = JSON.parse(result.stdout);
  assert.deepEqual(rows, [{ tab: "", row: at + 1, status: "done", reason: "" }]);
  const marked = (await Deno.readTextFile(written)).split("\r\n");
  assert.match(marked[0]!, /,Status,Reason$/);
  assert.match(marked[at]!, /,done,$/);
  assert.match(marked[at === 1 ? 2 : 1]!, /,ignored,$/);
});

Deno.test("left-out rows and ids that are not found end with 3, and a column that is there twice is refused", async () => {
  await using world = await emulated();
  const file = `${world.folder}/sp.csv`;
  await runCli(["sheet", "pull", "-m", "CA", file, "--product", "Sponsored Products"], world);
  const lines = (await Deno.readTextFile(file)).split("\r\n");
  const head = lines[0]!.replace(/^\uFEFF/, "").split(",");
  const [operation, bid] = ["Operation", "Bid"].map((name) => head.indexOf(name));
  const keywords = lines.filter((line) => /,Keyword,.*,enabled,/.test(line) && line.split(",")[bid!] !== "")
    .slice(0, 2).map((
      line,
      index,
    ) => line.split(",").with(operation!, "update").with(bid!, index === 0 ? "0.77" : "abc").join(","));
  const plan = ["sheet", "plan", file, "-m", "CA", "--out", `${world.folder}/plan.json`];
  await Deno.writeTextFile(file, [lines[0], ...keywords].join("\r\n"));
  const some = await runCli([...plan, "--skip-bad-rows"], world);
  assert.equal(some.code, 3, some.stderr);
  assert.match(some.stderr, /Changes: 1\n/);
  await Deno.writeTextFile(file, [lines[0], keywords[0]].join("\r\n"));
  assert.equal((await runCli([...plan, "--skip-bad-rows"], world)).code, 0, "nothing was left out");

  const gone = keywords[0]!.split(",").with(
    head.findIndex((name) => name.toLowerCase() === "keyword id"),
    "999999999999999",
  ).join(",");
  await Deno.writeTextFile(file, [lines[0], gone].join("\r\n"));
  const missing = await runCli(plan, world);
  assert.equal(missing.code, 3, missing.stderr);
  assert.match(missing.stderr, /1 id was not found, so this ends with 3; --allow-missing ends with 0/);
  assert.equal((await runCli([...plan, "--allow-missing"], world)).code, 0);

  const doubled = [[...head, " bid"].join(","), `${keywords[0]},0.99`].join("\r\n");
  await Deno.writeTextFile(file, doubled);
  const asked = world.emulator.requests().length;
  for (const more of [[], ["--skip-bad-rows"]]) {
    const refused = await runCli([...plan, ...more], world);
    assert.equal(refused.code, 2);
    assert.match(
      refused.stderr,
      new RegExp(
        `row 1, Bid: the column is there twice \\(${columnLetters(bid!)}, ${
          columnLetters(head.length)
        }\\)\\. Remove`,
      ),
    );
  }
  assert.equal(world.emulator.requests().length, asked);
  await Deno.writeTextFile(file, doubled.replace(" bid", "my bid"));
  assert.equal((await runCli(plan, world)).code, 0, "columns of one's own are passed over");
});

Deno.test("an .xlsx sheet of the whole account is pulled and plans nothing, and says so with exit code 0", async () => {
  await using world = await emulated();
  const file = `${world.folder}/bulk.xlsx`;
  const pulled = await runCli(["sheet", "pull", "-m", "CA", file, "--json"], world);
  assert.equal(pulled.code, 0, pulled.stderr);
  assert.deepEqual(Object.keys(JSON.parse(pulled.stdout).rows).slice(0, 3), [
    "Portfolios",
    "Sponsored Products",
    "Sponsored Brands",
  ]);
  const planned = await runCli(["sheet", "plan", file, "-m", "CA"], world);
  assert.equal(planned.code, 0, planned.stderr);
  assert.match(planned.stderr, /Nothing to change, so no plan was saved/);
});

Deno.test("files that are no sheets, and names that say no format, are refused", async () => {
  await using world = await emulated();
  const line = ["sheet", "plan", "-m", "CA"];
  const missing = await runCli([...line, `${world.folder}/none.xlsx`], world);
  assert.equal(missing.code, 2);
  const broken = await runCli([...line, await world.write("broken.xlsx", "PK\x03\x04broken")], world);
  assert.equal(broken.code, 2);
  assert.match(broken.stderr, /Cannot read the sheet ".*broken\.xlsx": it is/);
  const name = await runCli(["sheet", "pull", "-m", "CA", `${world.folder}/bulk.ods`], world);
  assert.equal(name.code, 2);
  assert.match(name.stderr, /its name must end in \.xlsx or \.csv/);
  assert.equal(world.emulator.requests().length, 0);
});
