import assert from "node:assert/strict";
import { test } from "node:test";
import { BrokenReportFile, readRows } from "../../src/client/reports/file/read_rows.ts";
import type { ReportRow, ReportValue } from "../../src/client/reports/file/report_row.ts";
import { gzip, joined, pieces, utf8 } from "../support/bytes.ts";
import { SeededRandom } from "../support/seeded_random.ts";

const noModules = (): undefined => undefined;

async function read(
  source: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  modules?: () => undefined,
): Promise<ReportRow[]> {
  const rows: ReportRow[] = [];
  for await (const batch of readRows(source, { modules })) rows.push(...batch);
  return rows;
}

const THREE = '[{"a":1,"b":"x"},{"a":2,"b":"ü 日本 \\" ]}"},{"a":3,"b":null}]';
const THREE_ROWS = [{ a: 1, b: "x" }, { a: 2, b: 'ü 日本 " ]}' }, { a: 3, b: null }];
const LINES = THREE.slice(1, -1).replaceAll("},{", "}\n{");

const readable: Record<string, Uint8Array> = {
  "a JSON array in gzip": gzip(THREE),
  "a JSON array as it is": utf8(THREE),
  "an array over several lines": utf8(
    THREE.replaceAll("},{", "} ,\r\n\t{").replace("[", " [ ").replace(/]$/, "\n ]\n"),
  ),
  "JSON lines in gzip": gzip(LINES),
  "JSON lines with a last line break": utf8(`${LINES}\n`),
  "JSON lines with blank lines and Windows line ends": utf8(`\n${LINES.replaceAll("\n", "\r\n\r\n")}\r\n`),
  "a file that begins with a byte order mark": utf8(`\ufeff${THREE}`),
  "gzip of two members": joined(gzip(THREE.slice(0, 20)), gzip(THREE.slice(20))),
  "gzip followed by zeros": joined(gzip(THREE), new Uint8Array(512)),
};

for (const [what, file] of Object.entries(readable)) {
  test(`readRows() reads ${what}`, async () => {
    assert.deepEqual(await read([file]), THREE_ROWS);
    assert.deepEqual(await read([...file].map((byte) => Uint8Array.of(byte))), THREE_ROWS, "byte by byte");
    assert.deepEqual(await read([file], noModules), THREE_ROWS, "with what the Web has alone");
  });
}

test("readRows() takes a replacement character that is really there", async () => {
  assert.deepEqual(await read([utf8('[{"a":"x\ufffdy"}]')]), [{ a: "x\ufffdy" }]);
});

test("readRows() finds no rows in an empty list, and in gzip of nothing", async () => {
  for (const file of [utf8("[]"), utf8(" [ ] "), gzip("[]"), gzip("")]) {
    assert.deepEqual(await read([file]), []);
  }
});

test("readRows() keeps every digit: ids become text, long integers too, other numbers stay", async () => {
  const text = '[{"campaignId":12,"adGroupId": 345678901234567890 ,"keywordId" : 18446744073709551615,' +
    '"adId":"7","clicks":9007199254740991,"views":9007199254740993,"minus":-9007199254740993,' +
    '"cost":0.12345678901234567,"share":1.5e-7,"odd":"\\"adId\\":12","note":"Id\\\\","impressions":12}]';
  assert.deepEqual(await read([gzip(text)]), [{
    campaignId: "12",
    adGroupId: "345678901234567890",
    keywordId: "18446744073709551615",
    adId: "7",
    clicks: 9007199254740991,
    views: "9007199254740993",
    minus: "-9007199254740993",
    cost: 0.12345678901234567,
    share: 1.5e-7,
    odd: '"adId":12',
    note: "Id\\",
    impressions: 12,
  }]);
});

