import { pathToFileURL } from "node:url";
import { linkPackages } from "./node_packages.ts";

/** Makes Node find the library in this clone by the name of its package, as it does in a project, and its packages. */
const FINDS_PACKAGE = `
  import { registerHooks } from "node:module";
  const entries = new Map(JSON.parse(process.env.PACKAGE_ENTRIES));
  registerHooks({
    resolve: (name, context, next) => {
      const isPackage = /^(?:@|[a-z])/.test(name) && !/^[a-z]+:/.test(name);
      return next(entries.get(name) ?? name, isPackage ? { ...context, parentURL: import.meta.url } : context);
    },
  });
`;

/** What Node must be given to run a program against the sources of this clone. */
export interface PackageOnNode {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Prepares a folder from which Node finds this package and those that it needs. */
export async function packageOnNode(folder: string): Promise<PackageOnNode> {
  await linkPackages(folder);
  const hook = `${folder}/finds_package.mjs`;
  await Deno.writeTextFile(hook, FINDS_PACKAGE);
  const { name, exports } = JSON.parse(await Deno.readTextFile("deno.json")) as {
    name: string;
    exports: Record<string, string>;
  };
  const entries = Object.entries(exports).map(([entry, path]) => [
    name + entry.slice(1),
    pathToFileURL(path).href,
  ]);
  return {
    args: ["--experimental-transform-types", "--preserve-symlinks", "--import", pathToFileURL(hook).href],
    // Programs after the first find the modules compiled.
    env: { PACKAGE_ENTRIES: JSON.stringify(entries), NODE_COMPILE_CACHE: `${folder}/compiled` },
  };
}
