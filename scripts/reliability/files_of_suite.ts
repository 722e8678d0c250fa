/** Files of the suite, by whether they draw anything from the seed. */
export interface SuiteFiles {
  /** What a seed makes another run of. */
  readonly seeded: readonly string[];
  /** What is the same with every seed. */
  readonly fixed: readonly string[];
}

/** Looks for the tests below a folder: those whose text names the seed, and the others. */
export async function filesOfSuite(folder: string): Promise<SuiteFiles> {
  const files: { path: string; isSeeded: boolean }[] = [];
  const walk = async (place: string): Promise<void> => {
    for await (const { name, isDirectory } of Deno.readDir(place)) {
      const path = `${place}/${name}`;
      if (isDirectory) await walk(path);
      else if (name.endsWith("_test.ts")) {
        files.push({ path, isSeeded: /\bSEED\b/.test(await Deno.readTextFile(path)) });
      }
    }
  };
  await walk(folder);
  const paths = (isSeeded: boolean): string[] =>
    files.filter((file) => file.isSeeded === isSeeded).map(({ path }) => path).sort();
  return { seeded: paths(true), fixed: paths(false) };
}
