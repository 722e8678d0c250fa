import { deepEqual, equal, ok } from "../support/assert.ts";
import fc from "fast-check";
import { parse } from "yaml";
import { readFlowLines, readYamlFile, yamlMap, yamlString } from "../../src/account/files/yaml_file.ts";
import { anyText } from "../support/any_text.ts";

const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 20 }),
  anyText({ maxLength: 10 }),
  fc.constantFrom(
    "yes",
    "No",
    "null",
    "~",
    "1e3",
    "0x1F",
    "007",
    "2026-01-01",
    "- a",
    "a: b",
    "a #b",
    "*x",
    "&x",
    "!t",
    "%",
    "@",
    "`",
    "'",
    '"',
    "{",
    "[]",
    "\u2028",
    "\u0001",
    "  ",
    "a ",
    " a",
    "\ta",
    "a\nb",
    "true",
    "12 boots",
    "12:30",
  ),
);
const value: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    text,
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number === 0 ? 0 : number),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(text.filter((key) => key !== "__proto__" && key !== "<<"), tie("value"), {
      maxKeys: 3,
      noNullPrototype: true,
    }),
  ),
})).value;
const fields = fc.dictionary(fc.stringMatching(/^[a-z][A-Za-z]{0,8}$/), value, {
  minKeys: 1,
  maxKeys: 4,
  noNullPrototype: true,
})
  .map((found) => ({ ...found }));

Deno.test("any value is read back from the line that is written for it, and the line hides nothing", () => {
  fc.assert(
    fc.property(fields, (found) => {
      const line = yamlMap(found);
      ok(!/[\n\r\u0085\u2028\u202e]/.test(line));
      deepEqual(parse(line.replaceAll("$${", "${")), found);
    }),
    { seed: 1, numRuns: 1500 },
  );
});

Deno.test("lines in flow style are read as a parser of all of YAML reads them", () => {
  const line = fc.oneof(
    { weight: 4, arbitrary: fields.map(yamlMap) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        "{ a: b: c }",
        "{ a }",
        "{ a: 1, a: 2 }",
        "{ a: *x }",
        "{ a: 'x' }",
        '{ a: "\\x41" }',
        "{ a: [1,2] }",
        "{a: 1}",
        "{ a: 1 , b: 2 }",
        "{ a: .5 }",
        "{ a: +1 }",
        "{ a: 1_000 }",
        "{ a: Null }",
      ),
    },
    {
      weight: 2,
      arbitrary: fc.string({
        unit: fc.constantFrom("a", " ", ":", ",", "{", "}", "[", "]", "1", "-", '"', "#"),
        maxLength: 14,
      }).map((inner) => `{ ${inner} }`),
    },
  );
  let quick = 0;
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 5 }), fc.boolean(), (lines, isText) => {
      const file = isText
        ? `name: x\nnote: |\n${lines.map((one) => `  - ${one}`).join("\n")}\nlist:\n  - { a: 1 }\n`
        : `name: x\nlist:\n${lines.map((one) => `  - ${one}`).join("\n")}\n`;
      const read = readFlowLines(file);
      if (read === undefined) return;
      quick++;
      deepEqual(read.data, parse(file));
    }),
    { seed: 2, numRuns: 3000 },
  );
  ok(quick > 300, `${quick} files were read the quick way`);
});

Deno.test("a name that could begin a variable is written so that it does not", () => {
  equal(yamlString("${x}"), '"$${x}"');
  equal(yamlString("Running shoes - 2P (EXACT)"), "Running shoes - 2P (EXACT)");
});

Deno.test("aliases that repeat each other or name nothing are problems of the file", () => {
  const names = [..."abcdefg"];
  const lines = names.slice(1).map((name, at) =>
    `${name}: &${name} [${Array(10).fill(`*${names[at]}`).join(", ")}]\n`
  );
  const problems = [`a: &a [x, x]\n${lines.join("")}`, "a: *b\n"].map((text) =>
    readYamlFile("sp/a.yaml", text).problems.map(({ file, message }) => `${file}: ${message}`)
  );
  deepEqual(problems, [
    ["sp/a.yaml: Excessive alias count indicates a resource exhaustion attack"],
    ["sp/a.yaml: Unresolved alias (the anchor must be set before the alias): b"],
  ]);
});
