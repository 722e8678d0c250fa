/**
 * Collects the notes of `changes/*.md` into a section of CHANGELOG.md and deletes them: part of a release.
 *
 *     deno run -A scripts/collect_changes.ts [--check]
 *
 * `--check` only reads them. Ends with 1 and names every line that is not a note.
 */
/** Groups of a version, in the order of the changelog. */
export const GROUPS = ["Added", "Changed", "Fixed", "Removed"] as const;
const NOTE = /^- (Added|Changed|Fixed|Removed) \(([a-z][a-z0-9 -]*)\): (\S.*)$/;
const MAX_LENGTH = 160;
const MAX_HIGHLIGHTS = 10;

/** One change, as a user notices it. */
export interface Note {
  readonly group: (typeof GROUPS)[number];
  /** The part of the product, such as `plans`. */
  readonly area: string;
  readonly text: string;
}

/** A file of notes. */
export interface NoteFile {
  readonly path: string;
  readonly text: string;
}

/** Reads files of notes, whose long lines the formatter breaks; `problems` names what is not a note by file and line. */
export function readNotes(files: readonly NoteFile[]): { notes: Note[]; problems: string[] } {
  const notes: Note[] = [];
  const problems: string[] = [];
  for (const { path, text } of files) {
    const lines = text.split("\n");
    for (const [at, begun] of lines.entries()) {
      if (begun.trim() === "" || begun.startsWith("  ")) continue;
      const place = `${path}:${at + 1}`;
      const end = lines.findIndex((next, index) => index > at && !next.startsWith("  "));
      const line = lines.slice(at, end < 0 ? undefined : end).map((part) => part.trim()).join(" ");
      const [, group, area, effect] = NOTE.exec(line) ?? [];
      const known = GROUPS.find((name) => name === group);
      if (known === undefined || area === undefined || effect === undefined) {
        problems.push(`${place} is not a note: write "- Fixed (plans): The effect"`);
      } else if (line.length > MAX_LENGTH) {
        problems.push(`${place} has ${line.length} characters: ${MAX_LENGTH} are the most`);
      } else notes.push({ group: known, area, text: effect });
    }
  }
  return { notes, problems };
}

/** Where the section of a version stands in the changelog; throws when it has none. */
function sectionOf(changelog: string, version: string): { start: number; end: number } {
  const heading = new RegExp(`^## ${version.replaceAll(".", "\\.")}(?: .*)?\n`, "m").exec(changelog);
  if (heading === null) throw new Error(`CHANGELOG.md has no heading "## ${version}"`);
  const start = heading.index + heading[0].length;
  const length = /^## /m.exec(changelog.slice(start))?.index ?? changelog.length - start;
  return { start, end: start + length };
}

/** Entries under a heading, each with its wrapped lines. */
function entriesIn(text: string): string[] {
  return text.split(/\n(?=- )/).map((entry) => entry.trim()).filter((entry) => entry !== "");
}

/** Area of an entry; entries of older versions without one come last. */
function areaOf(entry: string): string {
  return /^- ([a-z][a-z0-9 -]*):/.exec(entry)?.[1] ?? "\uffff";
}

/** Adds notes to the section of a version: each group sorted by area, older entries first. */
export function withNotes(changelog: string, version: string, notes: readonly Note[]): string {
  const { start, end } = sectionOf(changelog, version);
  const merged = GROUPS.reduce((text, group) => {
    const added = notes.filter((note) => note.group === group)
      .map((note) => `- ${note.area}: ${note.text}`).sort();
    if (added.length === 0) return text;
    const begin = new RegExp(`^### ${group}\n\n`, "m").exec(text);
    const at = begin === null ? text.length : begin.index + begin[0].length;
    const length = /^### /m.exec(text.slice(at))?.index ?? text.length - at;
    const lines = [...entriesIn(text.slice(at, at + length)), ...added];
    lines.sort((a, b) => areaOf(a) < areaOf(b) ? -1 : areaOf(a) > areaOf(b) ? 1 : 0);
    const head = begin === null ? `${text.trimEnd()}\n\n### ${group}\n\n` : text.slice(0, at);
    return `${head}${lines.join("\n")}\n\n${text.slice(at + length)}`;
  }, changelog.slice(start, end));
  return changelog.slice(0, start) + merged + changelog.slice(end);
}

/** Faults of a version's section: too many highlights, long entries, entries outside the order of areas. */
export function sectionProblems(changelog: string, version: string): string[] {
  const { start, end } = sectionOf(changelog, version);
  const parts = changelog.slice(start, end).split(/^### /m).slice(1);
  const problems: string[] = [];
  for (const part of parts) {
    const title = part.slice(0, part.indexOf("\n"));
    const text = part.slice(title.length);
    if (title === "Highlights") {
      const count = [...text.matchAll(/^\d+\. /gm)].length;
      if (count > MAX_HIGHLIGHTS) problems.push(`${count} highlights: ${MAX_HIGHLIGHTS} are the most`);
    }
    if (!GROUPS.some((group) => group === title)) continue;
    const entries = entriesIn(text).map((entry) => entry.replaceAll(/\s+/g, " "));
    for (const [at, entry] of entries.entries()) {
      const before = entries[at - 1];
      if (entry.length > MAX_LENGTH) {
        problems.push(
          `"${entry.slice(0, 60)}..." has ${entry.length} characters: ${MAX_LENGTH} are the most`,
        );
      } else if (before !== undefined && areaOf(before) > areaOf(entry)) {
        problems.push(`"${entry.slice(0, 60)}..." is not with its area`);
      }
    }
  }
  return problems;
}

/** The files of notes in a folder, by name; its README explains them and is not one. */
export async function noteFiles(folder: string): Promise<NoteFile[]> {
  const files: NoteFile[] = [];
  for await (const { name, isFile } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    if (isFile && name.endsWith(".md") && name !== "README.md") {
      files.push({ path, text: await Deno.readTextFile(path) });
    }
  }
  return files.sort((a, b) => a.path < b.path ? -1 : 1);
}

if (import.meta.main) {
  const files = await noteFiles("changes");
  const { notes, problems } = readNotes(files);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) Deno.exit(1);
  if (!Deno.args.includes("--check")) {
    const { version } = JSON.parse(await Deno.readTextFile("deno.json")) as { version: string };
    const changelog = await Deno.readTextFile("CHANGELOG.md");
    await Deno.writeTextFile("CHANGELOG.md", withNotes(changelog, version, notes));
    for (const { path } of files) await Deno.remove(path);
  }
  console.log(`${notes.length} changes of ${files.length} landings`);
}
