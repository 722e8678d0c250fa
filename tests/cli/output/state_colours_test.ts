import { deepEqual, equal } from "../../support/assert.ts";
import {
  colouredCell,
  STATE_COLOURS,
  stateColour,
  stylesFor,
} from "../../../src/interfaces/cli/shell/output/styles.ts";
import type { CliIo } from "../../../src/interfaces/cli/shell/io/cli_io.ts";

function stylesOf(isTerminal: boolean, env: Record<string, string> = {}) {
  const sink = { isTerminal, columns: 80, write: () => Promise.resolve() };
  const io = { env } as unknown as CliIo;
  return stylesFor(sink, { io, globals: { color: true } });
}

Deno.test("each state has one colour", () => {
  const words = Object.values(STATE_COLOURS).flat();
  deepEqual(words.filter((word, at) => words.indexOf(word) !== at), []);
  for (
    const [text, colour] of [
      ["refused", "red"],
      ["FAILED", "red"],
      ["queued", "yellow"],
      ["waits for team", "yellow"],
      ["in progress", "yellow"],
      ["applied 3 of 3", "green"],
      ["as scheduled", "green"],
      ["unknown", "magenta"],
      ["enabled", undefined],
      ["newest", undefined],
    ] as const
  ) equal(stateColour(text), colour, text);
});

Deno.test("columns of states are coloured on a terminal, other columns and pipes are not", () => {
  const cell = (text: string, column: string, styles = stylesOf(true)) => colouredCell(text, column, styles);
  equal(cell("refused", "state"), "\x1b[31mrefused\x1b[39m");
  equal(cell("waiting", "plan_status"), "\x1b[33mwaiting\x1b[39m");
  equal(cell("done ", "outcome"), "\x1b[32mdone \x1b[39m");
  equal(cell("unknown", "verdict"), "\x1b[35munknown\x1b[39m");
  equal(cell("refused", "name"), "refused");
  equal(cell("-0.20", "bid_change"), "-0.20", "a lowered bid is no error");
  equal(cell("refused", "state", stylesOf(false)), "refused");
  equal(cell("refused", "state", stylesOf(true, { NO_COLOR: "1" })), "refused");
});
