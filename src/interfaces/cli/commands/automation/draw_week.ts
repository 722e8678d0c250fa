import { type Schedule, weekOf } from "../../../../automation/schedules/mod.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { stylesFor } from "../../shell/output/styles.ts";

const DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
/** 256-colour backgrounds; the further a factor is from 1, the deeper the colour. */
const LOWER = [153, 111, 69, 33];
const HIGHER = [229, 221, 214, 208];

export function drawWeek(
  schedule: Schedule,
  context: CliContext,
  profileZone = "the profile's zone",
): string {
  const factors = weekOf(schedule);
  const all = factors.flat();
  const width = Math.max(...all.map((factor) => String(factor).length));
  // A letter a cell where numbers do not fit; the legend says what it means.
  const isShort = width > 2;
  const legend = [...new Set(all)].toSorted((a, b) => a - b);
  const farthest = Math.max(...all.map(distance), 1e-9);
  const isColoured = stylesFor(context.io.stdout, context).red("x") !== "x";
  const letter = (factor: number): string =>
    isShort ? (factor === 1 ? "·" : String.fromCharCode(97 + legend.indexOf(factor) % 26)) : String(factor);
  const cell = (factor: number): string => {
    const text = letter(factor).padStart(2);
    if (!isColoured || factor === 1) return `${text} `;
    const level = Math.min(3, Math.floor(4 * distance(factor) / farthest - 1e-9));
    return `\x1b[48;5;${(factor < 1 ? LOWER : HIGHER)[Math.max(0, level)]};30m${text} \x1b[0m`;
  };
  const lines = factors.map((day, at) => `  ${DAYS[at]} ${day.map(cell).join("")}`.trimEnd());
  const hours = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, "0")).join(" ");
  const where = schedule.on === "platform" ? ", by rules of the platform" : "";
  const zone = schedule.zone ?? profileZone;
  return [
    `${schedule.name}: ${schedule.move.replace("_", " ")} in ${zone}${where}`,
    `      ${hours}`,
    ...lines,
    ...(isShort
      ? legendLines(legend.filter((factor) => factor !== 1).map((one) => `${letter(one)} = ×${one}`))
      : []),
    "",
  ].join("\n");
}

/** Distance of a factor from 1 on a log scale, so that half and double are equally far. */
function distance(factor: number): number {
  return Math.abs(Math.log(Math.max(factor, 0.05)));
}

function legendLines(meanings: readonly string[]): string[] {
  const lines: string[] = [];
  for (const meaning of meanings) {
    const last = lines.at(-1);
    if (last === undefined || last.length + meaning.length > 76) lines.push(`  ${meaning}`);
    else lines[lines.length - 1] = `${last}  ${meaning}`;
  }
  return lines;
}
