import assert from "node:assert/strict";
import { COMMANDS } from "../../src/interfaces/cli/command_index.ts";
import { commandTree } from "../../src/interfaces/cli/command_tree.ts";
import { cliReference } from "../../src/interfaces/cli/cli_reference.ts";
import { runCli } from "./support/run_cli.ts";

Deno.test("every command has a summary, real examples, help and a place in docs/cli", async () => {
  const nodes = await commandTree();
  const paths = nodes.map(({ path }) => path);
  for (const { path, command, doc } of nodes) {
    assert.ok(doc !== undefined, `${path} is documented`);
    assert.match(doc.summary, /^[A-Z].*[^.]$/, `${path}: the summary is a sentence without a period`);
    assert.equal(command.summary(), doc.summary);
    assert.ok(doc.examples.length > 0, `${path} has an example`);
    for (const [line, what] of doc.examples) {
      assert.match(line, new RegExp(`adsctl ${path.split(" ")[0]}`), `${path}: ${line}`);
      assert.ok(what.length > 3);
    }
    for (const option of command.options) {
      assert.ok(option.description, `${path} ${option.flags} says what it does`);
    }
    const page = await Deno.readTextFile(`docs/cli/${path.split(" ")[0]}.md`);
    assert.ok(page.includes(`\n## adsctl ${path}\n`), `docs/cli has a section for ${path}`);
    const help = await runCli(["help", ...path.split(" ")]);
    assert.equal(help.code, 0, path);
    assert.ok(
      help.stdout.includes(doc.summary) && help.stdout.includes("Examples:") &&
        help.stdout.includes(command.commands.length > 0 ? "Commands:" : "Global options:"),
      path,
    );
  }
  assert.equal(new Set(paths).size, paths.length);
});

Deno.test("the examples of the help parse: their commands and options exist", async () => {
  const nodes = await commandTree();
  for (const { doc, path } of nodes) {
    for (const [line] of doc!.examples) {
      const words = /adsctl (.+?)(?: [<>|] .*)?$/.exec(line)![1]!.match(/'[^']*'|"[^"]*"|\S+/g)!;
      const depth = words.findIndex((_, at) =>
        !nodes.some((node) => node.path === words.slice(0, at + 1).join(" "))
      );
      const name = words.slice(0, depth === -1 ? words.length : depth).join(" ");
      const node = nodes.find((other) => other.path === name);
      assert.ok(node !== undefined, `${path}: "${line}" begins with a command`);
      for (const word of words.filter((word) => /^--?[a-z]/.test(word))) {
        const flag = word.split("=")[0]!;
        assert.ok(
          node.command.options.some(({ long, short }) => long === flag || short === flag) ||
            flag === "--demo",
          `${path}: "${line}" uses ${flag}`,
        );
      }
    }
  }
});

Deno.test("the index tells each command's summary as the command itself does", async () => {
  const nodes = await commandTree();
  for (const { name, summary } of COMMANDS) {
    assert.equal(nodes.find(({ path }) => path === name)!.doc!.summary, summary, name);
  }
});

Deno.test("docs/cli is what the commands say", async () => {
  for (const [name, text] of Object.entries(await cliReference())) {
    const page = await Deno.readTextFile(`docs/cli/${name}`);
    assert.ok(text === page, `${name}: run deno run -A scripts/generate_cli_docs.ts`);
  }
});
