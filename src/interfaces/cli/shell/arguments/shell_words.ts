import type { GlobalOptions } from "./global_options.ts";

/** A word as a shell reads it back: in quotation marks where it holds anything but plain characters. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** An adsctl command line that connects as this one did, for showing what to type next. */
export function nextCommand(words: readonly string[], globals: GlobalOptions): string {
  return withOptions(["adsctl", ...words].map(shellWord).join(" "), globals);
}

/** A word of a command in a sentence: stops and commas stand inside of it only. */
const WORD = String.raw`[\w@%+=:/-]+(?:[.,][\w@%+=:/-]+)*`;
const LAST_IN_LINE = new RegExp(`(?<=: )adsctl(?: ${WORD})+$`, "gm");

/**
 * Gives the commands that a message suggests the options by which this command connects: those in double quotes, and
 * one that ends a line after a colon. Messages of the library know no options.
 */
export function carryOptions(text: string, globals: GlobalOptions): string {
  return text
    .replace(/"(adsctl [^"\n]+)"/g, (_, line: string) => `"${withOptions(line, globals)}"`)
    .replace(LAST_IN_LINE, (line) => withOptions(line, globals));
}

/** Commands that work before there is an account to connect to. */
const UNCONNECTED = /^adsctl (?:use|init|help|demo|completions|auth (?:url|exchange))\b/;

function withOptions(line: string, globals: GlobalOptions): string {
  if (UNCONNECTED.test(line)) return line;
  const given = line.split(" ");
  const missing = connectingOptions(globals).filter(([name = ""]) => !given.includes(name));
  return [line, ...missing.flat().map(shellWord)].join(" ");
}

/** The options by which a command line connects, each with its value. */
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

/** The words of a command line; those in double quotation marks stay together. */
export function splitWords(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word);
}
