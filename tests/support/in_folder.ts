import { temporaryFolder } from "./temporary_folder.ts";

/** Does something with the path of a new folder, which is removed afterwards. */
export async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  await using folder = await temporaryFolder();
  await work(folder.path);
}
