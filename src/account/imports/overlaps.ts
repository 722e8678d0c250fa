import { type DayRange, eachDay, joinDays } from "../../base/time/calendar.ts";
import type { ReportName } from "../../client/reports/requests/named_report.ts";
import type { FileMark, FilePull } from "../../store/figures/file_pulls.ts";
import type { TablePiece } from "./table_pieces.ts";
import type { ReportPresetName } from "../../client/reports/requests/presets.ts";

export interface FilePiece extends TablePiece {
  readonly mark: FileMark;
  readonly preset: ReportPresetName;
  readonly tab: string;
}

export interface AccountDays extends DayRange {
  readonly report: ReportName;
}

interface Overlaps {
  readonly problems: readonly { readonly piece: FilePiece; readonly message: string }[];
  readonly notices: readonly string[];
  readonly known: ReadonlySet<FilePiece>;
  readonly given: ReadonlyMap<FilePiece, ReadonlySet<string>>;
}

/**
 * Ensures that nothing is counted twice: days of a later file replace the same days of an earlier one, and a sum
 * replaces only a sum of the same days.
 */
export function findOverlaps(
  pieces: readonly FilePiece[],
  { stored, account }: { readonly stored: readonly FilePull[]; readonly account: readonly AccountDays[] },
): Overlaps {
  const problems: { piece: FilePiece; message: string }[] = [];
  const notices: string[] = [];
  const known = new Set<FilePiece>();
  const given = new Map<FilePiece, Set<string>>();
  for (const [index, piece] of pieces.entries()) {
    const refuse = (message: string): void => void problems.push({ piece, message });
    const { mark, preset } = piece;
    const own = stored.filter(({ report }) => report === preset);
    const same = own.find((one) =>
      one.digest === mark.digest && one.start === piece.start && one.end === piece.end
    );
    const earlier = pieces.slice(0, index).filter((one) => one.preset === preset);
    if (same !== undefined && earlier.every((one) => !touch(one, piece))) {
      known.add(piece);
      notices.push(`${mark.name} is stored already`);
      continue;
    }
    for (const days of account.filter(({ report }) => report === preset)) {
      if (touch(days, piece)) {
        refuse(
          `${
            shared(days, piece)
          } of ${preset} are stored from the account itself, with ids: leave the file out`,
        );
      }
    }
    const others = [
      ...earlier.filter((one) => !known.has(one)).map((one) => ({
        days: one,
        name: one.mark.name,
        isSum: one.isSum,
        digest: one.mark.digest,
        piece: one,
      })),
      ...own.filter((one) => one.digest !== mark.digest).map((one) => ({
        days: one,
        name: one.name,
        isSum: one.isSum,
        digest: one.digest,
        piece: undefined,
      })),
    ];
    for (const other of others) {
      if (!touch(other.days, piece)) continue;
      if (other.digest === mark.digest && other.piece !== undefined) {
        refuse(
          other.name === mark.name
            ? "another of its tabs has rows of the same days: choose one with --tab"
            : "the same file is named twice",
        );
        continue;
      }
      const isSame = other.days.start === piece.start && other.days.end === piece.end;
      const covers = piece.start <= other.days.start && piece.end >= other.days.end;
      if ((piece.isSum && !(other.isSum && isSame)) || (!piece.isSum && other.isSum && !covers)) {
        refuse(
          `${shared(other.days, piece)} are in ${other.name} too, and ${
            piece.isSum ? "it holds" : "that file holds"
          } one sum over all its days, which would count them twice: leave one file out, or download daily rows`,
        );
        continue;
      }
      notices.push(`${mark.name} takes the place of ${shared(other.days, piece)} of ${other.name}`);
      if (other.piece === undefined) continue;
      const lost = given.get(other.piece) ?? new Set();
      for (const day of eachDay(piece)) lost.add(day);
      given.set(other.piece, lost);
    }
  }
  return { problems, notices, known, given };
}

/** Returns a problem if files have different attribution windows, because they cannot belong to one account. */
export function windowProblem(piece: FilePiece, others: readonly FileMark[]): string | undefined {
  const { window } = piece.mark;
  const other = others.find((one) =>
    one.window !== undefined && window !== undefined && one.window !== window
  );
  return other &&
    `it counts orders within ${window} days of a click, and ${other.name} within ${other.window}: ` +
      "these are different accounts. Import them into different stores, or name a profile for each with --profile";
}

export function runsOf(piece: FilePiece, given: ReadonlySet<string> | undefined): DayRange[] {
  if (given === undefined) return [{ start: piece.start, end: piece.end }];
  return joinDays([...eachDay(piece)].filter((day) => !given.has(day)));
}

function touch(a: DayRange, b: DayRange): boolean {
  return a.start <= b.end && a.end >= b.start;
}

function shared(a: DayRange, b: DayRange): string {
  const [start, end] = [a.start > b.start ? a.start : b.start, a.end < b.end ? a.end : b.end];
  return start === end ? start : `${start} to ${end}`;
}
