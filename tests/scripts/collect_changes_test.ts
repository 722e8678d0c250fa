import { fileURLToPath } from "node:url";
import { deepEqual, equal, throws } from "../support/assert.ts";
import { noteFiles, readNotes, sectionProblems, withNotes } from "../../scripts/collect_changes.ts";

const CHANGES = fileURLToPath(new URL("../../changes", import.meta.url));

Deno.test("every file of changes holds notes of one line each", async () => {
  const { notes, problems } = readNotes(await noteFiles(CHANGES));
  deepEqual(problems, []);
  equal(notes.every(({ text }) => text.length > 10), true);
});

Deno.test("lines that are not notes are named, all at once", () => {
  const long = `- Fixed (plans): ${"x".repeat(160)}`;
  const text = ["- Fixed (plans): Undo says when it is done", "", "Mended undo", "- Better (x): y", long]
    .join("\n");
  const { notes, problems } = readNotes([{ path: "changes/a.md", text }]);
  deepEqual(notes, [{ group: "Fixed", area: "plans", text: "Undo says when it is done" }]);
  deepEqual(problems.map((problem) => problem.split(" ")[0]), [
    "changes/a.md:3",
    "changes/a.md:4",
    "changes/a.md:5",
  ]);
});

const SECTION =
  "# Changelog\n\n## 1.1.0 (unreleased)\n\n### Added\n\n- batch: Order\n  of items\n- plans: Names\n- old\n\n### Fixed\n\n" +
  "- plans: Undo\n\n## 1.0.0 (2026-01-01)\n\n### Fixed\n\n- older\n";

Deno.test("notes join the entries of their area, in groups that are made where they are missing", () => {
  const { notes } = readNotes([{
    path: "changes/a.md",
    text: "- Removed (plans): Cooling\n- Added (cli): Goals\n- Added (batch): Sizes",
  }]);
  equal(
    withNotes(SECTION, "1.1.0", notes),
    "# Changelog\n\n## 1.1.0 (unreleased)\n\n### Added\n\n- batch: Order\n  of items\n- batch: Sizes\n- cli: Goals\n" +
      "- plans: Names\n- old\n\n### Fixed\n\n- plans: Undo\n\n### Removed\n\n- plans: Cooling\n\n" +
      "## 1.0.0 (2026-01-01)\n\n### Fixed\n\n- older\n",
  );
  throws(() => withNotes(SECTION, "2.0.0", notes), /no heading "## 2.0.0"/);
});

Deno.test("a section has ten highlights, short entries and its areas in order", () => {
  const highlights = (count: number) =>
    `### Highlights\n\n${Array.from({ length: count }, (_, at) => `${at + 1}. A`).join("\n")}\n\n### Added`;
  deepEqual(sectionProblems(SECTION.replace("### Added", highlights(10)), "1.1.0"), []);
  deepEqual(sectionProblems(SECTION.replace("### Added", highlights(11)), "1.1.0"), [
    "11 highlights: 10 are the most",
  ]);
  const long = `- batch: ${"x".repeat(160)}`;
  deepEqual(sectionProblems(SECTION.replace("- old", `${long}\n- cli: Goals`), "1.1.0"), [
    `"${long.slice(0, 60)}..." has 169 characters: 160 are the most`,
  ]);
  deepEqual(sectionProblems(SECTION.replace("- old", "- cli: Goals"), "1.1.0"), [
    '"- cli: Goals..." is not with its area',
  ]);
});

Deno.test("the section of the next version is in this form", async () => {
  const { version } = JSON.parse(await Deno.readTextFile("deno.json")) as { version: string };
  const changelog = await Deno.readTextFile("CHANGELOG.md");
  deepEqual(sectionProblems(changelog, version), []);
  const { notes } = readNotes(await noteFiles(CHANGES));
  deepEqual(sectionProblems(withNotes(changelog, version, notes), version), []);
});
