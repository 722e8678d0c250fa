import { deepEqual, equal } from "node:assert/strict";
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

Deno.test("types, imports, calls of super and joined texts are left alone", () => {
  for (const text of ['import a from "b";', "type A = 1 | true;", 'const a = "b" + c;', "let a: 5;"]) {
    equal(changes(text).length, 0, text);
  }
  equal(changes("class A extends B { constructor() { super(); } }").length, 0);
});
