import assert from "node:assert/strict";
import { parseDotenv } from "../../src/platform/connection/connection_from_env.ts";

const CASES: readonly [name: string, text: string, expected: Record<string, string>][] = [
  ["bare values", "A=1\nB = two words \n", { A: "1", B: "two words" }],
  ["an empty value", "A=\nB=2", { A: "", B: "2" }],
  ["export", "export A=1\n  export\tB=2", { A: "1", B: "2" }],
  ["comments and blank lines", "# A=0\n\n  # B=0\nC=1 # why\nD=a#b", { C: "1", D: "a#b" }],
  ["single quotes, taken as they are", "A='x # y \\n'", { A: "x # y \\n" }],
  ["double quotes with escapes", String.raw`A="a\nb\t\"q\" \\ c"`, { A: 'a\nb\t"q" \\ c' }],
  ["back quotes", 'A=`it\'s "so"`', { A: 'it\'s "so"' }],
  ["a comment after quotes", 'A="x" # y', { A: "x" }],
  ["a value over several lines", 'A="one\nB=inside"\nC=3', { A: "one\nB=inside", C: "3" }],
  ["Windows line ends", "A=1\r\nB='2'\r\nC=\"3\"\r\n", { A: "1", B: "2", C: "3" }],
  ["a byte order mark", "\uFEFFA=1", { A: "1" }],
  ["equals signs in a value", "A=b=c==", { A: "b=c==" }],
  ["a token with signs", "A=Atzr|IwEB-_.~+/=", { A: "Atzr|IwEB-_.~+/=" }],
  ["an apostrophe in a bare value", "A=it's\nB=2", { A: "it's", B: "2" }],
  ["a quote that is never closed", 'A="x\nB=2', { A: '"x', B: "2" }],
  ["the last of two lines", "A=1\nA=2", { A: "2" }],
  ["lines that are no settings", "no equals\n=x\n1A=2\nA-B=3", {}],
];

for (const [name, text, expected] of CASES) {
  Deno.test(`parseDotenv() reads ${name}`, () => assert.deepEqual(parseDotenv(text), expected));
}
