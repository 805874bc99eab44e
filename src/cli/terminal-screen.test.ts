import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { openTerminalScreen } from './terminal-screen.ts';

function terminal() {
  const written: string[] = [];
  const raw: boolean[] = [];
  const input = Object.assign(new EventEmitter(), {
    isTTY: true,
    setRawMode: (isRaw: boolean) => raw.push(isRaw),
    resume: () => {},
    pause: () => {},
  });
  const output = Object.assign(new EventEmitter(), {
    columns: 40,
    rows: 10,
    write: (text: string) => written.push(text),
  });
  return { input, output, written, raw };
}

test('a screen is entered, drawn over from the top, and left as it was found', () => {
  const { input, output, written, raw } = terminal();
  const screen = openTerminalScreen(input, output);
  screen.draw(['one', 'two']);
  screen[Symbol.dispose]();
  screen[Symbol.dispose]();
  screen.draw(['late']);
  expect(written).toEqual([
    '\x1b[?1049h\x1b[?25l\x1b[?7l',
    '\x1b[Hone\x1b[K\r\ntwo\x1b[K\x1b[J',
    '\x1b[?7h\x1b[?25h\x1b[?1049l',
  ]);
  expect(raw).toEqual([true, false]);
  expect([input.listenerCount('data'), output.listenerCount('resize')]).toEqual([0, 0]);
});

test('q and Ctrl-C end it, other keys do not; a new size is told', () => {
  const { input, output } = terminal();
  using screen = openTerminalScreen(input, output);
  let [ends, sizes] = [0, 0];
  screen.onEnd(() => {
    ends += 1;
  });
  screen.onResize(() => {
    sizes += 1;
  });
  for (const keys of ['x', '\x1b[A', 'q', '\x03']) input.emit('data', Buffer.from(keys));
  output.columns = 20;
  output.emit('resize');
  expect([ends, sizes, screen.size().columns]).toEqual([2, 1, 20]);
});
