import { withSql } from "../../support/postgres.ts";
import { processorTime } from "../bench.ts";

/**
 * Finds the server of an address on this machine, to measure what it takes.
 *
 * @returns what gives the milliseconds of the processor that a piece of work takes in this process and in the server, which
 * a busy machine changes little. They lack the server's where the operating system does not tell.
 */
export async function processorTimeWith(
  address: string,
): Promise<(work: () => unknown) => Promise<number>> {
  if (Deno.build.os !== "linux") return processorTime;
  const server = await withSql(address, async (sql) => {
    const [row] = await sql`SELECT pg_backend_pid() AS process`;
    // Looked up while the connection's process is there.
    return (await statOf(Number(row?.["process"]))).parent;
  });
  return async (work) => {
    const before = await serverTime(server);
    const own = await processorTime(work);
    return own + await serverTime(server) - before;
  };
}

/** What a server has taken since its start: itself, its processes that ended, and those that are there. */
async function serverTime(server: number): Promise<number> {
  let ticks = (await statOf(server)).withEnded;
  for (const { name } of Deno.readDirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    // One that ended meanwhile counts with the server.
    const { parent, own } = await statOf(Number(name)).catch(() => ({ parent: 0, own: 0 }));
    if (parent === server) ticks += own;
  }
  return ticks * 10;
}

/** What Linux tells of a process; times in hundredths of a second. */
async function statOf(process: number): Promise<{ parent: number; own: number; withEnded: number }> {
  const text = await Deno.readTextFile(`/proc/${process}/stat`);
  // The name of the program, which comes before, may have blanks.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ").map(Number);
  const [user, system, endedUser, endedSystem] = fields.slice(11, 15) as [number, number, number, number];
  return { parent: fields[1]!, own: user + system, withEnded: user + system + endedUser + endedSystem };
}
