import { commandWords } from "../../../../operations/model/command_words.ts";
import type { CliContext } from "../context/context.ts";
import { wrapLines } from "../io/text_width.ts";
import { wantsData } from "./wants_data.ts";
import { Option } from "@commander-js/extra-typings";

export type Note = string | { readonly detail: string };

export function whyOption() {
  return new Option("--why", "show reasons and details in full");
}

/**
 * On a terminal, long notes are cut to their first clauses and details are omitted unless `--why` was given; elsewhere
 * everything is written.
 *
 * @param write Writes a line.
 * @default `say`
 */
export async function sayNotes(
  notes: readonly Note[],
  context: CliContext,
  write: (line: string) => void | Promise<void> = (line) => say(line, context),
): Promise<void> {
  const { stderr } = context.io;
  const isShort = stderr.isTerminal && !context.why && !wantsData(context);
  const width = stderr.columns ?? 80;
  let isCut = false;
  for (const note of notes) {
    const text = typeof note === "string" ? note : isShort ? undefined : note.detail;
    // Indented lines are to be copied.
    const isLong = text !== undefined && text.length > width && !text.startsWith("  ");
    const shown = isShort && isLong ? mainClauses(text, width) : text;
    isCut ||= isShort && (shown === undefined || shown !== text);
    if (shown !== undefined) await write(shown);
  }
  if (isCut) await write("--why tells more");
}

function mainClauses(text: string, width: number): string {
  const ends = [...text.matchAll(/[.;] |: (?=[a-zA-Z])|, (?:so|because|and|which|but) /g)]
    .map(({ index }) => index).filter((index) => index >= 24);
  const end = ends.findLast((index) => index <= width) ?? ends[0];
  return end === undefined ? text : text.slice(0, end);
}

export async function writeText(text: string, { io: { stdout } }: Pick<CliContext, "io">): Promise<void> {
  await stdout.write(wrapLines(text, stdout.columns));
}

export async function say(line: string, { io, globals }: Pick<CliContext, "io" | "globals">): Promise<void> {
  if (!globals.quiet) await io.stderr.write(`${commandWords(line)}\n`);
}
