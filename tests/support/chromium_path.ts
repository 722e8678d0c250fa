import { delimiter, join } from "node:path";

/** The one without windows first: it takes two thirds of the processor time of the others. */
const NAMES = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome"];
const ELSEWHERE = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

/**
 * Path of a Chromium on this machine.
 *
 * @throws {Error} when there is none.
 */
export function chromiumPath(): string {
  const named = Deno.env.get("PLATFORM_ADS_CHROMIUM");
  if (named) return named;
  const folders = (Deno.env.get("PATH") ?? "").split(delimiter);
  const places = [...folders.flatMap((folder) => NAMES.map((name) => join(folder, name))), ...ELSEWHERE];
  const found = places.find((path) => {
    try {
      return Deno.statSync(path).isFile;
    } catch {
      return false;
    }
  });
  if (found !== undefined) return found;
  throw new Error(
    "Cannot find a Chromium on this machine. Install one (apt-get install chromium), or name it in PLATFORM_ADS_CHROMIUM",
  );
}
