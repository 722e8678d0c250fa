import { fileSystem } from "../../base/runtime/file_system.ts";

/** A console that runs, as other programs of the user find it. */
interface AnnouncedConsole {
  /** Address without a token. */
  readonly url: string;
  /** Folders of the plans that it shows. */
  readonly folders: readonly string[];
}

/**
 * Lets the tool server name the address of a plan.
 *
 * @param stateFolder The user's, where what must be remembered between runs is kept.
 */
export async function announceConsole(stateFolder: string, announced: AnnouncedConsole): Promise<void> {
  await fileSystem().writeText(placeIn(stateFolder), JSON.stringify(announced) + "\n", { mode: 0o600 });
}

/** Takes the announcement back, unless another console has made its own meanwhile. */
export async function withdrawConsole(
  stateFolder: string,
  { url }: Pick<AnnouncedConsole, "url">,
): Promise<void> {
  if ((await announcedConsole(stateFolder))?.url === url) await fileSystem().remove(placeIn(stateFolder));
}

/** The console that announced itself last; `undefined` when there is none. A killed one may have left its word. */
export async function announcedConsole(stateFolder: string): Promise<AnnouncedConsole | undefined> {
  try {
    const { url, folders } = JSON.parse(await fileSystem().readText(placeIn(stateFolder)));
    return typeof url === "string" && Array.isArray(folders)
      ? { url, folders: folders.map(String) }
      : undefined;
  } catch {
    return undefined;
  }
}

function placeIn(stateFolder: string): string {
  return fileSystem().join(stateFolder, "console.json");
}
