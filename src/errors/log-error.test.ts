import { expect, test } from 'vitest';
import { LogFullError, LogUnavailableError } from './log-error.ts';

const CAUSE = new Error('it does not answer');

test('who cannot use a file is told of its disk, who cannot use a database of its server', () => {
  const errors = ['/data/tidings.db', 'postgres://hub@db.example/tidings'].map((place) => [
    new LogUnavailableError(place, CAUSE).message,
    new LogFullError(place, CAUSE).message,
  ]);
  for (const message of errors[0] ?? []) expect(message).toContain('disk');
  for (const message of errors[1] ?? []) {
    expect(message).toContain('server of');
    expect(message).not.toContain('disk');
    expect(message).not.toContain('folder');
  }
});
