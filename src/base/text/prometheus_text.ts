export interface PublishedMetric {
  readonly name: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly help: string;
}

export function metricKey(name: string, labels: Readonly<Record<string, string>> = {}): string {
  const text = Object.entries(labels).map(([label, value]) => `${label}="${escaped(value)}"`).join(",");
  return text === "" ? name : `${name}{${text}}`;
}

export function metricLines(
  { name, type, help }: PublishedMetric,
  values: Iterable<readonly [key: string, value: number]>,
): string[] {
  return [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...[...values].map(([key, value]) => `${key} ${value}`),
  ];
}

function escaped(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
