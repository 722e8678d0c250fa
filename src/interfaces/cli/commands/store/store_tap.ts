import { isObject } from "../../../../base/json/fields_of.ts";
import { readNamedFile } from "../../../../base/runtime/read_named_file.ts";
import { selectedStreams, tapCatalog } from "../../../../store/lake/tap_catalog.ts";
import { tapMessages, type TapState } from "../../../../store/lake/tap_messages.ts";
import { asyncChunks } from "../../../../base/json/chunks.ts";
import { separated } from "../../shell/options/parse_values.ts";
import { command } from "../../shell/command.ts";
import { EXIT, refusingBadInput, UsageError } from "../../shell/io/cli_error.ts";
import { openStore } from "../../shell/connect/open_store.ts";
import { storeOption } from "../../shell/options/store_option.ts";

const CONFIG_KEYS = ["store", "tables", "market"];

export const storeTapCommand = command(
  (kit) =>
    kit.leaf("tap", {
      summary: "Write the store as Singer messages, for loaders that fill a warehouse",
      details:
        "Sends rows of every month changed since --state: new and restated days, changed entities, and deleted " +
        "rows as their key with _sdc_deleted_at. Messages go to standard output, everything else to standard " +
        "error. Tables are daily reports, entities, changes, and results of clean-room queries and of reports " +
        "stored with sync --jobs. For marts, use adsctl store publish.",
      examples: [
        ["adsctl store tap --discover > catalog.json", "print the streams with keys and columns"],
        [
          "adsctl store tap --state state.json | target-postgres --config pg.json",
          "send changes since the last run",
        ],
      ],
      library: "for await (const message of tapMessages(store)) { ... }",
    })
      .addOption(storeOption())
      .option(
        "--config <file>",
        'JSON config, such as { "store": "ads.sqlite", "tables": ["days"], "market": "US" }',
      )
      .option("--state <file>", "last STATE from the loader")
      .option("--catalog <file>", "catalog that selects streams")
      .option("--discover", "print the catalog and end")
      .option(
        "--tables <tables>",
        "days, entities, changes, results, or table names, separated by commas (default: all four)",
        separated,
      )
      .option(
        "-m, --market <market>",
        "only this country code or profile id; leaves out results of clean rooms and DSP advertisers",
      ),
  async (options, context) => {
    const { io, interruption: { signal } } = context;
    const config = options.config === undefined ? {} : await jsonFile(options.config, "the config");
    checkConfig(config);
    const market = options.market ?? config.market;
    const catalog = options.catalog === undefined
      ? undefined
      : await jsonFile(options.catalog, "the catalog");
    const state = options.state === undefined
      ? undefined
      : stateOf(await jsonFile(options.state, "the state"));
    const tables = catalog === undefined ? options.tables ?? config.tables : selectedStreams(catalog);
    const place = options.store ?? config.store;
    const store = await openStore(place === undefined ? {} : { store: place }, context);
    if (options.discover === true) {
      await io.stdout.write(
        `${JSON.stringify(await refusingBadInput(() => tapCatalog(store, tables)), null, 2)}\n`,
      );
      return EXIT.done;
    }
    await refusingBadInput(async () => {
      for await (const some of asyncChunks(tapMessages(store, { tables, market, state, now: io.now }), 500)) {
        signal.throwIfAborted();
        await io.stdout.write(some.map((message) => `${JSON.stringify(message)}\n`).join(""));
      }
    });
    return EXIT.done;
  },
);

interface TapConfig {
  readonly store?: string;
  readonly tables?: readonly string[];
  readonly market?: string;
}

async function jsonFile(path: string, what: string): Promise<Record<string, unknown>> {
  const text = await refusingBadInput(() => readNamedFile(path, what));
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new UsageError(`Cannot read ${what} "${path}": ${(cause as Error).message}`);
  }
  if (!isObject(value)) throw new UsageError(`Cannot read ${what} "${path}": expected a JSON object`);
  return value;
}

function checkConfig(config: Record<string, unknown>): asserts config is Record<string, unknown> & TapConfig {
  const { store, tables, market } = config;
  const wrong = [
    ...Object.keys(config).filter((key) => !CONFIG_KEYS.includes(key)).map((key) =>
      `"${key}" is not a setting`
    ),
    ...store === undefined || typeof store === "string" ? [] : ['"store" is not a string'],
    ...market === undefined || typeof market === "string" ? [] : ['"market" is not a string'],
    ...tables === undefined || Array.isArray(tables) && tables.every((one) => typeof one === "string")
      ? []
      : ['"tables" is not a list of strings'],
  ];
  if (wrong.length > 0) throw new UsageError(`Cannot use the config: ${wrong.join("; ")}`);
}

/** Also accepts a file with the whole message. */
function stateOf(value: Record<string, unknown>): TapState {
  const state = isObject(value["value"]) ? value["value"] : value;
  // Loaders begin with an empty state.
  const bookmarks = Object.keys(state).length === 0 ? {} : state["bookmarks"];
  const isMark = (marks: unknown): boolean =>
    isObject(marks) && Object.values(marks).every((mark) => typeof mark === "string");
  if (!isObject(bookmarks) || !Object.values(bookmarks).every(isMark)) {
    throw new UsageError(
      'Cannot use the state: expected { "bookmarks": { ... } }, the last state from the loader',
    );
  }
  return { bookmarks: bookmarks as TapState["bookmarks"] };
}
