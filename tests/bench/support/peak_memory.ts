import { readFileSync, writeFileSync } from "node:fs";
import process from "node:process";

/** Bytes of the most memory that this process had since its start or {@linkcode resetPeak}, as the kernel counts it. */
export function peakMemory(): number {
  const line = /VmHWM:\s+(\d+) kB/.exec(readFileSync("/proc/self/status", "utf8"));
  return line === null ? process.memoryUsage().rss : Number(line[1]) * 1024;
}

/** Forgets earlier peaks, such as that of reading a file. */
export function resetPeak(): void {
  writeFileSync("/proc/self/clear_refs", "5");
}
