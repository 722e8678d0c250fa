import { createHash } from "node:crypto";
import { PassThrough } from "node:stream";
import { Emulator } from "../../../src/emulator/mod.ts";
import { main } from "../../../src/interfaces/mcp/main.ts";
import { AuthorizationServer } from "./authorization_server.ts";
import { AUDIENCE } from "./team_server.ts";

/** One tenant of a server in a test: an account of its own, and a token for it. */
export interface TestTenant {
  readonly name: string;
  readonly emulator: Emulator;
  /** Token of one of its people. */
  readonly token: string;
  /** Ids and secrets that are this tenant's alone. */
  readonly own: ReadonlySet<string>;
}

/** One real tool server with many tenants, each on an emulator of its own. Every second one comes with tokens of an issuer. */
export class ManyTenants implements AsyncDisposable {
  readonly tenants: readonly TestTenant[];
  /** Lines of the server's log. */
  readonly log: string[];
  /** Address of the tools. */
  readonly url: string;
  /** Folder of the files of all of them. */
  readonly folder: string;
  readonly #issuer: AuthorizationServer;
  readonly #end: () => Promise<void>;

  private constructor(
    parts: Pick<ManyTenants, "tenants" | "log" | "url" | "folder"> & {
      issuer: AuthorizationServer;
      end: () => Promise<void>;
    },
  ) {
    this.tenants = parts.tenants;
    this.log = parts.log;
    this.url = parts.url;
    this.folder = parts.folder;
    this.#issuer = parts.issuer;
    this.#end = parts.end;
  }

  /** Starts the emulators and the server. */
  static async start(count: number): Promise<ManyTenants> {
    const folder = await Deno.makeTempDir({ prefix: "mcp-tenants-" });
    const issuer = await AuthorizationServer.start();
    const names = Array.from({ length: count }, (_, index) => `tenant-${index}`);
    const emulators = await Promise.all(names.map((seed) => Emulator.start({ seed, profiles: 2 })));
    const entries: Record<string, unknown> = {};
    const tenants: TestTenant[] = [];
    for (const [index, name] of names.entries()) {
      const emulator = emulators[index]!;
      const { platform, credentials } = emulator;
      await Deno.writeTextFile(`${folder}/${name}.json`, JSON.stringify({ platform, credentials }));
      const isOfIssuer = index % 2 === 0;
      const token = isOfIssuer
        ? await issuer.token(AUDIENCE, {
          claims: { account: name, sub: `person of ${name}`, scope: "read plan apply approve" },
        })
        : `token-of-${name}-${crypto.randomUUID()}`;
      entries[name] = {
        platform_file: `${name}.json`,
        save_dir: `saved/${name}`,
        store: `stores/${name}.sqlite`,
        tools: ["all"],
        ...(isOfIssuer ? {} : {
          members: [{
            token_sha256: createHash("sha256").update(token).digest("hex"),
            name: `bot of ${name}`,
          }],
        }),
      };
      tenants.push({ name, emulator, token, own: ownOf(emulator, token) });
    }
    await Deno.mkdir(`${folder}/stores`);
    await Deno.writeTextFile(
      `${folder}/tenants.json`,
      JSON.stringify({ claim: "account", tenants: entries }),
    );
    const { url, log, end } = await startMain([
      ...["--http", "127.0.0.1:0", "--tenants", `${folder}/tenants.json`],
      ...["--auth-issuer", issuer.issuer, "--auth-audience", AUDIENCE],
      ...["--audit", `${folder}/audit.jsonl`],
    ], folder);
    return new ManyTenants({ tenants: withoutShared(tenants), log, url, folder, issuer, end });
  }

  /** Ends all of it. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end();
    await this.#issuer[Symbol.asyncDispose]();
    for (const { emulator } of this.tenants) await emulator.stop();
    await Deno.remove(this.folder, { recursive: true });
  }
}

/** Runs the tool server in this process until it is ended. */
async function startMain(args: readonly string[], home: string) {
  const log: string[] = [];
  const stopping = new AbortController();
  const listening = Promise.withResolvers<string>();
  const ended = main(args, {
    env: { HOME: home },
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    stopped: stopping.signal,
    log: (line) => {
      log.push(line);
      const url = /^Listening on (\S+)$/.exec(line)?.[1];
      if (url !== undefined) listening.resolve(url);
    },
  });
  const failed = ended.then((code) => Promise.reject(new Error(`It ended with ${code}: ${log.join("\n")}`)));
  const url = await Promise.race([listening.promise, failed]);
  failed.catch(() => {});
  return {
    url,
    log,
    end: async () => {
      stopping.abort();
      await ended;
    },
  };
}

const KINDS = ["portfolios", "sp.campaigns", "sp.ad_groups", "sp.keywords", "sp.targets", "sp.product_ads"];

/** Long numbers of an account, as its ids are, and the secrets of its login. */
function ownOf(emulator: Emulator, token: string): Set<string> {
  const entities = emulator.state.profiles().flatMap((profile) => [
    profile.record,
    ...KINDS.flatMap((kind) => profile.collection(kind).all()),
  ]);
  const numbers = JSON.stringify(entities).match(/\d{14,}/g) ?? [];
  const { clientId, clientSecret, refreshToken } = emulator.credentials;
  return new Set([...numbers, clientId, clientSecret, refreshToken, token]);
}

/** What two accounts have in common, as products and days, belongs to none of them. */
function withoutShared(tenants: readonly TestTenant[]): TestTenant[] {
  const counts = new Map<string, number>();
  for (const { own } of tenants) for (const one of own) counts.set(one, (counts.get(one) ?? 0) + 1);
  return tenants.map((tenant) => ({
    ...tenant,
    own: new Set([...tenant.own].filter((one) => counts.get(one) === 1)),
  }));
}
