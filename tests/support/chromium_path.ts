import { delimiter, join } from "node:path";

/**
 * Debian's Chromium without windows, which takes two thirds of the processor time of the others. Its command of the same
 * name is a script that ends without it.
 */
const WITHOUT_WINDOWS = "/usr/lib/chromium/chromium-headless-shell";
const NAMES = ["chromium", "chromium-browser", "google-chrome", "chrome"];
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
  const places = [
    WITHOUT_WINDOWS,
    ...folders.flatMap((folder) => NAMES.map((name) => join(folder, name))),
    ...ELSEWHERE,
  ];
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
