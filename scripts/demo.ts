/**
 * Tells the whole story on the embedded emulator with real adsctl commands: find the accounts, read, plan a change,
 * review it, apply it, see what was refused, undo it. Ends with 0 only if every step did what it says.
 *
 *     deno task demo
 */

import assert from "node:assert/strict";

const ROOT = new URL("../", import.meta.url);
const CLI = new URL("cli.ts", ROOT);
const folder = await Deno.makeTempDir({ prefix: "adsctl-demo-" });

interface Keyword {
  keywordId: string;
  campaignId: string;
  bid?: number;
  state: string;
}

try {
  await tell();
  console.log("\nEvery step did what it says: read, planned, applied, one item refused and told, undone.");
} finally {
  await Deno.remove(folder, { recursive: true });
}

async function tell(): Promise<void> {
  say("Which accounts does the login reach?");
  await show("profiles --demo");

  say("What runs in Canada?");
  await show("list campaigns -m CA --demo --state enabled --limit 6");
  const keywords = await read<Keyword>("list keywords -m CA --demo --state enabled");
  const { campaignId } = keywords.find(({ bid }) => bid !== undefined)!;
  const before = keywords.filter((keyword) => keyword.campaignId === campaignId && keyword.bid !== undefined)
    .slice(0, 4);
  const ids = before.map(({ keywordId }) => keywordId);
  assert.equal(ids.length, 4, "The demo account has four keywords with bids in one campaign");
  await show(`list keywords -m CA --demo --id ${ids.join(",")}`);

  say("A spreadsheet says what to change. One of its bids is a slip: 5000 instead of 0.50.");
  const [raised, scaled, slipped, paused] = ids;
  await write("bids.csv", [
    "keywordId,bid,state",
    `${raised},+10%,`,
    `${scaled},*1.2,`,
    `${slipped},5000,`,
    `${paused},,paused`,
  ]);

  say("Plan it. Nothing is sent.");
  await show(`plan update keywords bids.csv -m CA --demo --note "Raise the winners" --out raise.json`);
  assert.deepEqual(await bids(ids), before.map(({ bid }) => bid), "A plan changes nothing");

  say("Review it as a table, for somebody else to read.");
  await show("plan show raise.json --format table");

  say("Apply it. The platform refuses the slip, and the rest goes through.");
  await show("plan apply raise.json --demo --yes", { exitCode: 3 });
  const [first, second, third, fourth] = before;
  assert.deepEqual(
    await bids(ids),
    [cents(first!.bid! * 1.1), cents(second!.bid! * 1.2), third!.bid, fourth!.bid],
    "Two bids are raised, and the refused one is as before",
  );
  await show(`list keywords -m CA --demo --id ${ids.join(",")}`);

  say("It cannot be applied twice by accident.");
  await show("plan apply raise.json --demo --yes", { exitCode: 4 });

  say("Undo what was accepted, and only that.");
  await show("plan apply raise.rollback.json --demo --yes");
  await show(`list keywords -m CA --demo --id ${ids.join(",")}`);
  const after = await read<Keyword>(`list keywords -m CA --demo --id ${ids.join(",")}`);
  assert.deepEqual(sorted(after), sorted(before), "Every keyword is as it was at first");
}

function say(text: string): void {
  console.log(`\n# ${text}`);
}

/** Runs a command where the reader sees it, and holds it to its exit code. */
async function show(line: string, { exitCode = 0 }: { exitCode?: number } = {}): Promise<void> {
  console.log(`$ adsctl ${line}`);
  const { code } = await adsctl(line, "inherit");
  assert.equal(code, exitCode, `"adsctl ${line}" ends with ${exitCode}`);
  if (exitCode !== 0) console.log(`(exit code ${exitCode})`);
}

/** Runs a command unseen and gives the rows it prints. */
async function read<Row>(line: string): Promise<Row[]> {
  const { code, stdout } = await adsctl(`${line} --json`, "piped");
  assert.equal(code, 0, `"adsctl ${line}" ends with 0`);
  return JSON.parse(new TextDecoder().decode(stdout)) as Row[];
}

async function bids(ids: readonly string[]): Promise<(number | undefined)[]> {
  const found = await read<Keyword>(`list keywords -m CA --demo --id ${ids.join(",")}`);
  return ids.map((id) => found.find(({ keywordId }) => keywordId === id)?.bid);
}

async function adsctl(
  line: string,
  stdout: "inherit" | "piped",
): Promise<{ code: number; stdout?: Uint8Array }> {
  const words = [...line.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word);
  const isTerminal = Deno.stdout.isTerminal();
  const command = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "-q", "--config", new URL("deno.json", ROOT).pathname, CLI.href, ...words],
    cwd: folder,
    env: {
      XDG_STATE_HOME: `${folder}/state`,
      ...(isTerminal || stdout === "piped" ? {} : { PLATFORM_ADS_FORCE_TTY: "110", NO_COLOR: "1" }),
    },
    stdin: "null",
    stdout,
    stderr: "inherit",
  });
  if (stdout === "piped") return await command.output();
  return await command.spawn().status;
}

async function write(name: string, lines: readonly string[]): Promise<void> {
  await Deno.writeTextFile(`${folder}/${name}`, lines.join("\n") + "\n");
  console.log(`$ cat ${name}\n${lines.join("\n")}`);
}

function cents(amount: number): number {
  return Math.round(Number((amount * 100).toPrecision(12))) / 100;
}

function sorted(keywords: readonly Keyword[]): Keyword[] {
  return [...keywords].sort((a, b) => a.keywordId.localeCompare(b.keywordId));
}
