/**
 * What was thrown and where, without its message: that may quote a value of a command, and this goes to dead
 * letters and logs.
 */
export function describeDefect(error: unknown): string {
  if (!(error instanceof Error)) return `threw a ${typeof error}`;
  const frame = error.stack?.split('\n').find((line) => /^\s+at /.test(line));
  const place = frame ? /at (?:async )?(.*?)(?: \()?[^/\s(]*\/?([^/()\s]+:\d+:\d+)\)?$/.exec(frame) : null;
  return place ? `${error.name} at ${[place[1], place[2]].filter(Boolean).join(' ')}` : error.name;
}