const broken: Record<string, [file: Uint8Array, why: RegExp, rows: number | undefined]> = {
  "an empty file": [new Uint8Array(0), /^it is empty$/, 0],
  "a single byte": [utf8("["), /its list of rows is not closed/, 0],
  "a list cut between two rows": [utf8('[{"a":1},'), /its list of rows is not closed/, 1],
  "a list cut after a row": [utf8('[{"a":1}'), /its list of rows is not closed/, 1],
  "a list cut inside a row": [utf8('[{"a":1},{"b":'), /it ends in the middle of a row/, 1],
  "a line cut short": [utf8('{"a":1}\n{"a":"2'), /it ends in the middle of a row/, 1],
  "gzip cut short": [gzip(THREE).slice(0, -9), /it cannot be unpacked/, undefined],
  "gzip cut inside its header": [gzip(THREE).slice(0, 5), /it cannot be unpacked/, undefined],
  "gzip followed by junk": [joined(gzip(THREE), utf8("junk")), /it cannot be unpacked/, undefined],
  "gzip of a cut list": [gzip('[{"a":1},{"a":2},'), /its list of rows is not closed/, 2],
  "an error page": [utf8("<html>403</html>"), /it begins with "<"/, 0],
  "a bare text": [utf8('"AccessDenied"'), /it begins with """/, 0],
  "two lists": [utf8('[{"a":1}][{"a":2}]'), /"\[" follows the end of its list/, 0],
  "rows without a comma": [utf8('[{"a":1}{"a":2}]'), /"\{" stands where/, 0],
  "two commas": [utf8('[{"a":1},,{"a":2}]'), /"," stands where/, 0],
  "a comma before the end": [utf8('[{"a":1},]'), /"\]" stands where/, 0],
  "a list of numbers": [utf8("[1,2]"), /"1" stands where/, 0],
  "lines with commas": [utf8('{"a":1},\n{"a":2}'), /"," stands where/, 0],
  "lines that run together": [utf8('{"a":1}{"a":2}'), /"\{" stands where/, 0],
  "mixed brackets": [utf8('[{"a":1]]'), /its JSON is malformed/, 0],
  "a key without quotes": [utf8("[{a:1}]"), /its JSON is malformed/, 0],
  "a raw line break in a text": [utf8('[{"a":"\n"}]'), /its JSON is malformed/, 0],
  "bytes that are not UTF-8": [
    joined(utf8('[{"a":"'), Uint8Array.of(0xff), utf8('"}]')),
    /its text is not UTF-8/,
    0,
  ],
  "a row without end": [utf8(`[{"a":"${"x".repeat(1024 * 1024)}`), /a row is longer than 1048576 bytes/, 0],
};

for (const [what, [file, why, rows]] of Object.entries(broken)) {
  test(`readRows() refuses ${what}, and says how far it got`, async () => {
    for (const modules of [undefined, noModules]) {
      const reading = read([file], modules);
      await assert.rejects(reading, (error: BrokenReportFile) => {
        assert(error instanceof BrokenReportFile);
        assert.match(error.message, why);
        if (modules === undefined && rows !== undefined) assert.equal(error.rows, rows);
        return true;
      });
    }
  });
}

test("readRows() notices every single flipped bit of a packed file", async () => {
  const file = gzip(THREE);
  for (let bit = 0; bit < file.length * 8; bit++) {
    const damaged = file.slice();
    damaged[bit >> 3]! ^= 1 << (bit & 7);
    const rows = await read([damaged]).catch((error) => error);
    if (Array.isArray(rows)) assert.deepEqual(rows, THREE_ROWS, `bit ${bit} is one that gzip does not use`);
    else assert(rows instanceof BrokenReportFile, `bit ${bit}`);
  }
});

test("readRows() refuses every beginning of a packed file", async () => {
  const file = gzip(THREE);
  for (let length = 0; length < file.length; length++) {
    await assert.rejects(read([file.slice(0, length)]), BrokenReportFile, `${length} bytes`);
  }
});

test("readRows() says that the bytes stopped coming when their source fails", async () => {
  async function* lost(): AsyncGenerator<Uint8Array> {
    yield await Promise.resolve(utf8('[{"a":1},'));
    throw new Error("connection reset");
  }
  await assert.rejects(read(lost()), (error: BrokenReportFile) => {
    assert.match(error.message, /its bytes stopped coming \(connection reset\)/);
    assert.equal(error.rows, 1);
    return true;
  });
});

test("readRows() ends its source when the reader stops early", async () => {
  let ended = false;
  const file = gzip(`[${'{"a":1},'.repeat(100_000)}{"a":2}]`);
  function* source(): Generator<Uint8Array> {
    try {
      for (let at = 0; at < file.length; at += 16) yield file.subarray(at, at + 16);
    } finally {
      ended = true;
    }
  }
  for await (const batch of readRows(source())) {
    assert(batch.length > 0);
    break;
  }
  await new Promise((done) => setTimeout(done, 0));
  assert(ended);
});

function randomValue(random: SeededRandom, depth = 0): ReportValue {
  const kind = random.integer(0, depth > 1 ? 5 : 7);
  if (kind === 0) return null;
  if (kind === 1) return random.next() < 0.5;
  if (kind === 2) return random.integer(-1e6, 1e6);
  if (kind === 3) return random.integer(0, 1e9) / 7;
  if (kind > 5) {
    const inner = Array.from({ length: random.integer(0, 3) }, () => randomValue(random, depth + 1));
    return (kind === 6 ? inner : Object.fromEntries(inner.map((value, i) => [`k${i}`, value]))) as never;
  }
  const letters = [
    '"',
    "\\",
    "\n",
    "}",
    "]",
    "{",
    "[",
    ",",
    ":",
    "é",
    "日",
    "👩‍👩‍👧",
    " ",
    "a",
    "1234567890123456789",
    "Id",
  ];
  return Array.from({ length: random.integer(0, 8) }, () => random.pick(letters)).join("");
}

test("readRows() gives back any rows, however they are written, packed and cut into pieces", async () => {
  const random = new SeededRandom(5);
  for (let round = 0; round < 600; round++) {
    const rows = Array.from({ length: random.integer(0, 6) }, () =>
      Object.fromEntries(
        Array.from(
          { length: random.integer(0, 4) },
          (_, i) => [`${random.pick(["c", 'd"', "é"])}${i}`, randomValue(random)],
        ),
      ) as ReportRow);
    const asLines = random.next() < 0.3 && rows.length > 0;
    const space = random.pick([undefined, undefined, 1]);
    const text = asLines
      ? rows.map((row) => JSON.stringify(row)).join("\n")
      : JSON.stringify(rows, null, space);
    const file = random.next() < 0.5 ? gzip(text) : utf8(text);
    assert.deepEqual(
      await read(pieces(file, random, random.pick([1, 9, 200]))),
      rows,
      `round ${round}: ${text}`,
    );
  }
});
