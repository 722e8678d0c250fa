/** Files that differ from a revision. */
export interface ChangedFiles {
  /** The revision they are compared with. */
  readonly since: string;
  /** Paths from the root, without files that were removed. */
  readonly paths: readonly string[];
  /** Paths of those. */
  readonly removed: readonly string[];
}

/**
 * The files that were changed since a revision, those that are not committed included.
 *
 * @param revision A commit. @default the last one that the branch shares with `main`
 */
export async function changedFiles(revision = ""): Promise<ChangedFiles> {
  const since = revision !== "" ? revision : (await git("merge-base", "HEAD", "main")).trim();
  const listed = await git("diff", "--name-only", "--no-renames", "--diff-filter=d", since);
  const removed = await git("diff", "--name-only", "--no-renames", "--diff-filter=D", since);
  const added = await git("ls-files", "--others", "--exclude-standard");
  const pathsOf = (text: string): readonly string[] =>
    [...new Set(text.split("\n").filter((path) => path !== ""))].sort();
  return { since, paths: pathsOf(`${listed}${added}`), removed: pathsOf(removed) };
}

/**
 * Words of a command line in which `--changed` always has a value: the revision after it, or none.
 *
 * @param isRevision False for words that are something else, such as paths.
 */
export function withRevision(words: readonly string[], isRevision: (word: string) => boolean): string[] {
  return words.flatMap((word, at) => {
    if (words[at - 1] === "--changed" && isRevision(word)) return [];
    if (word !== "--changed") return [word];
    const next = words[at + 1];
    return [`--changed=${next !== undefined && isRevision(next) ? next : ""}`];
  });
}

/** The texts of all modules of the repository: sources, tests and scripts. */
export async function moduleTexts(): Promise<ReadonlyMap<string, string>> {
  const listed = await git("ls-files", "--cached", "--others", "--exclude-standard", "*.ts", "*.js");
  const paths = listed.split("\n").filter((path) => path !== "" && !path.startsWith("catalog/schemas/"));
  const texts = await Promise.all(
    paths.map((path) => Deno.readTextFile(path).then((text) => [[path, text] as const], () => [])),
  );
  return new Map(texts.flat());
}

async function git(...args: readonly string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command("git", { args: [...args] }).output();
  const decoder = new TextDecoder();
  // The lines below the first say how to call git.
  if (!success) throw new Error(`Cannot compare with git: ${decoder.decode(stderr).trim().split("\n")[0]}`);
  return decoder.decode(stdout);
}
