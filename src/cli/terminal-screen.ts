import type { Screen } from './world.ts';

/** What of stdin is needed: keys, one by one. */
export interface KeyInput {
  readonly isTTY?: boolean;
  setRawMode?(isRaw: boolean): unknown;
  on(event: 'data', listener: (keys: Buffer) => void): unknown;
  off(event: 'data', listener: (keys: Buffer) => void): unknown;
  resume(): unknown;
  pause(): unknown;
}

/** What of stdout is needed. */
export interface ScreenOutput {
  readonly columns?: number;
  readonly rows?: number;
  write(text: string): unknown;
  on(event: 'resize', listener: () => void): unknown;
  off(event: 'resize', listener: () => void): unknown;
}

// The alternate screen, no cursor, no wrapping of long lines.
const ENTER = '\x1b[?1049h\x1b[?25l\x1b[?7l';
const LEAVE = '\x1b[?7h\x1b[?25h\x1b[?1049l';
const HOME = '\x1b[H';
const END_OF_LINE = '\x1b[K';
const BELOW = '\x1b[J';
const CTRL_C = '\x03';

/** A whole screen that is drawn over and over, and is as it was before when it is left. */
export function openTerminalScreen(input: KeyInput, output: ScreenOutput): Screen {
  const isRaw = input.isTTY === true && input.setRawMode !== undefined;
  const resized = new Set<() => void>();
  const ended = new Set<() => void>();
  const onResize = () => {
    for (const listener of resized) listener();
  };
  const onKeys = (keys: Buffer) => {
    const text = keys.toString();
    if (text.includes('q') || text.includes('Q') || text.includes(CTRL_C)) for (const listener of ended) listener();
  };
  output.write(ENTER);
  output.on('resize', onResize);
  if (isRaw) {
    input.setRawMode?.(true);
    input.on('data', onKeys);
    input.resume();
  }
  let isOpen = true;
  return {
    size: () => ({ columns: output.columns ?? 80, rows: output.rows ?? 24 }),
    draw(lines) {
      if (isOpen) output.write(`${HOME}${lines.map((line) => `${line}${END_OF_LINE}`).join('\r\n')}${BELOW}`);
    },
    onResize: (listener) => void resized.add(listener),
    onEnd: (listener) => void ended.add(listener),
    [Symbol.dispose]() {
      if (!isOpen) return;
      isOpen = false;
      output.off('resize', onResize);
      if (isRaw) {
        input.off('data', onKeys);
        input.setRawMode?.(false);
        input.pause();
      }
      output.write(LEAVE);
    },
  };
}
