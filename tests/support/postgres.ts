/**
 * A PostgreSQL for tests: the server named by PLATFORM_ADS_TEST_POSTGRES, which `task test` starts for all files, else a
 * private cluster in a temporary folder on a loopback port. Every test gets a database of its own.
 */
import { fileURLToPath } from "node:url";
import { Database } from "../../src/store/postgres/database.ts";
import { PostgresDriver } from "../../src/store/postgres/postgres_driver.ts";
import type { Sql } from "../../src/store/tables/postgres_sql.ts";
import { until } from "./until.ts";

const PASSWORD = "only-for-tests";

/**
 * Runs a server until it is told to stop, or until the tests are gone: then its folder goes too. The user of the
 * database may not be able to look into the folders on the path of the tests.
 */
const WATCHED = `
  PATH=/usr/bin:/bin; folder=$1; shift
  "$@" 2> "$folder/log" & server=$!
  read -r word
  kill -INT $server; wait $server
  [ "$word" = halt ] || rm -rf "$folder"`;

/** The authority that signed the certificate of a private cluster, for the name "localhost". */
export const AUTHORITY: string = fileURLToPath(new URL("certificates/authority.pem", import.meta.url));

/** A server that tests may use. */
export interface TestServer {
  /** Address of its maintenance database, with a user that may make databases. */
  readonly url: string;
  /** Stops it as the operating system does on shutdown, and starts it again on the same port. */
  restart(): Promise<void>;
  /** Stops it and removes its folder. */
  stop(): Promise<void>;
}

/** Folder with `initdb` and `postgres`; `undefined` when there is no PostgreSQL on this machine. */
export function postgresPrograms(): string | undefined {
  const folders = (Deno.env.get("PATH") ?? "").split(":");
  try {
    for (const { name } of Deno.readDirSync("/usr/lib/postgresql")) {
      folders.push(`/usr/lib/postgresql/${name}/bin`);
    }
  } catch {
    // A machine without the distribution's folder.
  }
  return folders.find((folder) => exists(`${folder}/initdb`) && exists(`${folder}/postgres`));
}

/** False, with a line that says why and what to do, where no PostgreSQL can be had. */
export const hasPostgres: boolean = Deno.env.has("PLATFORM_ADS_TEST_POSTGRES") ||
  postgresPrograms() !== undefined;
if (!hasPostgres) {
  console.warn(
    "Not tried on PostgreSQL: install it (apt-get install postgresql), or give the address of a server " +
      "whose user may make databases in PLATFORM_ADS_TEST_POSTGRES",
  );
}

/** Starts a private cluster: loopback and a password alone, encrypted where one asks for it, no fsync. */
export async function startCluster(): Promise<TestServer> {
  const programs = postgresPrograms()!;
  const folder = await Deno.makeTempDir({ prefix: "platform-ads-postgres-" });
  const data = `${folder}/data`;
  for (const name of ["server", "server_key"]) {
    await Deno.copyFile(new URL(`certificates/${name}.pem`, import.meta.url), `${folder}/${name}.pem`);
    await Deno.chmod(`${folder}/${name}.pem`, 0o600);
  }
  if (isRoot()) await succeed("chown", ["-R", "postgres", folder]);
  await Deno.writeTextFile(`${folder}/password`, PASSWORD);
  await Deno.chmod(`${folder}/password`, 0o644);
  const login = ["-U", "tester", "-A", "scram-sha-256", `--pwfile=${folder}/password`];
  await succeed(...unprivileged(`${programs}/initdb`, ["-D", data, "-E", "UTF8", "--no-sync", ...login]));
  const port = freePort();
  const settings = [
    `port=${port}`,
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    "fsync=off",
    "synchronous_commit=off",
    "full_page_writes=off",
    "wal_level=minimal",
    "max_wal_senders=0",
    // It would go round the databases of all tests, and none lives for long.
    "autovacuum=off",
    "jit=off",
    "max_connections=200",
    "ssl=on",
    `ssl_cert_file=${folder}/server.pem`,
    `ssl_key_file=${folder}/server_key.pem`,
  ];
  const url = `postgres://tester:${PASSWORD}@127.0.0.1:${port}/postgres`;
  let server = await start();

  async function start(): Promise<Deno.ChildProcess> {
    const [command, args] = unprivileged("/bin/sh", [
      "-c",
      WATCHED,
      "sh",
      folder,
      `${programs}/postgres`,
      "-D",
      data,
      ...settings.flatMap((setting) => ["-c", setting]),
    ]);
    // Of the run before, which ended.
    await Deno.remove(`${folder}/log`).catch(() => {});
    const child = new Deno.Command(command, { args, stdin: "piped", stdout: "null", stderr: "null" }).spawn();
    const log = () => Deno.readTextFile(`${folder}/log`).catch(({ message }: Error) => message);
    let isUp = false;
    await until(async () => {
      isUp = await withSql(url, (sql) => sql`SELECT 1`).then(() => true, () => false);
      return isUp || (await log()).includes("database system is shut down");
    });
    if (!isUp) throw new Error(`Cannot start PostgreSQL for the tests: ${await log()}`);
    return child;
  }

  /** SIGINT: connections are cut, the rest is orderly. */
  async function halt(word: "halt" | "remove"): Promise<void> {
    const writer = server.stdin.getWriter();
    await writer.write(new TextEncoder().encode(`${word}\n`));
    await writer.close();
    await server.status;
  }

  return {
    url,
    restart: async () => {
      await halt("halt");
      server = await start();
    },
    stop: () => halt("remove"),
  };
}

