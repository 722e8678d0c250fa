import { fileSystem } from "../runtime/file_system.ts";
import { stateFolder } from "../runtime/user_folders.ts";

/** A console that runs, as other programs of the user find it. */
export interface AnnouncedConsole {
  /** Address without a token. */
  readonly url: string;
  /** Folders of the plans that it shows. */
  readonly folders: readonly string[];
}

type Variables = Readonly<Record<string, string | undefined>>;

/** Lets the tool server name the address of a plan. */
export async function announceConsole(env: Variables, announced: AnnouncedConsole): Promise<void> {
  await fileSystem().writeText(placeOf(env), JSON.stringify(announced) + "\n", { mode: 0o600 });
}

/** Takes the announcement back, unless another console has made its own meanwhile. */
export async function withdrawConsole(env: Variables, { url }: Pick<AnnouncedConsole, "url">): Promise<void> {
  if ((await announcedConsole(env))?.url === url) await fileSystem().remove(placeOf(env));
}

/** The console that announced itself last; `undefined` when there is none. A killed one may have left its word. */
export async function announcedConsole(env: Variables): Promise<AnnouncedConsole | undefined> {
  try {
    const { url, folders } = JSON.parse(await fileSystem().readText(placeOf(env)));
    return typeof url === "string" && Array.isArray(folders)
      ? { url, folders: folders.map(String) }
      : undefined;
  } catch {
    return undefined;
  }
}

function placeOf(env: Variables): string {
  return fileSystem().join(stateFolder(env), "console.json");
}
