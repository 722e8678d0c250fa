import assert from "node:assert/strict";
import { readXlsx } from "hucre/xlsx";
import { emulated } from "./support/emulated.ts";
import { runCli } from "./support/run_cli.ts";

Deno.test("profiles lists every region, and reports a region that does not respond", async () => {
  await using world = await emulated();
  const all = await runCli("auth profiles --json", world);
  assert.equal(all.code, 0, all.stderr);
  assert.deepEqual(
    new Set(JSON.parse(all.stdout).map(({ region }: { region: string }) => region)),
    new Set(["NA", "EU", "FE"]),
  );
  world.emulator.setFaults(
    [{
      match: { path: "/v2/profiles", region: "EU" },
      effects: { response: { status: 403, body: {} } },
    }] as never,
  );
  const some = await runCli("auth profiles --json", world);
  assert.equal(some.code, 3);
  assert.match(some.stderr, /warning: Region EU could not be read/);
  assert.deepEqual(
    new Set(JSON.parse(some.stdout).map(({ region }: { region: string }) => region)),
    new Set(["NA", "FE"]),
  );
});

Deno.test("one list is the same rows in every format", async () => {
  await using world = await emulated();
  const line = "list keywords -m CA --limit 7 --fields keywordId,keywordText,bid";
  const json = JSON.parse((await runCli(`${line} --json`, world)).stdout) as Record<string, unknown>[];
  assert.equal(json.length, 7);
  assert.deepEqual(Object.keys(json[0]!), ["keywordId", "keywordText", "bid"]);
  const cells = json.map((row) => [row.keywordId, row.keywordText, row.bid === null ? "" : String(row.bid)]);

  const jsonl = (await runCli(`${line} --format jsonl`, world)).stdout.trimEnd().split("\n").map((text) =>
    JSON.parse(text)
  );
  assert.deepEqual(jsonl, json);
  const tsv = (await runCli(line, world)).stdout.trimEnd().split("\n").map((text) => text.split("\t"));
  assert.deepEqual(tsv, [["keywordId", "keywordText", "bid"], ...cells]);
  const csv = (await runCli(`${line} --format csv`, world)).stdout;
  assert.equal(
    csv,
    [["keywordId", "keywordText", "bid"], ...cells].map((row) => row.join(",") + "\r\n").join(""),
  );
  const table = (await runCli(`${line} --format table`, world)).stdout.trimEnd().split("\n");
  assert.deepEqual(
    table.slice(1).map((text) => text.split(/ {2,}/)[0]),
    json.map(({ keywordId }) => keywordId),
  );
});

Deno.test("filters narrow the list", async () => {
  await using world = await emulated();
  const rows = async (line: string): Promise<Record<string, string>[]> =>
    JSON.parse((await runCli(`list ${line} -m CA --json`, world)).stdout);
  const [campaign] = await rows("campaigns --state enabled");
  const ofCampaign = await rows(`keywords --campaign-id ${campaign!.campaignId}`);
  assert.ok(
    ofCampaign.length > 0 && ofCampaign.every(({ campaignId }) => campaignId === campaign!.campaignId),
  );
  assert.deepEqual((await rows(`campaigns --name "${campaign!.name}"`)).map(({ name }) => name), [
    campaign!.name,
  ]);
  const all = await rows("keywords --all-states");
  const archived = await rows("keywords --state archived");
  const live = await rows("keywords");
  assert.equal(all.length, archived.length + live.length);
  assert.ok(archived.length > 0 && archived.every(({ state }) => state === "ARCHIVED"));
  const [one] = live;
  assert.deepEqual(await rows(`keywords --id ${one!.keywordId}`), [one]);
});

Deno.test("a market with several profiles asks for a narrower choice and lists the candidates", async () => {
  await using world = await emulated();
  const { code, stdout, stderr } = await runCli("list campaigns -m DE", world);
  assert.equal(code, 2);
  assert.equal(stdout, "");
  assert.match(stderr, /it has 2\. Name one of them:\n {2}-m \d+ +.+, seller\n {2}-m \d+ +.+, vendor\n$/);
  const offered = /-m (\d+)/.exec(stderr)![1];
  assert.equal((await runCli(`list campaigns -m ${offered} --limit 1`, world)).code, 0);
  assert.equal((await runCli("sync -m DE", world)).stderr, stderr, "sync offers them as well");
  assert.equal((await runCli("list campaigns -m DE --account-type vendor --limit 1", world)).code, 0);
});

