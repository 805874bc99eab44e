import type { Action, Change } from '../../src/model/change.ts';

/**
 * Tally: a made-up format that is in no list of src/. One change a line, counted from 1.
 *
 *     tally 1
 *     1 create https://docs.example/
 *     2 update https://docs.example/pricing#tiers
 */
export const TALLY_FILE = 'tally.txt';
export const TALLY_TYPE = 'text/plain; charset=utf-8';
export const TALLY_HEAD = 'tally 1\n';

export interface TallyLine {
  readonly number: number;
  readonly action: Action;
  readonly boundary: string;
}

export function encodeTally(changes: readonly Pick<Change, 'action' | 'url' | 'anchor'>[]): string {
  const boundaryOf = ({ url, anchor }: Pick<Change, 'url' | 'anchor'>) =>
    anchor === undefined ? url : `${url}#${anchor}`;
  return TALLY_HEAD + changes.map((change, at) => `${at + 1} ${change.action} ${boundaryOf(change)}\n`).join('');
}

/** Undefined for what is no tally. */
export function decodeTally(text: string): readonly TallyLine[] | undefined {
  if (!text.startsWith(TALLY_HEAD)) return undefined;
  return text
    .slice(TALLY_HEAD.length)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [number = '', action = '', boundary = ''] = line.split(' ');
      return { number: Number(number), action: action as Action, boundary };
    });
}
