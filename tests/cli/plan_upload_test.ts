import { equal, match, ok } from "../support/assert.ts";
import { withoutPolicy } from "../support/without_policy.ts";
import { emulated } from "./support/emulated.ts";
import { pngOf } from "../support/pictures.ts";
import { runCli } from "./support/run_cli.ts";

const MEMBERS = "ads-data-manager:IngestAudiences";

withoutPolicy("its plan is applied without an approval");
Deno.test("values of an upload are in no file, log or error, and each row has its verdict", async () => {
  await using at = await emulated({ clock: { now: "2026-09-30T12:00:00Z", frozen: true } });
  // Values that occur nowhere else, in each column that holds some.
  const planted = ["Zebulon", "quagmire7", "4930998877", "Xanthippe", "Ypsilon", "wobble-id"];
  const head = "user_id,email,phone,first_name,city,maid";
  const row = (id: string, maid: string) =>
    `wobble-id-${id},quagmire7-${id}@example.com,+49 30 998877,Zebulon,Ypsilon,${maid}`;
  const good = "0b5d6a52-8d0c-4f0e-9d0a-0123456789ab";
  const file = await at.write(
    "members.csv",
    `${head}\n${row("1", good)}\n${row("2", "Xanthippe")}\n${row("3", good)}\n`,
  );
  const hashes = await Promise.all(
    ["quagmire7-1@example.com", "zebulon", "ypsilon", "4930998877"].map(hashOf),
  );
  const plan = `${at.folder}/upload.json`;
  const words = [
    "plan",
    "upload",
    file,
    "--to",
    MEMBERS,
    "-m",
    "US",
    "-p",
    "dataSetId=ds1",
    "--out",
    plan,
    "-v",
  ];
  const outputs: string[] = [];
  const run = async (args: readonly string[], code: number) => {
    const done = await runCli(args, at);
    equal(done.code, code, done.stderr);
    outputs.push(done.stdout, done.stderr);
    return done;
  };
  await run(words, 2);
  await run([...words, "--hash", "--part", "2"], 0);
  match((await run(["plan", "rows", plan], 2)).stderr, /has no result yet\. Use adsctl plan apply/);
  // One part has a refused row, and the response to the other is lost.
  at.emulator.setFaults([{ match: { operation: MEMBERS }, effects: { drop: "after" }, skip: 1, times: 1 }]);
  await run(["plan", "apply", plan, "--yes", "--accept-risk", "-v", "--json"], 3);
  await run(["plan", "resume", plan, "--yes", "--accept-risk", "-v"], 3);
  const listed = await run(["plan", "rows", plan, "--format", "csv"], 3);
  equal(
    listed.stdout.replaceAll("\r", ""),
    "row,verdict,code\n2,accepted,\n3,refused,INVALID_IDENTITY\n4,unknown,\n",
  );
  await run(["plan", "rows", plan, "--refused", "--out", `${at.folder}/verdicts.csv`], 3);
  match(
    await Deno.readTextFile(`${at.folder}/verdicts.csv`),
    /^row,verdict,code\r?\n3,refused,INVALID_IDENTITY/,
  );
  const texts: [name: string, text: string][] = outputs.map((text) => ["output", text]);
  for await (const path of filesIn(at.folder)) {
    if (path !== file) texts.push([path, await Deno.readTextFile(path)]);
  }
  ok(texts.some(([path]) => path.includes("journal")), "the journal was read");
  for (const [path, text] of texts) {
    for (const value of [...planted, ...hashes]) ok(!text.includes(value), `${path} has ${value}`);
  }
});

async function* filesIn(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory) yield* filesIn(`${folder}/${name}`);
    else yield `${folder}/${name}`;
  }
}

async function hashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return new Uint8Array(digest).toHex();
}

withoutPolicy("its plan is applied without an approval");
Deno.test("a file of members is checked, planned and applied, and nothing of it is printed", async () => {
  await using at = await emulated({ clock: { now: "2026-09-30T12:00:00Z", frozen: true } });
  const file = await at.write("members.csv", "user_id,email\nu2,Anna@Example.com\nu3,bert@example.com\n");
  const plan = `${at.folder}/upload.json`;
  const words = ["plan", "upload", file, "--to", MEMBERS, "-m", "US", "-p", "dataSetId=ds1", "--out", plan];
  const sent = () => at.emulator.requests().filter(({ operation }) => operation === MEMBERS).length;
  const clear = await runCli(words, at);
  equal(clear.code, 2, clear.stderr);
  match(clear.stderr, /Row 2: email is not a SHA-256 hash: the option hash hashes it\nRow 3: email/);
  const made = await runCli([...words, "--hash", "--part", "1"], at);
  equal(made.code, 0, made.stderr);
  equal(sent(), 0);
  const applied = await runCli(["plan", "apply", plan, "--yes", "--accept-risk"], at);
  equal(applied.code, 0, applied.stderr);
  equal(sent(), 2);
  const all = [clear, made, applied].map(({ stdout, stderr }) => stdout + stderr).join("");
  ok(!/anna|bert|u2|u3|[0-9a-f]{64}.*em/i.test(all), all);
  const again = await runCli(["plan", "apply", plan, "--yes", "--accept-risk"], at);
  ok(again.code !== 0);
  equal(sent(), 2);
});

withoutPolicy("its plan is applied without an approval");
Deno.test("pictures of a folder are checked, planned and applied, and each has its verdict and asset", async () => {
  await using at = await emulated({ clock: { now: "2026-09-30T12:00:00Z", frozen: true } });
  const pictures = `${at.folder}/pictures`;
  await Deno.mkdir(pictures);
  for (const name of ["a.png", "b.png"]) await Deno.writeFile(`${pictures}/${name}`, pngOf(40, 30));
  const plan = `${at.folder}/pictures.json`;
  const words = [
    "plan",
    "upload",
    pictures,
    "--to",
    "creative-assets:registerAsset",
    "-m",
    "US",
    "--out",
    plan,
  ];
  const bare = await runCli(words, at);
  equal(bare.code, 2, bare.stderr);
  match(bare.stderr, /Row 1: .*a\.png: a seller's asset needs the brand: add the column brand_entity_id/);
  const body = JSON.stringify({ associatedSubEntityList: [{ brandEntityId: "ENTITY1" }] });
  const made = await runCli([...words, "--body", body], at);
  equal(made.code, 0, made.stderr);
  match(made.stdout + made.stderr, /a\.png \(40 x 30\)/);
  const applied = await runCli(["plan", "apply", plan, "--yes", "--accept-risk"], at);
  equal(applied.code, 0, applied.stderr);
  const listed = await runCli(["plan", "rows", plan, "--format", "csv"], at);
  match(
    listed.stdout,
    /^row,verdict,code,asset_id,file\r?\n1,accepted,,library\.asset\.\w+,.*a\.png\r?\n2,accepted,,library\.asset\.\w+,.*b\.png\r?\n$/,
  );
});
