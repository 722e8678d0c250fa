import type { GlobalOptions } from "../options/global_options.ts";

/** A word as a shell reads it back: in quotation marks where it holds anything but plain characters. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** An adsctl command line that connects as this one did, for showing what to type next. */
export function nextCommand(words: readonly string[], globals: GlobalOptions): string {
  const line = ["adsctl", ...words];
  if (globals.demo) line.push("--demo");
  if (globals.sandbox) line.push("--sandbox");
  if (globals.envFile !== undefined) line.push("--env-file", globals.envFile);
  if (globals.platform !== undefined) line.push("--platform", globals.platform);
  if (globals.policy !== undefined) line.push("--policy", globals.policy);
  return line.map(shellWord).join(" ");
}
