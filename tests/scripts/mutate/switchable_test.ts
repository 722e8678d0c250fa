import { deepEqual, equal, throws } from "../../support/assert.ts";
import { MutantSwitch } from "../../../scripts/mutate/mutant_switch.ts";
import { switchable } from "../../../scripts/mutate/switchable.ts";

/** What a function gives with no change active, then with each of its changes; `seen` collects what it does. */
function results(body: string, ...given: unknown[]): unknown[] {
  const { mutants, text } = switchable("x.js", `function changed(given, seen) { ${body} }`);
  const $mutant = new MutantSwitch();
  const changed = new Function("$mutant", `${text}; return changed;`)($mutant);
  return [0, ...mutants.map(({ id }) => id)].map((id) => {
    $mutant.active = id;
    const seen: unknown[] = [];
    const result = changed(given, seen);
    return seen.length > 0 ? seen : result;
  });
}

function changes(text: string): string[] {
  return switchable("x.ts", text).mutants.map(({ before, after }) => `${before} to ${after}`);
}

Deno.test("operators, constants and conditions are changed, statements removed", () => {
  deepEqual(changes("const a = b === c;"), ["=== to !=="]);
  deepEqual(changes("const a = b < 5;"), ["< to <=", "5 to (5 + 1)"]);
  deepEqual(changes("const a = !b;"), ["!b to (b)"]);
  deepEqual(changes("const a = b ?? c;"), ["b ?? c to b"]);
  deepEqual(changes("if (a) b();"), ["a to true", "a to false", "b(); to ;"]);
  deepEqual(changes("const a = b ? c : d;"), ["b to !(b)"]);
  deepEqual(changes("throw new Error('x');"), ["throw new Error('x'); to ;"]);
});

Deno.test("one change is active at a time, and none before", () => {
  deepEqual(results("const [a, b] = given; return a === b;", "a", "b"), [false, true]);
  deepEqual(results("const [a] = given; return a + a * 2;", 3), [9, -3, 4.5, 12]);
  deepEqual(results("const [a] = given; return !a;", 1), [false, true]);
  deepEqual(results("const [a] = given; return a ? 'yes' : 'no';", 1), ["yes", "no"]);
  deepEqual(results("const [a, b] = given; return a && b || 'none';", "a", ""), ["none", "", "a"]);
  deepEqual(results("const [a] = given; return a ?? 'none';", null), ["none", null]);
  deepEqual(results("return true;"), [true, false]);
  deepEqual(results("const [a] = given; if (a) return 'yes'; return 'no';", 1), ["yes", "yes", "no"]);
  deepEqual(results("seen.push('a'); seen.push('b');"), [["a", "b"], ["b"], ["a"]]);
  const loop = "for (const a of given) { if (a === 'b') break; seen.push(a); }";
  const [all, none] = [["a", "b"], undefined];
  deepEqual(results(loop, "a", "b"), [["a"], none, all, none, all, none]);
});

Deno.test("`&&`, `||` and `??` give the values that they give unchanged, and read their right side only where they go on", () => {
  const sides = "const right = () => { seen.push('right'); return 'r'; };";
  const cut = (body: string, value: unknown): unknown[] =>
    results(`${sides} const left = given.at(); ${body}`, value).slice(0, 1);
  for (const operator of ["&&", "||", "??"]) {
    for (const value of [undefined, null, "", "l"]) {
      const expected = new Function("left", `return left ${operator} "r"`)(value);
      deepEqual(
        cut(`const all = left ${operator} 'r'; return all;`, value),
        [expected],
        `${value} ${operator}`,
      );
      const goesOn = expected === "r";
      deepEqual(
        cut(`left ${operator} right();`, value),
        [goesOn ? ["right"] : undefined],
        `${value} ${operator}`,
      );
    }
  }
});

Deno.test("a change knows its line, and the text of it", () => {
  const [change] = switchable("x.ts", "const a = 1;\nif (b)\n  c();\n", 7).mutants.slice(1);
  deepEqual([change?.id, change?.path, change?.line, change?.context, change?.before], [
    8,
    "x.ts",
    2,
    "if (b)",
    "b",
  ]);
});

Deno.test("types, imports, names, calls of super and joined texts are left alone", () => {
  for (
    const text of [
      'import a from "b";',
      "type A = 1 | true;",
      'const a = "b" + c;',
      "let a: 5;",
      "const a = { 5: b };",
      "const { 0: a } = b;",
      "for (const { index, 0: a } of b);",
      "class A { 5() {} }",
    ]
  ) {
    equal(changes(text).length, 0, text);
    equal(switchable("x.ts", text).text, text);
  }
  equal(changes("class A extends B { constructor() { super(); } }").length, 0);
});

Deno.test("a source that cannot be parsed with its changes is an error with its line", () => {
  throws(() => switchable("x.ts", "const a = 1;\nconst = 2;"), /changes in x\.ts, line 2: /);
});

Deno.test("a loop that a change makes endless ends with an error", () => {
  const { text } = switchable(
    "x.js",
    "function changed() { let count = 0; while (count < 3) count += 1; return count; }",
  );
  const $mutant = new MutantSwitch();
  $mutant.limit = 1000;
  const changed = new Function("$mutant", `${text}; return changed;`)($mutant);
  equal(changed(), 3);
  $mutant.active = 4;
  let message = "";
  try {
    changed();
  } catch (error) {
    message = String(error);
  }
  equal(message, "Error: The change made a test that does not end");
});
