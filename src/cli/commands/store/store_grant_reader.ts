import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { READER_ROLE, readerStatements } from "../../../store/postgres/query/reader_role.ts";
import type { CommandKit } from "../../core/command.ts";
import type { CliContext } from "../../core/context.ts";
import { EXIT } from "../../core/errors/exit_codes.ts";
import type { StoreOptions } from "../../core/store_place.ts";
import { withStore } from "../../core/with_store.ts";
import { storeOption } from "../../options/store_option.ts";

/** Options of {@linkcode runStoreGrantReader}. */
export interface GrantReaderOptions extends StoreOptions {
  /** Print the statements alone. */
  readonly print?: true;
}

/** `adsctl store grant-reader`. */
export function storeGrantReaderCommand(kit: CommandKit): CommandUnknownOpts {
  return kit.leaf("grant-reader", {
    summary: "Make a role that only reads, which queries of a PostgreSQL store run as",
    details:
      `Makes the role ${READER_ROLE} and lets the store's user become it. From then on "store query" and the tools of ` +
      "agents run as that role: they read the stored reports and nothing else, whatever the user may do. The user " +
      "needs CREATEROLE; where it has not, let an administrator run what --print prints, as the store's user.",
    examples: [
      ["adsctl store grant-reader --store postgres://ads@db.internal/ads", "make it, or bring it up to date"],
      ["adsctl store grant-reader --print", "only print the statements"],
    ],
    library: "await store.grantReader()",
  })
    .addOption(storeOption())
    .option("--print", "print the statements and run nothing")
    .action((options, self) => kit.run((context) => runStoreGrantReader(options, context), self));
}

/** Makes the role, or prints what makes it. */
export async function runStoreGrantReader(options: GrantReaderOptions, context: CliContext): Promise<number> {
  if (options.print) {
    await context.io.stdout.write(readerStatements().map((statement) => `${statement};\n`).join(""));
    return EXIT.done;
  }
  return await withStore(options, context, async (store) => {
    await store.grantReader();
    if (!context.globals.quiet) await context.io.stderr.write(`Queries run as the role ${READER_ROLE} now\n`);
    return EXIT.done;
  });
}
