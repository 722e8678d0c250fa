import { deepEqual, ok } from "../support/assert.ts";
import { LEFT_OUT } from "./commands_left_out.ts";
import { type PageCommands, pagesWithCommands, shownCommands } from "./shown_commands.ts";
import { AdsctlProcess } from "./support/adsctl_process.ts";
import { followPage } from "./support/follow_page.ts";
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

const pages = new Map((await pagesWithCommands(ROOT)).map((page) => [page.path, page]));

Deno.test("pages that show commands are found, and every reason to leave one out is needed", () => {
  ok(pages.has("README.md") && pages.has("docs/getting_started.md"), [...pages.keys()].join(", "));
  const all = [...pages.values()].flatMap(({ path, leftOut }) => leftOut.map((one) => ({ path, ...one })));
  for (const { path, line, command, reason } of all) {
    console.log(`Not run: ${path}:${line} ${command.split(" \\\n")[0]} (${reason})`);
  }
  deepEqual(
    LEFT_OUT.filter((rule) =>
      !all.some(({ path, command }) => path === rule.path && rule.commands.test(command))
    ),
    [],
  );
});

/** Commands wait for reports much of the time, so several pages are followed at once, each in a folder of its own. */
const AT_ONCE = 3;
const ends = new Map([...pages.keys()].map((path) => [path, Promise.withResolvers<unknown>()]));
let begun = false;

for (const [path, { commands }] of pages) {
  if (commands.length === 0) continue;
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
  const waiting = [...pages.values()];
  const lane = async (): Promise<void> => {
    await using adsctl = new AdsctlProcess();
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const end = ends.get(next.path)!;
      await followAlone(next, adsctl).then(end.resolve, end.resolve);
    }
  };
  for (let at = 0; at < AT_ONCE; at++) void lane();
}

/** Follows a page in a home and a folder of its own. */
async function followAlone(page: PageCommands, adsctl: AdsctlProcess): Promise<void> {
  const home = await Deno.makeTempDir();
  try {
    const [bin, folder] = [`${home}/bin`, `${home}/here`];
    for (const path of [bin, folder]) await Deno.mkdir(path);
    const cli = new URL("cli.ts", ROOT).href;
    const launcher = `#!/bin/sh\nexec "${Deno.execPath()}" run -A -q "${cli}" "$@"\n`;
    await Deno.writeTextFile(`${bin}/adsctl`, launcher, { mode: 0o755 });
    const { DENO_DIR = `${Deno.env.get("HOME")}/.cache/deno` } = Deno.env.toObject();
    const env = { HOME: home, DENO_DIR, PATH: `${bin}:${Deno.env.get("PATH")}` };
    await followPage(page, { folder, env, adsctl });
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}
