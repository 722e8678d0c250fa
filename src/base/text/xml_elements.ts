const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };

export function elements(xml: string, name: string): string[] {
  return Array.from(
    xml.matchAll(new RegExp(`<${name}(?:\\s[^>]*)?(?:/>|>([^]*?)</${name}>)`, "g")),
    ([, content]) => content ?? "",
  );
}

export function elementText(xml: string, name: string): string {
  return unescapeXml(elements(xml, name)[0] ?? "");
}

function unescapeXml(text: string): string {
  return text.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (found, decimal, hexadecimal, name) => {
    if (name !== undefined) return ENTITIES[String(name)] ?? found;
    const code = decimal === undefined ? parseInt(String(hexadecimal), 16) : Number(decimal);
    return code <= 0x10FFFF ? String.fromCodePoint(code) : found;
  });
}
