import { fileURLToPath } from "node:url";

/** A page as `deno fmt` leaves it, so that the gate has nothing to say about it. */
export async function formatted(text: string): Promise<string> {
  const deno = new Deno.Command(Deno.execPath(), {
    args: ["fmt", "--ext", "md", "-"],
    cwd: fileURLToPath(new URL("../..", import.meta.url)),
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const output = deno.output();
  await new Blob([text]).stream().pipeTo(deno.stdin);
  const { success, stdout } = await output;
  if (!success) throw new Error("Cannot format a page");
  return new TextDecoder().decode(stdout);
}
