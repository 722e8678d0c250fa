/**
 * Refuses a release whose tag, version and changelog do not agree.
 *
 *     deno run -R scripts/check_release.ts v1.2.3
 *
 * Ends with 1 and says what is wrong, all of it at once.
 */
import { noteFiles } from "./collect_changes.ts";

/** What a release is made of. */
export interface ReleaseFacts {
  /** The tag, such as `v1.2.3`. */
  readonly tag: string;
  /** The version in deno.json. */
  readonly version: string;
  /** Text of the changelog. */
  readonly changelog: string;
  /** Files of notes that are not in the changelog yet. */
  readonly notes: readonly string[];
}

/** What keeps these facts from being a release; empty when nothing does. */
export function releaseProblems({ tag, version, changelog, notes }: ReleaseFacts): string[] {
  const problems: string[] = [];
  if (tag !== `v${version}`) {
    problems.push(
      `The tag is "${tag}" and the version in deno.json "${version}": they must be equal but for the "v"`,
    );
  }
  const heading = new RegExp(`^## ${version.replaceAll(".", "\\.")}(?: .*)?$`, "m").exec(changelog);
  if (heading === null) {
    problems.push(
      `CHANGELOG.md has no heading "## ${version}": write what changed for the people who use it`,
    );
  } else {
    if (!/ \(\d{4}-\d{2}-\d{2}\)$/.test(heading[0])) {
      problems.push(`The heading "${heading[0]}" has no date: end it with "(YYYY-MM-DD)"`);
    }
    const entries = changelog.slice(heading.index + heading[0].length).split(/^## /m)[0]!;
    if (!/^- \S/m.test(entries)) problems.push(`CHANGELOG.md says nothing under "${heading[0]}"`);
  }
  if (notes.length > 0) {
    problems.push(
      `${notes.length} files of notes are not in CHANGELOG.md: run scripts/collect_changes.ts`,
    );
  }
  return problems;
}

if (import.meta.main) {
  const { version } = JSON.parse(await Deno.readTextFile("deno.json")) as { version: string };
  const changelog = await Deno.readTextFile("CHANGELOG.md");
  const notes = (await noteFiles("changes")).map(({ path }) => path);
  const problems = releaseProblems({ tag: Deno.args[0] ?? "", version, changelog, notes });
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) Deno.exit(1);
  console.log(`${version} is ready to be released`);
}
