import { readFileSync } from "node:fs";
import process from "node:process";

/** Bytes of the most memory that this process ever had, as the kernel counts it. */
export function peakMemory(): number {
  const line = /VmHWM:\s+(\d+) kB/.exec(readFileSync("/proc/self/status", "utf8"));
  return line === null ? process.memoryUsage().rss : Number(line[1]) * 1024;
}
