import { deepEqual, equal, match } from "../support/assert.ts";
import { releaseProblems } from "../../scripts/check_release.ts";

const CHANGELOG = `# Changelog

## 1.2.0 (2026-11-20)

- Undo was made to work on Sundays.

## 1.1.0 (2026-10-01)

## 1.0.0 (unreleased)

- Everything.
`;

Deno.test("a release whose tag, version and changelog agree has no problems", () => {
  deepEqual(releaseProblems({ tag: "v1.2.0", version: "1.2.0", changelog: CHANGELOG, notes: [] }), []);
});

const CASES: readonly { tag: string; version: string; says: RegExp }[] = [
  { tag: "v1.2.1", version: "1.2.0", says: /tag is "v1\.2\.1"/ },
  { tag: "1.2.0", version: "1.2.0", says: /tag is "1\.2\.0"/ },
  { tag: "v1.3.0", version: "1.3.0", says: /no heading "## 1\.3\.0"/ },
  { tag: "v1.2", version: "1.2", says: /no heading "## 1\.2"/ },
  { tag: "v1.1.0", version: "1.1.0", says: /says nothing/ },
  { tag: "v1.0.0", version: "1.0.0", says: /has no date/ },
];

for (const { tag, version, says } of CASES) {
  Deno.test(`a release "${tag}" of version "${version}" is refused: ${says.source}`, () => {
    const problems = releaseProblems({ tag, version, changelog: CHANGELOG, notes: [] });
    equal(problems.length, 1);
    match(problems[0]!, says);
  });
}

Deno.test("notes that are not in the changelog keep a version from being released", () => {
  const notes = ["changes/undo.md"];
  const problems = releaseProblems({ tag: "v1.2.0", version: "1.2.0", changelog: CHANGELOG, notes });
  deepEqual(problems, ["1 files of notes are not in CHANGELOG.md: run scripts/collect_changes.ts"]);
});
