import { dirname } from "node:path";

/** Packages of this project, as Deno keeps them, in the folder `node_modules` of another folder. */
export async function linkPackages(folder: string): Promise<void> {
  const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["info", "--json"] }).output();
  const { npmCache } = JSON.parse(new TextDecoder().decode(stdout)) as { npmCache: string };
  const { npm, specifiers } = JSON.parse(await Deno.readTextFile("deno.lock")) as {
    npm: Record<string, unknown>;
    specifiers: Record<string, string>;
  };
  const own = Object.entries(specifiers).map(([name, version]) =>
    `${name.replace(/^npm:|@[^@]*$/g, "")}@${version}`
  );
  const versions = new Map<string, string>();
  // Where there are several, that of the project itself wins.
  for (const text of [...Object.keys(npm), ...own]) {
    const [, name, version] = /^(@?[^@]+)@([^_]+)/.exec(text) ?? [];
    if (name !== undefined && version !== undefined) versions.set(name, version);
  }
  for (const [name, version] of versions) {
    const link = `${folder}/node_modules/${name}`;
    await Deno.mkdir(dirname(link), { recursive: true });
    await Deno.symlink(`${npmCache}/registry.npmjs.org/${name}/${version}`, link);
  }
}
