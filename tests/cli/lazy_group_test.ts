import assert from "node:assert/strict";
import {
  command,
  type CommandKit,
  commandKit,
  docOf,
  lazyGroup,
} from "../../src/interfaces/cli/shell/command.ts";

function kit(): CommandKit {
  const io = { stdout: {}, env: {} };
  return commandKit({ io } as unknown as Parameters<typeof commandKit>[0], { out: "", err: "", exitCode: 0 });
}

Deno.test("a lazy group loads the one command that is asked for, and all of them where none is", async () => {
  const loaded: string[] = [];
  const load = (name: string) => () => {
    loaded.push(name);
    const doc = { summary: `Do ${name}`, examples: [] };
    return Promise.resolve(command((kit) => kit.leaf(name, doc), () => Promise.resolve(0)));
  };
  const group = lazyGroup("plan", { summary: "Plans", examples: [] }, {
    show: load("show"),
    undo: load("undo"),
  });
  const names = async (words: readonly string[]): Promise<string[]> => {
    loaded.length = 0;
    const made = (await group(words))(kit());
    assert.equal(docOf(made)?.summary, "Plans");
    return made.commands.map((each) => each.name());
  };
  assert.deepEqual([await names(["plan", "undo", "a.json"]), loaded], [["undo"], ["undo"]]);
  assert.deepEqual([await names(["plan"]), loaded], [["show", "undo"], ["show", "undo"]]);
  assert.deepEqual(
    await names(["plan", "toString"]),
    ["show", "undo"],
    "a name of every object is no command",
  );
});
