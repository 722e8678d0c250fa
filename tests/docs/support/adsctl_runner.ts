/**
 * Runs adsctl inside this process for each line of stdin, `{"words", "folder", "env"}`, and answers each with a line of
 * what it did: a start takes longer than most commands do, and the working folder is that of a process.
 */
import { linesIn } from "../../../src/base/text/lines_in.ts";
import { realSleep } from "../../../src/base/time/sleep.ts";
import { runCli } from "../../cli/support/run_cli.ts";
import type { AdsctlCall } from "./adsctl_process.ts";

for await (const line of linesIn(Deno.stdin.readable)) {
  const { words, folder, env }: AdsctlCall = JSON.parse(line);
  Deno.chdir(folder);
  console.log(JSON.stringify(await runCli(words, { env, sleep: realSleep })));
}
