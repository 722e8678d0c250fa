import { deepEqual, equal } from "../support/assert.ts";
import { linesRun } from "../../scripts/mutate/line_coverage.ts";
import { mutantsOf } from "../../scripts/mutate/mutants.ts";

function changes(text: string): string[] {
  return mutantsOf("x.ts", text).map(({ start, end, after }) =>
    text.slice(0, start) + after + text.slice(end)
  );
}

Deno.test("operators, constants and conditions are changed, statements removed, one at a time", () => {
  deepEqual(changes("const a = b === c;"), ["const a = b !== c;"]);
  deepEqual(changes("const a = b < 5;"), ["const a = b <= 5;", "const a = b < (5 + 1);"]);
  deepEqual(changes("const a = !b;"), ["const a = (b);"]);
  deepEqual(changes("const a = b ?? c;"), ["const a = b;"]);
  deepEqual(changes("if (a) b();"), ["if (true) b();", "if (false) b();", "if (a) ;"]);
  deepEqual(changes("const a = b ? c : d;"), ["const a = !(b) ? c : d;"]);
  deepEqual(changes("throw new Error('x');"), [";"]);
});

Deno.test("a change knows its line, and the text of it", () => {
  const [change] = mutantsOf("x.ts", "const a = 1;\nif (b)\n  c();\n").slice(1);
  deepEqual([change?.path, change?.line, change?.context, change?.before], ["x.ts", 2, "if (b)", "b"]);
});

Deno.test("a line of which a part did not run is taken for run where the line before it ran", () => {
  const lcov = "SF:/project/a.ts\nDA:1,1\nDA:3,0\nDA:4,0\nDA:5,2\nend_of_record\nSF:/project/b.ts\nDA:1,0\n";
  deepEqual([...linesRun(lcov, "/project")], ["a.ts:1", "a.ts:3", "a.ts:5"]);
});

Deno.test("types, imports, calls of super and joined texts are left alone", () => {
  for (const text of ['import a from "b";', "type A = 1 | true;", 'const a = "b" + c;', "let a: 5;"]) {
    equal(changes(text).length, 0, text);
  }
  equal(changes("class A extends B { constructor() { super(); } }").length, 0);
});
