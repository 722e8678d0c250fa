import { deepEqual, equal, throws } from "../support/assert.ts";
import { noteFiles, readNotes, withNotes } from "../../scripts/collect_changes.ts";

Deno.test("every file of changes holds notes of one line each", async () => {
  const { notes, problems } = readNotes(await noteFiles("changes"));
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

Deno.test("notes are put first in the groups of the version, and into new groups", () => {
  const changelog =
    "# Changelog\n\n## 1.1.0 (unreleased)\n\n### Added\n\n- old\n\n## 1.0.0 (2026-01-01)\n\n### Fixed\n\n- older\n";
  const { notes } = readNotes([{
    path: "changes/a.md",
    text: "- Fixed (plans): Undo works\n- Added (cli): Goals\n- Added (batch): Sizes",
  }]);
  equal(
    withNotes(changelog, "1.1.0", notes),
    "# Changelog\n\n## 1.1.0 (unreleased)\n\n### Added\n\n- batch: Sizes\n- cli: Goals\n- old\n\n### Fixed\n\n" +
      "- plans: Undo works\n\n## 1.0.0 (2026-01-01)\n\n### Fixed\n\n- older\n",
  );
  throws(() => withNotes(changelog, "2.0.0", notes), /no heading "## 2.0.0"/);
});
