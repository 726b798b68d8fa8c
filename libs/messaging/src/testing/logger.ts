import type { Logger } from '@paywright/platform';

/** A line that was logged. */
export interface LogLine {
  readonly level: string;
  readonly fields: object;
  readonly message: string;
}

/** A logger whose lines can be read. */
export function loggerTo(lines: LogLine[]): Logger {
  const at = (level: string) => (fields: object, message: string) => void lines.push({ level, fields, message });
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error'), child: () => loggerTo(lines) };
}
