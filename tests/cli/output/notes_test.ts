import { type Note, sayNotes } from "../../../src/interfaces/cli/shell/output/write_text.ts";
import type { CliContext } from "../../../src/interfaces/cli/shell/context/context.ts";
import { deepEqual } from "../../support/assert.ts";

const NOTES: readonly Note[] = [
  "Looked at 9: 2 changes, 7 left out",
  { detail: "  7  It does not meet the condition" },
  "Orders and sales cannot be compared yet: those of days from 15 November on still come in, so wait two weeks",
  "Daily spend: unknown, estimated -31.01 to 0.00 USD: within the range. The difference holds everything else",
];

async function said(
  notes: readonly Note[],
  { isTerminal = true, ...given }: { isTerminal?: boolean; why?: boolean; format?: "auto" | "json" } = {},
): Promise<string[]> {
  let text = "";
  const stderr = { isTerminal, columns: 80, write: (part: string) => Promise.resolve(void (text += part)) };
  const { why, format = "auto" } = given;
  const context = { io: { stderr }, globals: { format, quiet: false }, why } as unknown as CliContext;
  await sayNotes(notes, context);
  return text.trimEnd().split("\n");
}

const FULL = NOTES.map((note) => typeof note === "string" ? note : note.detail);

Deno.test("notes on a terminal are a line each, and say that --why tells more", async () => {
  deepEqual(await said(NOTES), [
    "Looked at 9: 2 changes, 7 left out",
    "Orders and sales cannot be compared yet",
    "Daily spend: unknown, estimated -31.01 to 0.00 USD: within the range",
    "--why tells more",
  ]);
});

Deno.test("--why, a pipe and --json have all notes in full", async () => {
  deepEqual(await said(NOTES, { why: true }), FULL);
  deepEqual(await said(NOTES, { isTerminal: false }), FULL);
  deepEqual(await said(NOTES, { format: "json" }), FULL);
});

Deno.test("notes that fit need no --why, and one without a clause to cut stays whole", async () => {
  deepEqual(await said(["Nothing new"]), ["Nothing new"]);
  const long = "brands-campaigns ".repeat(6).trim();
  deepEqual(await said([long]), [long]);
  const line =
    `  180241267119975,9223433389067420740,"Skillet phrase has 14 terms; Skillet exact has 3 of its products"`;
  deepEqual(await said([line]), [line], "a line to copy");
});
