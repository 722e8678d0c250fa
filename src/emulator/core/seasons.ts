interface Season {
  readonly key: string;
  readonly name: string;
  readonly startDate: string;
  readonly endDate: string;
  readonly increasePercent: number;
}

type Row = readonly [key: string, name: string, first: string, last: string, percent: number];

const YEARLY: readonly Row[] = [
  ["SPRING_SALE", "Spring sale", "03-20", "03-26", 15],
  ["MID_YEAR_SALE", "Mid-year sale", "07-08", "07-11", 40],
  ["BACK_TO_SCHOOL", "Back to school", "08-15", "08-31", 10],
  ["AUTUMN_DEALS", "Autumn deal days", "10-06", "10-08", 30],
  ["BLACK_FRIDAY_WEEK", "Black Friday week", "11-20", "12-01", 50],
  ["HOLIDAY_GIFTS", "Holiday gifts", "12-05", "12-20", 35],
];

export function nextSeasons(today: string, count: number): Season[] {
  const year = Number(today.slice(0, 4));
  const all = [year, year + 1].flatMap(seasonsOf);
  return all.filter((season) => season.endDate >= today).slice(0, count);
}

export function seasonNamed(id: string): Season | undefined {
  return seasonsOf(Number(id.slice(-4))).find(({ key }) => key === id);
}

function seasonsOf(year: number): Season[] {
  return YEARLY.map(([key, name, first, last, increasePercent]) => ({
    key: `${key}_${year}`,
    name,
    startDate: `${year}-${first}`,
    endDate: `${year}-${last}`,
    increasePercent,
  }));
}
