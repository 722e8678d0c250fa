/**
 * Tells the whole story on the embedded emulator with real adsctl commands, each a process of its own: find the
 * accounts, read, plan a change, review it, apply it, see what was refused, undo it. Ends with 0 only if every step did
 * what it says.
 *
 *     deno task demo
 */

import { fileURLToPath } from "node:url";
import { tellStory } from "../src/interfaces/cli/commands/emulator/story.ts";
import { splitWords } from "../src/interfaces/cli/shell/context/shell_words.ts";

const CLI = new URL("../cli.ts", import.meta.url);
const CONFIG = new URL("../deno.json", import.meta.url);
const folder = await Deno.makeTempDir({ prefix: "adsctl-demo-" });

try {
  await tellStory({
    say: (text) => console.log(`\n# ${text}`),
    show: async (line) => {
      console.log(`$ adsctl ${line}`);
      return (await adsctl(line, "inherit").spawn().status).code;
    },
    read: async (line) => {
      const { code, stdout } = await adsctl(line, "piped").output();
      if (code !== 0) throw new Error(`"adsctl ${line}" ended with ${code}`);
      return new TextDecoder().decode(stdout);
    },
    write: async (name, text) => {
      await Deno.writeTextFile(`${folder}/${name}`, text);
      console.log(`$ cat ${name}\n${text.trimEnd()}`);
    },
  });
} catch (error) {
  console.error(`\nThe demo failed: ${(error as Error).message}`);
  Deno.exitCode = 1;
} finally {
  await Deno.remove(folder, { recursive: true });
}

function adsctl(line: string, stdout: "inherit" | "piped"): Deno.Command {
  const likeATerminal = stdout === "inherit" && !Deno.stdout.isTerminal();
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "-q", "--config", fileURLToPath(CONFIG), CLI.href, ...splitWords(line)],
    cwd: folder,
    env: {
      XDG_STATE_HOME: `${folder}/state`,
      ...(likeATerminal ? { PLATFORM_ADS_FORCE_TTY: "110", NO_COLOR: "1" } : {}),
    },
    stdin: "null",
    stdout,
    stderr: "inherit",
  });
}
