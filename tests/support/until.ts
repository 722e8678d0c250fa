// A test may put its own in their place.
const { setTimeout } = globalThis;
const now = performance.now.bind(performance);

/**
 * Looks, first often and then less so, until it is so; all that can run goes on meanwhile, sockets included.
 *
 * @param limit Seconds: only ends a test that hangs, for a slow machine takes its time.
 */
export async function until(isSo: () => boolean | Promise<boolean>, limit = 300): Promise<void> {
  const end = now() + 1000 * limit;
  for (let looks = 1; !await isSo(); looks++) {
    if (now() > end) throw new Error(`What was waited for did not come: ${isSo}`);
    await new Promise((next) => setTimeout(next, Math.min(looks, 20)));
  }
}
