import { readerLogin, readerStatements } from "../../../../store/postgres/reader_role.ts";
import { command } from "../../shell/command.ts";
import { EXIT, UsageError } from "../../shell/io/cli_error.ts";
import { storeOption, storePlace } from "../../shell/options/store_option.ts";
import { openStore } from "../../shell/connect/open_store.ts";
import { say } from "../../shell/output/write_text.ts";

export const storeGrantReaderCommand = command(
  (kit) =>
    kit.leaf("grant-reader", {
      summary: "Create a read-only role for agents' SQL in a PostgreSQL store",
      details:
        "Creates the login role platform_ads_reader_DATABASE. It owns nothing, reads the stored reports, and can " +
        "call only pure functions. Agents' SQL runs as this role and is refused without it. Its password is " +
        "derived from that of the store's user. All other functions in this database are revoked from PUBLIC and " +
        "granted to the group platform_ads_others_DATABASE, which all other roles join; grant it to new roles. " +
        "Needs a superuser: otherwise an administrator can run the statements from --print.",
      examples: [
        [
          "adsctl store grant-reader --store postgres://ads:PASSWORD@db.internal/ads",
          "create or update the role",
        ],
        [
          "adsctl store grant-reader --store postgres://ads:PASSWORD@db.internal/ads --print",
          "only print the statements",
        ],
      ],
      library: "await store.grantReader()",
    })
      .addOption(storeOption())
      .option("--print", "print the statements without running them"),
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
    await say(`Agents' SQL now runs as its own role`, context);
    return EXIT.done;
  },
);
