/**
 * Writes the terminal session at the top of the README from a real run on the embedded demo account.
 *
 *     deno run -A scripts/generate_readme.ts [--check]
 *
 * With `--check` nothing is written; exit 1 when the README shows something else than the commands print now. Plan ids
 * differ from run to run and are not compared.
 */
const README = new URL("../README.md", import.meta.url);
const CLI = new URL("../cli.ts", import.meta.url);
const SESSION = /(<!-- session -->\n\n```text\n)([\s\S]*?)(```)/;
const PLAN_ID = /\b\d{8}-\d{6}-[0-9a-f]{8}\b/g;

const CHANGES = `keywordId,bid
186308801515883,+10%
166749563478230,0.42
196703005814849,5000
`;

const COMMANDS = [
  "cat bids.csv",
  'adsctl plan update keywords bids.csv -m CA --demo --note "Raise the winners" --out raise.json',
  "adsctl plan apply raise.json --demo --yes",
  "adsctl plan apply raise.rollback.json --demo --yes",
];

const text = await Deno.readTextFile(README);
const session = await record();
const next = text.replace(SESSION, (_, before: string, __, after: string) => `${before}${session}${after}`);
if (!SESSION.test(text)) {
  console.error(
    'Cannot find the session in README.md: there is no "<!-- session -->" with a text block after it',
  );
  Deno.exit(1);
}
const same = next.replace(PLAN_ID, "ID") === text.replace(PLAN_ID, "ID");
if (Deno.args.includes("--check")) {
  console.log(
    same ? "README.md shows what the commands print" : "README.md shows an old session: run the generator",
  );
  if (!same) {
    console.log(session);
    Deno.exit(1);
  }
} else if (!same) {
  await Deno.writeTextFile(README, next);
  console.log("Wrote README.md");
}

async function record(): Promise<string> {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${folder}/bids.csv`, CHANGES);
    let session = "";
    for (const command of COMMANDS) session += `$ ${command}\n${await output(command, folder)}`;
    return session;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function output(command: string, folder: string): Promise<string> {
  const words = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map((word) => word[1] ?? word[2]!);
  if (words[0] === "cat") return await Deno.readTextFile(`${folder}/${words[1]}`);
  const run = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "-q", CLI.href, ...words.slice(1)],
    cwd: folder,
    env: { XDG_STATE_HOME: `${folder}/state`, NO_COLOR: "1" },
    stdin: "null",
  });
  const { stdout, stderr } = await run.output();
  const decoder = new TextDecoder();
  return decoder.decode(stdout) + decoder.decode(stderr);
}
