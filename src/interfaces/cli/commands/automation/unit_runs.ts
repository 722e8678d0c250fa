import { counted } from "../../../../base/text/money_text.ts";
import { visibleText } from "../../../../base/text/visible_text.ts";
import { fileSystem } from "../../../../base/runtime/file_system.ts";
import { readNamedFile } from "../../../../base/runtime/read_named_file.ts";
import { checkService, type ServiceFile } from "../../../../automation/service/mod.ts";
import type { UnitContents, UnitFile } from "../../../../automation/service/units/unit.ts";
import { type UnitName, unitOf, unitOfText, UNITS } from "../../../../automation/service/units/units.ts";
import { deadRules, unsetVariables } from "../../../../automation/watch/dead_rules.ts";
import { parseWatch, type WatchChannel } from "../../../../automation/watch/watch_file.ts";
import { nextCommand } from "../../shell/context/shell_words.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { EXIT, refusingBadInput, UsageError } from "../../shell/io/cli_error.ts";
import { printRows } from "../../shell/output/print_rows.ts";
import { say } from "../../shell/output/write_text.ts";
import { openStore } from "../../shell/connect/open_store.ts";
import { isStore, type StoreOptions, storePlace } from "../../shell/options/store_option.ts";

interface FileOption {
  readonly file: string;
}

/** Never overwrites an existing file. */
export async function writeNewFile(path: string, text: string): Promise<void> {
  if (!await fileSystem().createText(path, text, { mode: 0o644 })) {
    throw new UsageError(`Cannot write ${path}: the file already exists. Choose another with --out`);
  }
}

export async function runUnitInit(
  unit: UnitName,
  options: { readonly out?: string },
  context: CliContext,
): Promise<number> {
  const { name, starter, next = ["Check it", "check"] }: UnitFile = UNITS[unit].file;
  const { out = name } = options;
  await writeNewFile(out, await starter?.() ?? "");
  const [text, verb, ...rest] = next;
  await say(
    `Wrote ${out}. ${text}:\n  ${nextCommand(["auto", verb, unit, out, ...rest], context.globals)}`,
    context,
  );
  return EXIT.done;
}

export async function runCheck(
  { file, unit, ...options }: FileOption & StoreOptions & { readonly unit?: UnitName },
  context: CliContext,
): Promise<number> {
  const of = unit ?? unitOfText(await readNamedFile(file, "the service file"));
  if (of === undefined) return await checkAll(file, context);
  const { what, read } = UNITS[of].file;
  const text = await readNamedFile(file, `the ${what}`);
  const { holds, channels } = await read(text, file);
  if (of === "watch") await sayDead(text, { file, ...options }, context);
  await sayUnset(channels, context);
  await say(`${file}: ${holds}, no mistakes`, context);
  return EXIT.done;
}

async function checkAll(path: string, context: CliContext): Promise<number> {
  const service = await refusingBadInput(() => checkService(path));
  const { timers, profiles } = service;
  for (const { channels } of (await contentsOf(service)).values()) await sayUnset(channels, context);
  const who = profiles === "all" ? "all profiles" : profiles.join(", ");
  await say(`${path}: ${counted(timers.length, "timer")} for ${who}, no mistakes`, context);
  return EXIT.done;
}

async function contentsOf({ timers }: ServiceFile): Promise<Map<string, UnitContents>> {
  const found = new Map<string, UnitContents>();
  for (const { name, work, file } of timers) {
    const unit = unitOf(work).file;
    if (file === undefined || unit === undefined) continue;
    found.set(name, await unit.read(await readNamedFile(file, "the file"), file));
  }
  return found;
}

const SHOWN = ["timer", "at", "missed", "file", "holds"];

export async function runShow({ file }: FileOption, context: CliContext): Promise<number> {
  await ensureService(file, "show");
  const service = await refusingBadInput(() => checkService(file));
  const contents = await contentsOf(service);
  const rows = service.timers.map(({ name, at, missed, file }) => ({
    timer: name,
    at,
    missed,
    file: file ?? "",
    holds: contents.get(name)?.holds ?? "",
  }));
  await printRows(rows, { columns: SHOWN }, context);
  return EXIT.done;
}

/** @throws {UsageError} naming the right command when the file belongs to a unit. */
export async function ensureService(file: string, verb: string): Promise<void> {
  const unit = unitOfText(await readNamedFile(file, "the service file"));
  if (unit === undefined) return;
  const line = unit === "goals" ? `plan goals ${file}` : `auto ${verb} ${unit} ${file}`;
  throw new UsageError(`${file} is a ${UNITS[unit].file.what}, not a service file. See: adsctl ${line}`);
}

async function sayDead(
  text: string,
  { file, ...options }: FileOption & StoreOptions,
  context: CliContext,
): Promise<void> {
  const { env, now } = context.io;
  const read = parseWatch(text, file);
  const store = isStore(storePlace(options, context)) ? await openStore(options, context) : undefined;
  for (const { rule, why } of await deadRules(read, { store, env, now: now() })) {
    await say(`${rule} finds nothing: ${visibleText(why)}`, context);
  }
  for (const { name } of read.channels) {
    if (read.rules.every((rule) => !rule.channels.includes(name))) {
      await say(`No rule uses the channel ${name}`, context);
    }
  }
}

async function sayUnset(channels: readonly WatchChannel[], context: CliContext): Promise<void> {
  for (const channel of channels) {
    for (const variable of unsetVariables(channel, context.io.env)) {
      await say(`The channel ${channel.name} delivers nothing: ${variable} is not set`, context);
    }
  }
}
