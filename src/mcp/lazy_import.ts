/** `.ts` in the sources, `.js` in the npm package. */
const EXTENSION = /\.[a-z]+$/.exec(import.meta.url)![0];

/**
 * Imports a module of ours when it is needed, in a way that Deno cannot follow before the server starts: it would read
 * the emulator and the database drivers for a server that needs neither. The path stands in the call twice, as in
 * adsctl, and the compiled program embeds what is imported this way.
 *
 * @param path Path from `src/mcp`, without an extension.
 */
export function lazyImport<Module>(path: string): Promise<Module> {
  return import(new URL(`./${path}${EXTENSION}`, import.meta.url).href) as Promise<Module>;
}
