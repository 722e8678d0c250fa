import { deepEqual, equal, ok } from "../support/assert.ts";
import { markdownFiles, MarkdownPage } from "../support/markdown.ts";
import { inPipe } from "../cli/support/process.ts";
import { type ShownCommand, shownCommands } from "./shown_commands.ts";
import { AdsctlProcess } from "./support/adsctl_process.ts";
import { longFile } from "../support/long.ts";

longFile();

const ROOT = new URL("../../", import.meta.url);
const noShell = Deno.build.os === "windows";
if (noShell) console.log("Not tried on Windows, which has no sh: the commands that the pages show");

Deno.test("shownCommands() reads prompts, outputs, continued lines and stated exit codes", () => {
  const text =
    "$ cat a.csv\nid\n7\n$ adsctl one \\\n    --two\n2 succeeded, 1 failed\n$ adsctl three\n(exit 4)\n";
  const shown = shownCommands([{ info: "text", text, line: 10 }, { info: "json", text: "$ no", line: 1 }]);
  deepEqual(shown, [
    { command: "cat a.csv", output: "id\n7\n", line: 11, exitCode: 0 },
    { command: "adsctl one \\\n    --two", output: "2 succeeded, 1 failed\n", line: 14, exitCode: 3 },
    { command: "adsctl three", output: "(exit 4)\n", line: 17, exitCode: 4 },
  ]);
});

const pages = new Map<string, ShownCommand[]>();
for (const path of await markdownFiles()) {
  const { blocks } = new MarkdownPage(await Deno.readTextFile(new URL(path, ROOT)));
  const commands = shownCommands(blocks);
  if (commands.some(({ command }) => command.startsWith("adsctl "))) pages.set(path, commands);
}

Deno.test("pages that show commands are found", () => {
  ok(pages.has("README.md") && pages.has("docs/getting_started.md"), [...pages.keys()].join(", "));
});

/**
 * Pages whose commands are programs of their own, as a reader's are. A start takes longer than most commands do: those
 * of the other pages run one after another in one process, all but what needs a shell.
 */
const BY_PROGRAM = ["README.md", "docs/getting_started.md"];

/** Commands wait for reports much of the time, so several pages are followed at once, each in a folder of its own. */
const AT_ONCE = 3;
const ends = new Map([...pages.keys()].map((path) => [path, Promise.withResolvers<unknown>()]));
let begun = false;

for (const path of pages.keys()) {
  Deno.test({
    name: `the commands that ${path} shows do on the demo account what it says`,
    ignore: noShell,
    // The commands of other pages go on while this test ends.
    sanitizeOps: false,
    sanitizeResources: false,
    fn: async () => {
      if (!begun) followAll();
      begun = true;
      const error = await ends.get(path)!.promise;
      if (error !== undefined) throw error;
    },
  });
}

function followAll(): void {
  const waiting = [...pages];
  const lane = async (): Promise<void> => {
    await using adsctl = new AdsctlProcess();
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const end = ends.get(next[0])!;
      await followPage(...next, adsctl).then(end.resolve, end.resolve);
    }
  };
  for (let at = 0; at < AT_ONCE; at++) void lane();
}

async function followPage(
  path: string,
  commands: readonly ShownCommand[],
  adsctl: AdsctlProcess,
): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await writeLauncher(`${folder}/bin`);
    await Deno.mkdir(`${folder}/here`);
    for (const shown of commands) await follow(shown, { folder, path, adsctl });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Does what a line says: runs it, or writes the file that the page shows by `cat`. */
async function follow(
  { command, output, line, exitCode }: ShownCommand,
  { folder: home, path, adsctl }: { folder: string; path: string; adsctl: AdsctlProcess },
): Promise<void> {
  const shownFile = /^cat (\S+)$/.exec(command)?.[1];
  const folder = `${home}/here`;
  if (shownFile !== undefined) return await Deno.writeTextFile(`${folder}/${shownFile}`, output);
  const env = { XDG_STATE_HOME: `${home}/state`, XDG_CONFIG_HOME: `${home}/config`, NO_COLOR: "1" };
  const words = BY_PROGRAM.includes(path) ? undefined : plainWords(command);
  const { code, stdout, stderr } = words === undefined
    ? await inPipe(["sh", "-c", command], {
      cwd: folder,
      env: { ...env, PATH: `${home}/bin:${Deno.env.get("PATH")}` },
    })
    : await adsctl.run({ words: onDemo(words), folder, env });
  equal(code, exitCode, `${path}:${line} "${command}" ended with ${code}:\n${stderr}${stdout}`);
}

/** The words after "adsctl" of a line in which a shell finds words and quotation marks alone; else `undefined`. */
function plainWords(command: string): string[] | undefined {
  const plain = /^adsctl(?: +(?:[\w@%+=:,./-]+|"[^"$`\\]*"|'[^']*'))+$/;
  if (!plain.test(command)) return undefined;
  return [...command.matchAll(/ +(?:"([^"]*)"|'([^']*)'|([^ ]+))/g)].map(([, ...word]) => word.join(""));
}

function onDemo(words: readonly string[]): readonly string[] {
  return words.includes("--demo") ? words : [...words, "--demo"];
}

/** `adsctl` as a program of a folder, always on the demo account. */
async function writeLauncher(folder: string): Promise<void> {
  await Deno.mkdir(folder);
  const cli = new URL("cli.ts", ROOT).href;
  const script = `#!/bin/sh
case " $* " in
  *" --demo "*) exec "${Deno.execPath()}" run -A -q "${cli}" "$@" ;;
  *) exec "${Deno.execPath()}" run -A -q "${cli}" "$@" --demo ;;
esac
`;
  await Deno.writeTextFile(`${folder}/adsctl`, script, { mode: 0o755 });
}
