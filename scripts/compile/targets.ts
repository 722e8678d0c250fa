/** Every system that programs are built for, as Deno calls it. */
export const TARGETS: readonly string[] = [
  "x86_64-unknown-linux-gnu",
  "aarch64-unknown-linux-gnu",
  "x86_64-apple-darwin",
  "aarch64-apple-darwin",
  "x86_64-pc-windows-msvc",
];

/** Name of the executable of a program for a target. */
export function fileName(program: string, target: string): string {
  return `${program}-${target}${target.includes("windows") ? ".exe" : ""}`;
}
