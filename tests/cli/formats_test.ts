import assert from "node:assert/strict";
import { csvPrinter, jsonPrinter, tsvPrinter } from "../../src/interfaces/cli/shell/output/text_printers.ts";
import { emulated } from "./support/emulated.ts";
import { runCli } from "./support/run_cli.ts";

async function printed(
  make: (write: (text: string) => Promise<void>) => ReturnType<typeof jsonPrinter>,
  rows: Record<string, unknown>[],
): Promise<string> {
  let text = "";
  const printer = make((part) => Promise.resolve(void (text += part)));
  for (const row of rows) await printer.write([row]);
  await printer.end();
  return text;
}

Deno.test("CSV in a pipe shows control characters and marks of direction, unless --raw; a terminal never gets them", async () => {
  const rows = [{ name: "\x1b[31mSale\u202e" }, { name: "two\nlines" }, { name: "a;=b" }];
  const csv = (options: { raw: boolean; isTerminal?: boolean }) =>
    printed((write) => csvPrinter(write, ["name"], options), rows);
  assert.equal(await csv({ raw: false }), 'name\r\n\\x1b[31mSale\\u202e\r\n"two\nlines"\r\n"a;\'=b"\r\n');
  assert.equal(await csv({ raw: true }), 'name\r\n\x1b[31mSale\u202e\r\n"two\nlines"\r\n"a;=b"\r\n');
  assert.equal(
    await csv({ raw: true, isTerminal: true }),
    'name\r\n\\x1b[31mSale\\u202e\r\ntwo lines\r\n"a;=b"\r\n',
  );
});

Deno.test("a CSV file of any number of rows has one header and every row once", async () => {
  for (const count of [0, 1, 199, 200, 201, 1000]) {
    const rows = Array.from({ length: count }, (_, at) => ({ id: at }));
    const text = await printed((write) => csvPrinter(write, ["id"], { raw: true }), rows);
    assert.equal(text, ["id", ...rows.map(({ id }) => id)].join("\r\n") + "\r\n");
  }
});

Deno.test("JSON is one array, with or without rows; tsv shows control characters on one line", async () => {
  assert.equal(await printed((write) => jsonPrinter(write, undefined), []), "[]\n");
  assert.equal(
    await printed((write) => jsonPrinter(write, ["b", "a.c"]), [{ a: { c: 1 }, b: 2 }, {}]),
    '[\n{"b":2,"a.c":1},\n{"b":null,"a.c":null}\n]\n',
  );
  const tsv = await printed((write) => tsvPrinter(write, ["a"]), [{ a: "x\ty\nz\x1b[0m" }]);
  assert.equal(tsv, "a\nx y z\\x1b[0m\n");
});

Deno.test("what list prints as CSV can be handed back to plan update, and changes nothing by itself", async () => {
  await using world = await emulated();
  for (
    const entity of [
      "campaigns",
      "keywords",
      "sb-campaigns",
      "sb-keywords",
      "portfolios",
      "ad-groups",
      "targets",
    ]
  ) {
    const listed = await runCli(`list ${entity} -m CA --format csv --limit 20`, world);
    assert.equal(listed.code, 0, listed.stderr);
    const file = await world.write(`${entity}.csv`, listed.stdout);
    const run = await runCli([
      "plan",
      "update",
      entity,
      file,
      "-m",
      "CA",
      "--json",
      "--out",
      `${world.folder}/p.json`,
    ], world);
    assert.equal(run.code, 0, `${entity}: ${run.stderr}`);
    assert.deepEqual(
      JSON.parse(run.stdout).counts,
      { create: 0, update: 0, archive: 0 },
      `${entity}: ${run.stdout}`,
    );
  }
});

Deno.test("--verbose logs every request on stderr, without its query and without secrets", async () => {
  await using world = await emulated();
  const { code, stdout, stderr } = await runCli("list campaigns -m CA --limit 1 --json --verbose", world);
  assert.equal(code, 0);
  assert.equal(JSON.parse(stdout).length, 1);
  assert.match(stderr, /^> POST http:\/\/127\.0\.0\.1:\d+\/auth\/token 200 in \d/m);
  assert.match(stderr, /^> POST http:\/\/127\.0\.0\.1:\d+\/na\/sp\/campaigns\/list 200 in .* \(.+\)$/m);
  for (const name of ["CLIENT_SECRET", "REFRESH_TOKEN"]) {
    assert.ok(!stderr.includes(world.env[`PLATFORM_ADS_${name}`]!));
  }
});
