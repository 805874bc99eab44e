import type { Writable } from 'node:stream';
import { pino } from 'pino';
import type { HubLogger, LogFields } from '../../hub/watch/logger.ts';
import { cleanFields, cleanText } from './fields.ts';
import { logOutput } from './output.ts';
import { prettyLine } from './pretty-line.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export interface PinoLoggerOptions {
  readonly destination: 'stderr' | Writable;
  /** One short line for people instead of JSON. */
  readonly pretty: boolean;
  readonly level: LogLevel;
}

/** One JSON object a line: `{"level":"info","time":"2026-11-16T03:31:08.000Z","source":"docs","msg":"A source was added"}`. */
export function createPinoLogger({ destination, pretty, level }: PinoLoggerOptions): HubLogger {
  const output = logOutput(destination === 'stderr' ? process.stderr : destination);
  const logger = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    pretty ? { write: (line: string) => output.write(prettyLine(line)) } : output,
  );
  const at = (name: LogLevel) => (fields: LogFields, message: string) => {
    if (logger.isLevelEnabled(name)) logger[name](cleanFields(fields), cleanText(message));
  };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
