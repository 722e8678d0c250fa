import { ok } from "../../support/assert.ts";
import { inPipe, type ProcessRun } from "../../cli/support/process.ts";
import type { PageCommands } from "../shown_commands.ts";
import type { AdsctlProcess } from "./adsctl_process.ts";

/** Where the commands of a page run. */
export interface PagePlace {
  /** Working folder, which exists. */
  readonly folder: string;
  /** Whole environment of a shell and of adsctl, with `adsctl` on its path. */
  readonly env: Readonly<Record<string, string>>;
  /** Runs commands without a shell. Those that need one, and all of {@linkcode BY_PROGRAM}, are programs of their own. */
  readonly adsctl: AdsctlProcess;
}

/** Pages whose commands are each started as a reader starts them. A start takes longer than most commands do. */
const BY_PROGRAM = ["README.md", "docs/getting_started.md"];

/**
 * Runs the commands of a page in their order, on the demo account, and writes the files that the page shows.
 *
 * @throws {AssertionError} that lists all commands which end with another exit code than the page says.
 */
export async function followPage(
  { path, commands, files }: PageCommands,
  { folder, env, adsctl }: PagePlace,
): Promise<void> {
  for (const [name, text] of Object.entries(files)) await Deno.writeTextFile(`${folder}/${name}`, text);
  const variables = { ...env, NO_COLOR: "1", PLATFORM_ADS_DEMO: "1" };
  const problems: string[] = [];
  for (const { command, output, line, exitCode } of commands) {
    const shownFile = /^cat (\S+)$/.exec(command)?.[1];
    if (shownFile !== undefined) {
      await Deno.writeTextFile(`${folder}/${shownFile}`, output);
      continue;
    }
    const words = BY_PROGRAM.includes(path) ? undefined : plainWords(command);
    const { code, stdout, stderr }: ProcessRun = words === undefined
      ? await inPipe(["sh", "-c", command], { cwd: folder, env: variables, clearEnv: true })
      : await adsctl.run({ words, folder, env: variables });
    if (code !== exitCode) {
      problems.push(`${path}:${line} "${command}" ended with ${code}:\n${stderr}${stdout}`);
    }
  }
  ok(problems.length === 0, problems.join("\n"));
}

/** The words after "adsctl" of a line in which a shell finds words and quotation marks alone; else `undefined`. */
function plainWords(command: string): string[] | undefined {
  const plain = /^adsctl(?: +(?:[\w@%+=:,./-]+|"[^"$`\\]*"|'[^']*'))+$/;
  if (!plain.test(command)) return undefined;
  return [...command.matchAll(/ +(?:"([^"]*)"|'([^']*)'|([^ ]+))/g)].map(([, ...word]) => word.join(""));
}
