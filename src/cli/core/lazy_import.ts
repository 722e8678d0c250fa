/** `.ts` in the sources, `.js` in the npm package. */
const EXTENSION = /\.[a-z]+$/.exec(import.meta.url)![0];

/**
 * Imports a module of ours when it is needed. Deno follows a literal `import()` before a program begins, and reads
 * everything behind it: the help of adsctl would wait for the database drivers. It cannot follow this one.
 *
 * A call names the module twice, as the type `typeof import(...)` and as the argument; a test holds the two paths
 * together. The compiled program embeds what is imported this way by `scripts/compile.ts`.
 *
 * @param path Path from `src/cli`, without an extension.
 */
export function lazyImport<Module>(path: string): Promise<Module> {
  return import(new URL(`../${path}${EXTENSION}`, import.meta.url).href) as Promise<Module>;
}
