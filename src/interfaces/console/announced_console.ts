import { fileSystem } from "../../base/runtime/file_system.ts";

interface AnnouncedConsole {
  readonly url: string;
  readonly folders: readonly string[];
}

/** Lets the tool server link to plans in the console. */
export async function announceConsole(stateFolder: string, announced: AnnouncedConsole): Promise<void> {
  await fileSystem().writeText(placeIn(stateFolder), JSON.stringify(announced) + "\n", { mode: 0o600 });
}

/** Keeps the announcement of a console that was started later. */
export async function withdrawConsole(
  stateFolder: string,
  { url }: Pick<AnnouncedConsole, "url">,
): Promise<void> {
  if ((await announcedConsole(stateFolder))?.url === url) await fileSystem().remove(placeIn(stateFolder));
}

/**
 * Reads the announcement of a console; `undefined` if there is none. The announcement may be stale if a console was
 * killed.
 */
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
