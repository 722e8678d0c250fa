import type { GlobalOptions } from "./global_options.ts";

export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

export function nextCommand(words: readonly string[], globals: GlobalOptions): string {
  return withOptions(["adsctl", ...words].map(shellWord).join(" "), globals);
}

const WORD = String.raw`[\w@%+=:/-]+(?:[.,][\w@%+=:/-]+)*`;
const LAST_IN_LINE = new RegExp(`(?<=: )adsctl(?: ${WORD})+$`, "gm");

/**
 * Adds this command's connection options to commands suggested by a message: those in double quotes, and one that ends
 * a line after a colon. The library's messages know no options.
 */
export function carryOptions(text: string, globals: GlobalOptions): string {
  return text
    .replace(/"(adsctl [^"\n]+)"/g, (_, line: string) => `"${withOptions(line, globals)}"`)
    .replace(LAST_IN_LINE, (line) => withOptions(line, globals));
}

const UNCONNECTED = /^adsctl (?:use|init|help|demo|completions|auth (?:url|exchange))\b/;

function withOptions(line: string, globals: GlobalOptions): string {
  if (UNCONNECTED.test(line)) return line;
  const given = line.split(" ");
  const missing = connectingOptions(globals).filter(([name = ""]) => !given.includes(name));
  return [line, ...missing.flat().map(shellWord)].join(" ");
}

export function connectingOptions(globals: GlobalOptions): string[][] {
  const options: string[][] = [];
  if (globals.rehearse !== undefined) options.push(["--rehearse", globals.rehearse]);
  else if (globals.demo) options.push(["--demo"]);
  if (globals.sandbox) options.push(["--sandbox"]);
  if (globals.envFile !== undefined) options.push(["--env-file", globals.envFile]);
  if (globals.platform !== undefined) options.push(["--platform", globals.platform]);
  if (globals.policy !== undefined) options.push(["--policy", globals.policy]);
  if (globals.wire !== undefined) options.push(["--wire", globals.wire]);
  return options;
}

export function splitWords(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word);
}
