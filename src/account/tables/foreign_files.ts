const SAVE = "Open it in a spreadsheet program and save it as .xlsx";
const DOWNLOAD = "Download the report as .xlsx or .csv";

const COMPOUND = [0xd0, 0xcf, 0x11, 0xe0];
const STARTS: readonly (readonly [start: readonly number[], reason: string])[] = [
  [COMPOUND, `it is an old .xls file. ${SAVE}`],
  [[0x25, 0x50, 0x44, 0x46], `it is a PDF file. ${DOWNLOAD}`],
  [[0x1f, 0x8b], "it is a packed file (gzip). Unpack it first"],
];
/** UTF-16. */
const ENCRYPTED = new Uint8Array([..."EncryptedPackage"].flatMap((char) => [char.charCodeAt(0), 0]));

export function foreignBytes(bytes: Uint8Array): string | undefined {
  const reason = STARTS.find(([start]) => startsWith(bytes, start))?.[1];
  return startsWith(bytes, COMPOUND) && includes(bytes, ENCRYPTED)
    ? "it is protected by a password. Open it in a spreadsheet program and save it without one"
    : reason;
}

export function startsWith(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, at) => bytes[at] === byte);
}

function includes(bytes: Uint8Array, part: Uint8Array): boolean {
  const [first = 0] = part;
  for (let at = bytes.indexOf(first); at >= 0; at = bytes.indexOf(first, at + 1)) {
    if (part.every((byte, offset) => bytes[at + offset] === byte)) return true;
  }
  return false;
}

const TEXTS: readonly (readonly [start: RegExp, reason: string])[] = [
  [/^<\?xml[^>]*>[\s\S]*<(?:\w+:)?Workbook\b/i, `it is an XML spreadsheet of 2003. ${SAVE}`],
  [/^<\?xml[^>]*>[\s\S]*<office:document\b/, `it is an OpenDocument spreadsheet. ${SAVE}`],
  [
    /^<(?:!doctype|html|head|body|meta|table|\?xml)\b/i,
    `it is a web page (HTML), despite its name. ${SAVE}, or download the file once more`,
  ],
  [/\0/, "it is not text: it contains binary data"],
];

const JSON_START = /^(?:\[\s*)?\{\s*["}]/;

export function foreignText(
  start: string,
  { takesJson }: { readonly takesJson: boolean },
): string | undefined {
  if (!takesJson && JSON_START.test(start)) return `it is a JSON file, not a table. ${DOWNLOAD}`;
  return TEXTS.find(([beginning]) => beginning.test(start))?.[1];
}

const ARCHIVES: readonly (readonly [path: RegExp, reason: string])[] = [
  [/^xl\/workbook\.bin$/i, `it is a binary workbook (.xlsb). ${SAVE}`],
  [/^content\.xml$/, `it is an OpenDocument spreadsheet. ${SAVE}`],
  [/^(?:word|ppt)\//i, `it is a document or a presentation, not a workbook. ${DOWNLOAD}`],
  [/\.iwa$/, "it is a Numbers file. Export it as .xlsx"],
];
const MAX_NAMED = 3;

export function foreignArchive(paths: readonly string[]): string {
  const known = ARCHIVES.find(([one]) => paths.some((path) => one.test(path)));
  if (known !== undefined) return known[1];
  const tables = paths.filter((path) => /\.(?:csv|tsv|txt|xlsx?)$/i.test(path));
  const named = (tables.length > 0 ? tables : paths).slice(0, MAX_NAMED).map((path) => `"${path}"`);
  return tables.length > 0
    ? `it is a zip archive with ${named.join(", ")}. Unpack it first`
    : `it is a zip archive, and has no workbook, only ${named.join(", ")}`;
}
