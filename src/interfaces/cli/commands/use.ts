import { isAddress } from "../../../base/text/is_address.ts";
import type { Command } from "@commander-js/extra-typings";
import { resolve } from "node:path";
import { nearest } from "../../../base/text/nearest.ts";
import { MARKETPLACES, normalizeCountry } from "../../../base/markets/markets.ts";
import { RESOURCE_KINDS } from "../../../client/entities/kinds/kinds.ts";
import { parseWireSetting, WireChoice } from "../../../client/entities/wire/wire_setting.ts";
import { EXIT, UsageError } from "../shell/io/cli_error.ts";
import { command } from "../shell/command.ts";
import type { CliContext } from "../shell/context/context.ts";
import { FORMATS } from "../shell/context/global_options.ts";
import { separated } from "../shell/options/parse_values.ts";
import {
  readSavedSettings,
  type SavedSettings,
  SETTING_VARIABLES,
  settingsFile,
  writeSavedSettings,
} from "../shell/context/saved_settings.ts";
import { printJson, printRows, wantsData } from "../shell/output/print_rows.ts";

type GlobalFlags = { demo?: true; format?: string };

export const useCommand = command((kit) =>
  (kit.leaf("use", {
    summary: "Save or show defaults: market, store, policy, wire, format, demo account",
    details:
      "A saved setting applies when neither the option nor the environment variable is given. Settings are kept " +
      "in adsctl.json in XDG_CONFIG_HOME, readable only by you. --demo, --format, --policy and --wire are saved " +
      "too, after a check that the policy and wire are valid. Without arguments, prints the settings.",
    examples: [
      ["adsctl use CA", "use CA in every command; -m still overrides it"],
      ["adsctl use --demo", "use the demo account until you clear it"],
      ["adsctl use --store ads.sqlite --format csv", "save a report store and a format"],
      ["adsctl use CA --policy policy.yaml", "check every write against this policy"],
      ["adsctl use --wire sp=unified", "use the unified family for Sponsored Products only"],
      ["adsctl use --clear demo,market", "clear two settings; --clear alone clears all"],
    ],
  }) as Command<[], GlobalFlags>)
    .argument("[market]", "country code or profile id")
    .option("--store <place>", "path of an SQLite file, or postgres://...")
    .option(
      "--clear [names]",
      "clear these settings (default: all): market, demo, store, format, policy, wire",
      separated,
    ), async (market, options, context) => {
  const { env } = context.io;
  // That of the option alone: one of the environment is not saved.
  const { policy, wire } = context.globals;
  const before = await readSavedSettings(env);
  const after: SavedSettings = {
    ...(options.clear === undefined ? before : without(before, options.clear)),
    ...(market === undefined ? {} : { market: marketName(market) }),
    ...(options.demo ? { demo: true } : {}),
    ...(options.store === undefined ? {} : { store: storePlace(options.store) }),
    ...formatSetting(options.format),
    ...(policy === undefined ? {} : { policy: await policyPlace(policy) }),
    ...(wire === undefined ? {} : { wire: checkedWire(wire) }),
  };
  const changes = JSON.stringify(after) !== JSON.stringify(before);
  if (changes) await writeSavedSettings(after, env);
  await show(after, context);
  return EXIT.done;
});

function without(settings: SavedSettings, names: readonly string[] | true): SavedSettings {
  if (names === true) return {};
  const known = Object.keys(SETTING_VARIABLES);
  const wrong = names.find((name) => !known.includes(name));
  if (wrong !== undefined) {
    throw new UsageError(`Cannot clear "${wrong}": expected one of ${known.join(", ")}`);
  }
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !names.includes(name)));
}

function marketName(text: string): string {
  if (/^\d+$/.test(text)) return text;
  const country = normalizeCountry(text);
  if (MARKETPLACES.includes(country)) return country;
  const near = nearest(country, MARKETPLACES);
  throw new UsageError(
    `Cannot use the market "${text}": it is neither a profile id nor a known country code` +
      (near === undefined ? "" : `. Did you mean "${near}"?`),
  );
}

/** Makes a path absolute, because settings apply in every folder. */
function storePlace(place: string): string {
  return isAddress(place) ? place : resolve(place);
}

/** @throws {ConfigurationError} when the policy is unusable, because every later write would be refused. */
async function policyPlace(path: string): Promise<string> {
  const { loadPolicy } = await import("../../../plans/policy/load_policy.ts");
  await loadPolicy(path);
  return resolve(path);
}

function checkedWire(text: string): string {
  new WireChoice(parseWireSetting(text), RESOURCE_KINDS);
  return text;
}

function formatSetting(format: string | undefined): Pick<SavedSettings, "format"> {
  const known = FORMATS.find((name) => name === format);
  return known === undefined ? {} : { format: known };
}

async function show(settings: SavedSettings, context: CliContext): Promise<void> {
  const { io, globals } = context;
  const { market = null, demo = false, format = null, policy, wire } = settings;
  // The password of a database is not for the screen.
  const store = settings.store?.replace(/(:\/\/[^:@/]*:)[^@]*@/, "$1***@") ?? null;
  const saved = {
    market,
    demo,
    store,
    format,
    ...(policy === undefined ? {} : { policy }),
    ...(wire === undefined ? {} : { wire }),
  };
  if (wantsData(context)) {
    await printJson({ ...saved, file: settingsFile(io.env) }, context);
    return;
  }
  const rows = Object.entries(saved).map(([setting, value]) => ({
    setting,
    saved: value === false ? null : value,
    variable: SETTING_VARIABLES[setting as keyof SavedSettings],
  }));
  await printRows(rows, { columns: ["setting", "saved", "variable"] }, context);
  if (globals.quiet) return;
  const isEmpty = Object.keys(settings).length === 0;
  await io.stderr.write(isEmpty ? "Nothing is saved\n" : `Saved in ${settingsFile(io.env)}\n`);
}
