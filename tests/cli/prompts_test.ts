import assert from "node:assert/strict";
import { askSecret, confirm } from "../../src/interfaces/cli/shell/context/confirm.ts";
import type { CliContext } from "../../src/interfaces/cli/shell/context/context.ts";
import { InterruptedError } from "../../src/interfaces/cli/shell/io/take_line.ts";

/** The part of a context that a question needs; what is written to stderr is in `shown`. */
function asking(line: () => Promise<string | undefined>): { context: CliContext; shown: string[] } {
  const shown: string[] = [];
  const io = {
    stdin: { isTerminal: true, line },
    stderr: { isTerminal: true, write: (text: string) => Promise.resolve(void shown.push(text)) },
  };
  const interruption = { signal: new AbortController().signal };
  return { context: { io, interruption } as unknown as CliContext, shown };
}

Deno.test("a question ends its line, whether it is answered, left with Ctrl-D or interrupted with Ctrl-C", async () => {
  const interrupted = (): Promise<never> => Promise.reject(new InterruptedError());
  for (const ask of [confirm, askSecret]) {
    const broken = asking(interrupted);
    await assert.rejects(ask("Sure? ", broken.context), InterruptedError);
    assert.equal(broken.shown.at(-1), "\n", ask.name);
    const left = asking(() => Promise.resolve(undefined));
    await ask("Sure? ", left.context);
    assert.equal(left.shown.at(-1), "\n", ask.name);
  }
  const answered = asking(() => Promise.resolve("yes"));
  assert.equal(await confirm("Sure?", answered.context), true);
  assert.deepEqual(answered.shown, ["Sure? [y/N] "], "the terminal has echoed Return");
  assert.equal(await askSecret("Code: ", asking(() => Promise.resolve("abc")).context), "abc");
});
