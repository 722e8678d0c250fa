import { deepEqual, equal, ok, throws } from "../support/assert.ts";
import { rowCells } from "../../src/base/text/row_cells.ts";
import { elementsIn, elementsOf, stringText } from "../../src/base/text/xml_text.ts";
import { long } from "../support/long.ts";

/** Characters that regular expressions and searches are begun at while a step runs, by their calls. */
function calls(step: () => void): number {
  const { exec } = RegExp.prototype;
  const { indexOf } = String.prototype;
  let count = 0;
  RegExp.prototype.exec = function (text) {
    count++;
    return exec.call(this, text);
  };
  String.prototype.indexOf = function (...args) {
    count++;
    return indexOf.apply(this, args);
  };
  try {
    step();
  } finally {
    RegExp.prototype.exec = exec;
    String.prototype.indexOf = indexOf;
  }
  return count;
}

function pieces(name: string, parts: readonly string[]): string[] {
  const found: string[] = [];
  const take = elementsOf(name, (element) => void found.push(element));
  for (const part of parts) take(part);
  return found;
}

Deno.test("elements are cut out of text that comes in pieces of any size", () => {
  const xml = '<sheet><x:row r="1"><c/></x:row><rows/><row/>  <row r="2">a</row ></sheet>';
  const wanted = ['<x:row r="1"><c/></x:row>', "<row/>", '<row r="2">a</row >'];
  for (let size = 1; size <= xml.length; size++) {
    const parts = xml.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
    deepEqual(pieces("row", parts), wanted, `pieces of ${size}`);
  }
});

long();
Deno.test("elements that are never closed cost no more than their length", () => {
  const few = calls(() => void pieces("row", Array.from({ length: 100 }, () => "<row>".repeat(100))));
  const many = calls(() => void pieces("row", Array.from({ length: 1000 }, () => "<row>".repeat(100))));
  ok(many < 15 * few, `${few} and ${many} calls`);
  for (const name of ["c", "t", "v"]) {
    ok(calls(() => void [...elementsIn(`<${name}>`.repeat(10_000), name)]) < 10, name);
  }
  ok(calls(() => void stringText("<rPh>".repeat(10_000))) < 20);
});

Deno.test("a cell behind the last column is refused before a row is filled up to it", () => {
  deepEqual(rowCells('<row><c r="XFD1"><v>7</v></c></row>', { strings: [] }).cells.length, 16_384);
  throws(
    () => rowCells('<row><c r="XFE1"><v>7</v></c></row>', { strings: [] }),
    /column XFE1: a sheet has 16384 columns/,
  );
  throws(() => rowCells('<row><c r="ZZZZZZZZ1"><v>7</v></c></row>', { strings: [] }), /ZZZZZZZZ1/);
});

Deno.test("texts are those of t, without reading aids", () => {
  equal(stringText("<r><t>a&amp;</t></r><rPh><t>x</t></rPh><t xml:space='preserve'> b</t>"), "a& b");
});
