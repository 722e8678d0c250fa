import { readFile } from "node:fs/promises";
import process from "node:process";

/**
 * Does some work as if a `.env` with that text lay in the working folder. The folder itself is left alone: tests that run
 * beside this one share it.
 */
export async function withDotenv(text: string, work: () => Promise<void>): Promise<void> {
  const real = process.getBuiltinModule;
  const lying = (path: string, encoding: "utf8") =>
    path === ".env" ? Promise.resolve(text) : readFile(path, encoding);
  const pretend = (name: string): unknown => {
    const module = real.call(process, name);
    return name === "fs/promises" ? { ...module, readFile: lying } : module;
  };
  process.getBuiltinModule = pretend as typeof process.getBuiltinModule;
  try {
    await work();
  } finally {
    process.getBuiltinModule = real;
  }
}
