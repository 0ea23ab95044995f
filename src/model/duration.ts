const UNITS = [['day', 86_400_000], ['hour', 3_600_000], ['minute', 60_000], ['second', 1000]] as const;

/** Milliseconds in words: `7 days`, `36 hours`, `1 minute`. */
export function inWords(ms: number): string {
  const [name, size] = UNITS.find(([, u]) => ms >= u && Number.isInteger(ms / u)) ?? UNITS.find(([, u]) => ms >= u) ?? ['millisecond', 1];
  const n = Number((ms / size).toFixed(1));
  return `${n} ${name}${n === 1 ? '' : 's'}`;
}
