import { readerLogin, readerStatements } from "../../../../store/postgres/reader_role.ts";
import { command } from "../../shell/command.ts";
import { EXIT } from "../../shell/errors/exit_codes.ts";
import { UsageError } from "../../shell/errors/cli_error.ts";
import { storePlace } from "../../shell/store/store_place.ts";
import { openStore } from "../../shell/store/open_store.ts";
import { storeOption } from "../../shell/store/store_option.ts";
import { say } from "../../shell/output/write_text.ts";

export const storeGrantReaderCommand = command(
  (kit) =>
    kit.leaf("grant-reader", {
      summary: "Make a role that only reads, which SQL of agents in a PostgreSQL store runs as",
      details:
        "Makes the login role platform_ads_reader_DATABASE, which owns nothing, reads the stored reports, and calls " +
        "functions that only compute. SQL of agents runs as that role; without it, it is refused. Its password is derived " +
        "from that of the store's user. All other functions are taken from PUBLIC in this database and given to the " +
        "group platform_ads_others_DATABASE, which the other roles join: grant it to roles that are made later. This " +
        "needs a superuser: where the store's user is none, let an administrator run what --print prints in the database.",
      examples: [
        [
          "adsctl store grant-reader --store postgres://ads:PASSWORD@db.internal/ads",
          "make it, or bring it up to date",
        ],
        [
          "adsctl store grant-reader --store postgres://ads:PASSWORD@db.internal/ads --print",
          "only print the statements",
        ],
      ],
      library: "await store.grantReader()",
    })
      .addOption(storeOption())
      .option("--print", "print the statements and run nothing"),
  async (options, context) => {
    if (options.print) {
      const place = storePlace(options, context);
      if (!/^postgres(?:ql)?:\/\//.test(place)) {
        throw new UsageError(
          "Cannot print the statements: the store is not in PostgreSQL. Name it with --store",
        );
      }
      await context.io.stdout.write(
        readerStatements(readerLogin(place)).map((statement) => `${statement};\n`).join(""),
      );
      return EXIT.done;
    }
    const store = await openStore(options, context);
    await store.grantReader();
    await say(`SQL of agents runs as a role of its own now`, context);
    return EXIT.done;
  },
);