Deno.test("names that hold escape sequences are shown and never sent to the terminal", async () => {
  await using world = await emulated({ hostileNames: true });
  for (const [format, terminal] of [["table", 120], ["tsv", undefined], ["table", undefined]] as const) {
    const options = terminal === undefined ? {} : { terminal };
    const { stdout } = await runCli(
      `list campaigns -m CA --format ${format} --no-color --fields campaignId,name`,
      { ...world, ...options },
    );
    assert.match(stdout, /\\x1b\[31mClearance/);
    assert.ok(!stdout.includes("\x1b"));
  }
});

Deno.test("no format puts control characters on a terminal, CSV in a pipe has them with --raw only, and JSON still means the same", async () => {
  await using world = await emulated({ hostileNames: true });
  for (const format of ["table", "tsv", "json", "jsonl", "csv"]) {
    const line = `list campaigns -m CA --format ${format} --no-color --fields campaignId,name`;
    const { stdout } = await runCli(line, { ...world, terminal: 120 });
    assert.match(stdout, /Clearance/);
    assert.doesNotMatch(stdout.replace(/[\t\r\n]/g, ""), /\p{Cc}/u, format);
    const piped = await runCli(line, world);
    if (format === "json") assert.deepEqual(JSON.parse(stdout), JSON.parse(piped.stdout));
    if (format === "csv") {
      assert.doesNotMatch(piped.stdout.replace(/[\r\n]/g, ""), /\p{Cc}/u);
      const raw = await runCli(`${line} --raw`, world);
      assert.ok(raw.stdout.includes("\x1b[31mClearance"), "the name as it is");
    }
  }
});

Deno.test("--name with a star finds by a part of the name, keywords by their text", async () => {
  await using world = await emulated();
  const names = async (line: string, field: string): Promise<string[]> => {
    const { code, stdout, stderr } = await runCli([...line.split(" "), "-m", "CA", "--json"], world);
    assert.equal(code, 0, stderr);
    return (JSON.parse(stdout) as Record<string, string>[]).map((row) => row[field]!);
  };
  const all = await names("list campaigns", "name");
  const some = await names("list campaigns --name *SKILLET*", "name");
  assert.deepEqual(some, all.filter((name) => /skillet/i.test(name)));
  assert.ok(some.length > 1 && some.length < all.length);
  assert.equal((await names("list campaigns --name *skillet* --limit 1", "name")).length, 1);
  const keywords = await names("list keywords --name *IRON*", "keywordText");
  assert.ok(keywords.length > 0 && keywords.every((text) => text.includes("iron")), keywords.join());
  const exact = await runCli(["list", "campaigns", "-m", "CA", "--json", "--name", some[0]!], world);
  assert.deepEqual(JSON.parse(exact.stdout).map(({ name }: { name: string }) => name), [some[0]]);
});

Deno.test("a table shows names whole and first, and leaves ids out before it cuts them", async () => {
  await using world = await emulated();
  const line = "list campaigns -m CA --no-color";
  const narrow = await runCli(line, { ...world, terminal: 80 });
  assert.match(narrow.stdout, /^Name +State +/);
  assert.doesNotMatch(narrow.stdout, /…$|^\S.*….* {2}(?:enabled|paused)/m);
  assert.match(narrow.stderr, /No room for Campaign ID: --fields campaignId shows it/);
  const wide = await runCli(line, { ...world, terminal: 140 });
  assert.match(wide.stdout, /^Name +.* Campaign ID\n/);
  const chosen = await runCli(`${line} --fields campaignId,name`, { ...world, terminal: 80 });
  assert.match(chosen.stdout, /^Campaign ID +Name\n/);
  assert.match((await runCli(line, world)).stdout, /^campaignId\tname\t/, "a pipe has its columns as before");
});

Deno.test("--extended adds its columns behind name and state, where a narrow table has room", async () => {
  await using world = await emulated();
  const { stdout } = await runCli("list campaigns -m CA --extended --limit 1 --no-color", {
    ...world,
    terminal: 80,
  });
  assert.match(stdout, /^Name +State +Created +Updated/);
  assert.match(stdout, /\d{4}-\d\d-\d\d \d\d:\d\dZ {2,}\d{4}-\d\d-\d\d \d\d:\d\dZ/);
  const { stdout: lines } = await runCli("list campaigns -m CA --extended --limit 1", world);
  assert.match(lines, /\textendedData\.lastUpdateDateTime\t/);
});

Deno.test("nothing found is told on stderr, and stdout is still whole", async () => {
  await using world = await emulated();
  const { code, stdout, stderr } = await runCli("list keywords -m CA --id 1 --json", world);
  assert.deepEqual([code, stdout, stderr], [0, "[]\n", "No keywords match\n"]);
  const quiet = await runCli("list keywords -m CA --id 1 --json --quiet", world);
  assert.equal(quiet.stderr, "");
});

Deno.test("an unknown field is answered with the fields there are", async () => {
  await using world = await emulated();
  const { code, stderr } = await runCli("list keywords -m CA --fields bidd", world);
  assert.equal(code, 2);
  assert.match(stderr, /Did you mean "bid"\? The fields are keywordId, keywordText/);
});

Deno.test("a reader that goes away is no failure", async () => {
  await using world = await emulated();
  const { code, stderr } = await runCli("list keywords -m CA --format jsonl", { ...world, closesAfter: 500 });
  assert.deepEqual([code, stderr], [0, ""]);
});

Deno.test("rows are printed as pages arrive, before the next page is asked for", async () => {
  const pages = 20;
  const perPage = 5000;
  let printedBeforeLastPage = 0;
  let page = 0;
  let lines = 0;
  const { code, stderr } = await runCli("list keywords -m 1 --format jsonl", {
    env: {
      PLATFORM_ADS_BASE_URL_NA: "http://127.0.0.1:9/na",
      PLATFORM_ADS_TOKEN_URL: "http://127.0.0.1:9/token",
      PLATFORM_ADS_CLIENT_ID: "client",
      PLATFORM_ADS_CLIENT_SECRET: "secret",
      PLATFORM_ADS_REFRESH_TOKEN: "token",
    },
    onStdout: (text) => void (lines += text.split("\n").length - 1),
    fetch: (input) => {
      const url = String(input instanceof Request ? input.url : input);
      if (url.endsWith("/token")) {
        return Promise.resolve(Response.json({ access_token: "a", expires_in: 3600 }));
      }
      if (url.endsWith("/v2/profiles")) {
        return Promise.resolve(Response.json([{ profileId: 1, countryCode: "US", accountInfo: {} }]));
      }
      page++;
      if (page === pages) printedBeforeLastPage = lines;
      const keywords = Array.from(
        { length: perPage },
        (_, at) => ({ keywordId: `${page}${at}`, keywordText: "x" }),
      );
      return Promise.resolve(Response.json({ keywords, ...(page < pages ? { nextToken: `${page}` } : {}) }));
    },
  });
  assert.equal(code, 0, stderr);
  assert.equal(lines, pages * perPage);
  assert.equal(printedBeforeLastPage, (pages - 1) * perPage);
});

Deno.test("--out writes the rows of a list to a file in each form, and nothing to standard output", async () => {
  await using world = await emulated();
  const line = "list keywords -m CA --limit 5";
  const json = (await runCli(`${line} --json`, world)).stdout;
  for (const form of ["json", "jsonl", "csv", "tsv"]) {
    const path = `${world.folder}/rows.${form}`;
    const done = await runCli(`${line} --out ${path}`, { ...world, terminal: 80 });
    assert.deepEqual([done.code, done.stdout], [0, ""], done.stderr);
    assert.equal(done.stderr.replace(/\s+/g, " ").trim(), `Wrote 5 rows to ${path}`);
    assert.equal(
      await Deno.readTextFile(path),
      (await runCli(`${line} --format ${form}`, world)).stdout,
    );
  }
  const named = `${world.folder}/rows.txt`;
  assert.equal((await runCli(`${line} --format json --out ${named}`, world)).code, 0);
  assert.equal(await Deno.readTextFile(named), json);
  const sheet = `${world.folder}/rows.xlsx`;
  assert.equal((await runCli(`${line} --fields keywordId,bid --out ${sheet}`, world)).code, 0);
  const [head, first] = (await readXlsx(await Deno.readFile(sheet))).sheets[0]!.rows;
  assert.deepEqual(head, ["keywordId", "bid"]);
  const [row] = JSON.parse(json);
  assert.deepEqual(first, [row.keywordId, row.bid ?? null]);
});

Deno.test("--out refuses a path where no file can be before anything is sent", async () => {
  await using world = await emulated();
  const line = "list keywords -m CA";
  const refused = async (options: string): Promise<string> => {
    const { code, stderr } = await runCli(`${line} ${options}`, world);
    assert.equal(code, 2, stderr);
    return stderr.replaceAll(world.folder, "");
  };
  assert.match(await refused("--out -"), /Cannot write "-": leave --out out to print on standard output/);
  assert.match(await refused(`--out ${world.folder}`), /it is a folder. Name a file in it/);
  assert.match(await refused(`--out ${world.folder}/rows`), /its name must end in \.csv/);
  assert.match(
    await refused(`--out ${world.folder}/no/a.csv`),
    /folder "\/no" does not exist. Create it first/,
  );
  assert.match(await refused(`--out ${world.folder}/a.csv --json`), /as json: its name ends in \.csv/);
  assert.equal(world.emulator.requests().length, 0);
});

Deno.test("--out leaves the file of before as it is when a command fails", async () => {
  await using world = await emulated();
  const path = await world.write("rows.json", "before");
  const failed = await runCli(`list keywords -m CA --fields nope --out ${path}`, world);
  assert.equal(failed.code, 2, failed.stderr);
  assert.equal(await Deno.readTextFile(path), "before");
  assert.deepEqual(
    [...Deno.readDirSync(world.folder)].map(({ name }) => name).filter((name) => name.endsWith(".tmp")),
    [],
  );
  world.emulator.setFaults([
    { match: { path: "/sp/keywords/list" }, effects: { response: { status: 403, body: {} } } },
  ]);
  assert.notEqual((await runCli(`list keywords -m CA --out ${path}`, world)).code, 0);
  assert.equal(await Deno.readTextFile(path), "before");
});
