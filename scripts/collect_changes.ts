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

/** The changelog with notes under the heading of the version that is being prepared. */
export function withNotes(changelog: string, version: string, notes: readonly Note[]): string {
  const heading = new RegExp(`^## ${version.replaceAll(".", "\\.")}(?: .*)?\n`, "m").exec(changelog);
  if (heading === null) throw new Error(`CHANGELOG.md has no heading "## ${version}"`);
  const start = heading.index + heading[0].length;
  const after = changelog.slice(start);
  const length = /^## /m.exec(after)?.index ?? after.length;
  const section = after.slice(0, length);
  const merged = GROUPS.reduce((text, group) => {
    const lines = notes.filter((note) => note.group === group)
      .map((note) => `- ${note.area}: ${note.text}`).sort();
    if (lines.length === 0) return text;
    const begin = new RegExp(`^### ${group}\n\n`, "m").exec(text);
    if (begin === null) return `${text.trimEnd()}\n\n### ${group}\n\n${lines.join("\n")}\n\n`;
    const at = begin.index + begin[0].length;
    return `${text.slice(0, at)}${lines.join("\n")}\n${text.slice(at)}`;
  }, section);
  return changelog.slice(0, start) + merged + after.slice(length);
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
