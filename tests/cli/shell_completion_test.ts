import assert from "node:assert/strict";
import { ADSCTL, HAS_PSEUDO_TERMINAL, inPipe, onTerminal } from "./support/process.ts";
import { long } from "../support/long.ts";

/** What zsh prints once it takes keys. */
const READY = "\x1b[?2004h";
const FUNCTION = ADSCTL.map((word) => `'${word}'`).join(" ");

async function has(shell: string): Promise<boolean> {
  return await inPipe([shell, "--version"]).then(({ code }) => code === 0, () => false);
}

async function script(shell: string): Promise<string> {
  return (await inPipe([...ADSCTL, "completions", shell])).stdout;
}

if (await has("bash")) {
  long();
  Deno.test("bash completes commands, options and values", async () => {
    const ask = (words: string): string =>
      `COMP_WORDS=(${words}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _adsctl; echo "\${COMPREPLY[@]}"`;
    const lines = [
      await script("bash"),
      `adsctl() { ${FUNCTION} "$@"; }`,
      "compopt() { :; }",
      ask("adsctl plan ap"),
      ask("adsctl list brands-k"),
      ask("adsctl list keywords --format j"),
      // As bash takes words apart at ":" and "=".
      ask("adsctl ops show advertising-billing : getInv"),
      ask("adsctl list keywords --format = jsonl"),
    ];
    const { stdout, stderr } = await inPipe(["bash", "--norc", "-c", lines.join("\n")]);
    assert.equal(stderr, "");
    assert.deepEqual(stdout.trim().split("\n"), [
      "approve apply",
      "brands-keywords",
      "json jsonl",
      "getInvoice",
      "jsonl",
    ]);
  });
} else console.log("No bash completion test: bash is not on this machine");

if (await has("fish")) {
  Deno.test("fish completes commands and options with their descriptions", async () => {
    const lines = [
      `function adsctl; ${FUNCTION} $argv; end`,
      await script("fish"),
      'complete -C "adsctl plan ap"',
      'complete -C "adsctl list keywords --al"',
    ];
    const { stdout } = await inPipe(["fish", "--no-config", "-c", lines.join("\n")]);
    assert.match(stdout, /^apply\tSend a plan, after showing it and asking$/m);
    assert.match(stdout, /^--all-states\t/m);
  });
} else console.log("No fish completion test: fish is not on this machine");

if (HAS_PSEUDO_TERMINAL && await has("zsh")) {
  Deno.test("zsh completes commands when Tab is pressed", async () => {
    const folder = await Deno.makeTempDir({ prefix: "adsctl-zsh-" });
    try {
      await Deno.writeTextFile(`${folder}/_adsctl`, await script("zsh"));
      await Deno.writeTextFile(
        `${folder}/setup`,
        `adsctl() { ${FUNCTION} "$@"; }\nfpath=(${folder} $fpath)\nautoload -U compinit; compinit -u -D\n`,
      );
      const { stdout } = await onTerminal(["zsh", "-f", "-i"], {
        keys: [
          [READY, `source ${folder}/setup\n`],
          [READY, "adsctl compl\t"],
          ["etions", "\x15exit\n"],
        ],
      });
      assert.match(stdout, /adsctl compl.*etions/s);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });
} else console.log("No zsh completion test: zsh or a pseudo-terminal is not on this machine");