/** The server of this test file: the named one, else a private cluster. */
export async function testServer(): Promise<TestServer> {
  const url = Deno.env.get("PLATFORM_ADS_TEST_POSTGRES");
  if (url === undefined) return await startCluster();
  const cannot = () => Promise.reject(new Error("Cannot restart a server that the tests did not start"));
  const server: TestServer = { url, restart: cannot, stop: () => dropDatabases(server) };
  return server;
}

/** Databases that were made on a server that goes on after the tests of a file. */
const made = new WeakMap<TestServer, string[]>();

async function dropDatabases(server: TestServer): Promise<void> {
  await withSql(server.url, async (sql) => {
    for (const name of made.get(server) ?? []) await sql.text(`DROP DATABASE ${name} WITH (FORCE)`);
  });
  made.delete(server);
}

/**
 * Makes an empty database on a server and returns its address.
 *
 * @param template Address of a database to copy, which nobody is connected to.
 */
export async function makeDatabase(server: TestServer, template?: string): Promise<string> {
  const name = `ads_${crypto.randomUUID().replaceAll("-", "")}`;
  const copied = template === undefined ? "template0" : new URL(template).pathname.slice(1);
  await withSql(server.url, async (sql) => {
    const [version] =
      await sql`SELECT current_setting('server_version_num')::int >= 150000 AS has_strategies`;
    // Copying files takes half of the work of copying through the log, which newer servers do by themselves.
    const strategy = version?.["has_strategies"] === true ? "STRATEGY = FILE_COPY" : "";
    await sql.text(`CREATE DATABASE ${name} TEMPLATE ${copied} ${strategy}`);
  });
  made.set(server, [...made.get(server) ?? [], name]);
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  return url.href;
}

/** Databases with an empty store, to copy: making its tables takes four times as long. */
const empty = new WeakMap<TestServer, Promise<string>>();

/** Makes a database that holds an empty store already, and returns its address. */
export async function makeStore(server: TestServer): Promise<string> {
  let template = empty.get(server);
  if (template === undefined) {
    const given = Deno.env.get("PLATFORM_ADS_TEST_STORE");
    template = given?.startsWith(origin(server)) ? Promise.resolve(given) : makeEmptyStore(server);
    empty.set(server, template);
  }
  return await makeDatabase(server, await template);
}

/** Makes the database with an empty store that the others of a server are copied from. */
export async function makeEmptyStore(server: TestServer): Promise<string> {
  const address = await makeDatabase(server);
  await (await PostgresDriver.open(address)).close();
  return address;
}

function origin({ url }: TestServer): string {
  return new URL("/", url).href;
}

/** Runs statements on a database, by one connection in nobody's schema. */
export async function withSql<T>(address: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  const database = new Database({ client: { connectionString: address }, max: 1 });
  try {
    return await work(database.sql);
  } finally {
    await database.close();
  }
}

/** Resolves once no connection to a database is open but the one that asks. */
export async function noConnections(sql: Sql): Promise<void> {
  await until(async () => {
    const open = await sql`
      SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`;
    return open.length === 0;
  });
}

function unprivileged(program: string, args: string[]): [string, string[]] {
  return isRoot() ? ["runuser", ["-u", "postgres", "--", program, ...args]] : [program, args];
}

function isRoot(): boolean {
  return Deno.uid() === 0;
}

async function succeed(command: string, args: string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command(command, { args, stdout: "null", stderr: "piped" })
    .output();
  if (!success) throw new Error(`Cannot run ${command}: ${new TextDecoder().decode(stderr)}`);
}

function exists(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

/** A free port of those that no system gives out by itself: nobody takes it before the server does, or at its restart. */
function freePort(): number {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 20_000);
    try {
      Deno.listen({ hostname: "127.0.0.1", port }).close();
      return port;
    } catch (error) {
      if (!(error instanceof Deno.errors.AddrInUse)) throw error;
    }
  }
}
