import type { OverviewSnapshot } from '../doors/hub-overview.ts';
import { jobLine } from './job-text.ts';
import type { ScreenLine, TextLook } from './screen-text.ts';

type States = OverviewSnapshot['states'];

/** In the order in which they are counted. */
const WORDS: readonly (readonly [word: keyof States, words: string, look?: TextLook])[] = [
  ['ok', 'ok', 'good'],
  ['error', 'in error', 'bad'],
  ['degraded', 'degraded', 'warn'],
  ['unstable', 'unstable', 'warn'],
  ['quiet', 'quiet', 'calm'],
  ['disabled', 'paused'],
  ['pending', 'not read yet'],
];
const LOOKS: Readonly<Record<string, TextLook>> = {
  ...{ error: 'bad', degraded: 'warn', unstable: 'warn', quiet: 'calm', ok: 'good' },
  ...{ create: 'good', update: 'warn', delete: 'bad' },
};
const WORD_WIDTH = 10;
const MOST_SOURCE = 20;

/** The overview of a hub as lines, at most `rows`: the oldest changes are left out first. */
export function overviewLines(snapshot: OverviewSnapshot, rows = Number.POSITIVE_INFINITY): ScreenLine[] {
  const { of, atMs, running, writable, attention, recent } = snapshot;
  const jobs = snapshot.jobs ?? [];
  const top: ScreenLine[] = [
    [{ text: 'Tidings ', look: 'strong' }, { text: `${of}  ${clockText(atMs)}` }],
    countLine(snapshot),
    ...(writable
      ? []
      : [[{ text: 'The hub cannot write to its disk. Make room; see its log.', look: 'bad' } as const]]),
    ...(running ? [] : [[{ text: 'No hub runs on this data. Start it with: tidings serve', look: 'bad' } as const]]),
    ...block(
      'Needs somebody',
      attention.map((line) => attentionLine(line, widthOf(attention.map(({ id }) => id)))),
    ),
    ...block(
      'Running now',
      jobs.map((job) => [{ text: jobLine(job, atMs) }]),
    ),
  ];
  const room = Math.max(0, rows - top.length - 2);
  const shown = recent.slice(0, room);
  const width = widthOf(shown.map(({ source }) => source));
  const changes = shown.map((change) => changeLine(change, width));
  return [...top, ...block('Last changes', changes)].slice(0, rows);
}

function countLine({ states, sources, changes }: OverviewSnapshot): ScreenLine {
  const counted = WORDS.filter(([word]) => word === 'ok' || (states[word] ?? 0) > 0);
  return [
    { text: `${count(sources)} ${sources === 1 ? 'source' : 'sources'}: ` },
    ...counted.flatMap(([word, words, look], at) => {
      const number = states[word] ?? 0;
      const text = `${count(number)} ${words}`;
      return [{ text: at > 0 ? ', ' : '' }, number > 0 && look !== undefined ? { text, look } : { text }];
    }),
    { text: `; ${count(changes)} ${changes === 1 ? 'change' : 'changes'} so far` },
  ];
}

function block(title: string, lines: readonly ScreenLine[]): ScreenLine[] {
  return lines.length === 0 ? [] : [[], [{ text: title, look: 'strong' }], ...lines];
}

/** Narrow screens have no room to give away. */
function widthOf(ids: readonly string[]): number {
  return Math.min(MOST_SOURCE, Math.max(0, ...ids.map(({ length }) => length)));
}

function attentionLine({ word, id, remarks }: OverviewSnapshot['attention'][number], width: number): ScreenLine {
  return [wordSpan(word), { text: `${id.slice(0, width).padEnd(width)}  ${remarks.join(' ')}` }];
}

function changeLine(change: OverviewSnapshot['recent'][number], width: number): ScreenLine {
  const { time, action, source, title, heading, boundary } = change;
  const name = [title, heading].filter((part) => part !== undefined).join(' › ') || boundary;
  return [
    { text: `${time.slice(5, 10)} ${time.slice(11, 16)}  `, look: 'faint' },
    wordSpan(action),
    { text: `${source.slice(0, width).padEnd(width)}  ${name}` },
  ];
}

function wordSpan(word: string) {
  const look = LOOKS[word];
  return { text: word.padEnd(WORD_WIDTH), ...(look !== undefined && { look }) };
}

function clockText(ms: number): string {
  return `${new Date(ms).toISOString().slice(11, 19)} UTC`;
}

function count(number: number): string {
  return number.toLocaleString('en');
}
