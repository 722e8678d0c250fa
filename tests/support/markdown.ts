/** A fenced block of a Markdown page. */
export interface CodeBlock {
  /** The words after the opening fence. */
  readonly info: string;
  /** Its text, with a line break at the end. */
  readonly text: string;
  /** Line of its opening fence, from 1. */
  readonly line: number;
}

/** A link of a Markdown page. */
export interface Link {
  /** Where it leads, as written. */
  readonly target: string;
  /** Its line, from 1. */
  readonly line: number;
}

const FENCE = /^\s*(`{3,}|~{3,})(.*)$/;
const INLINE_CODE = /(`+)(?:(?!\1)[\s\S])*?\1/g;
const LINKS =
  /\]\(\s*<?([^\s)>]+)>?(?:\s+"[^"]*")?\s*\)|^\s{0,3}\[[^\]]+\]:\s*<?(\S+?)>?\s*$|\b(?:href|src)="([^"]+)"/g;

/** A Markdown page taken apart: as much of the syntax as our own pages use. */
export class MarkdownPage {
  /** Its fenced blocks. */
  readonly blocks: readonly CodeBlock[];
  /** Its links and images, those inside code left out. */
  readonly links: readonly Link[];
  /** What its headings can be linked by. */
  readonly anchors: ReadonlySet<string>;

  /** Takes a page apart. */
  constructor(text: string) {
    const blocks: CodeBlock[] = [];
    const links: Link[] = [];
    const anchors = new Set<string>();
    let open: { fence: string; info: string; line: number; lines: string[] } | undefined;
    for (const [at, content] of text.split("\n").entries()) {
      const line = at + 1;
      const fence = FENCE.exec(content);
      if (open !== undefined) {
        if (fence?.[1]?.startsWith(open.fence) && fence[2]?.trim() === "") {
          blocks.push({
            info: open.info,
            line: open.line,
            text: open.lines.map((one) => `${one}\n`).join(""),
          });
          open = undefined;
        } else open.lines.push(content);
        continue;
      }
      if (fence !== null) {
        open = { fence: fence[1]!, info: fence[2]!.trim(), line, lines: [] };
        continue;
      }
      const heading = /^#{1,6}\s+(.*?)\s*#*$/.exec(content);
      if (heading !== null) anchors.add(freeAnchor(heading[1]!, anchors));
      for (const [, id] of content.matchAll(/<a\s+(?:id|name)="([^"]+)"/g)) anchors.add(id!);
      for (const found of content.replace(INLINE_CODE, "").matchAll(LINKS)) {
        links.push({ target: (found[1] ?? found[2] ?? found[3])!, line });
      }
    }
    if (open !== undefined) throw new Error(`The block that begins at line ${open.line} has no end`);
    this.blocks = blocks;
    this.links = links;
    this.anchors = anchors;
  }
}

/** The anchor that a code host gives a heading: a number follows where the page has it already. */
function freeAnchor(heading: string, taken: ReadonlySet<string>): string {
  const shown = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
  const anchor = shown.replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, "").replaceAll(" ", "-");
  for (let number = 0;; number++) {
    const free = number === 0 ? anchor : `${anchor}-${number}`;
    if (!taken.has(free)) return free;
  }
}

/** Paths of all Markdown pages of the repository, from its root. */
export async function markdownFiles(folder = "."): Promise<string[]> {
  const files: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = folder === "." ? name : `${folder}/${name}`;
    if (isDirectory && !/^(\.git|node_modules|dist|specs)$/.test(name)) {
      files.push(...await markdownFiles(path));
    } else if (name.endsWith(".md")) files.push(path);
  }
  return files.sort();
}
