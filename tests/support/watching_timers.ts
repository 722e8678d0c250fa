/** The seconds of the timers that are set while something is done, and how many of them are left. */
export async function watchingTimers(
  work: () => Promise<void>,
): Promise<{ seconds: number[]; left: number }> {
  const { setTimeout, clearTimeout } = globalThis;
  const seconds: number[] = [];
  const left = new Set<unknown>();
  Object.assign(globalThis, {
    setTimeout: (act: () => void, milliseconds: number) => {
      const timer = setTimeout(act, milliseconds);
      seconds.push(milliseconds / 1000);
      left.add(timer);
      return timer;
    },
    clearTimeout: (timer: number) => (left.delete(timer), clearTimeout(timer)),
  });
  try {
    await work();
    return { seconds, left: left.size };
  } finally {
    Object.assign(globalThis, { setTimeout, clearTimeout });
  }
}
