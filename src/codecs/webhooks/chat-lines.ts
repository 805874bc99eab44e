import { oneLine } from '../primitives/one-line.ts';
import { changeUrl, safeLink } from './change-url.ts';
import type { WebhookChange, WebhookChangeEvent, WebhookContext, WebhookMessage } from './message.ts';

/** A piece of a line for people. `strong` holds our own words; `text` may be foreign. */
export type ChatPiece =
  | { readonly strong: string }
  | { readonly text: string }
  | { readonly text: string; readonly url: string };
export type ChatLine = readonly ChatPiece[];

const MOST_LABEL = 100;
const MOST_SECTION = 60;
const MOST_SUMMARY = 120;
/** Longer URLs are not linked. */
const MOST_LINK = 400;
const DONE = { create: 'New', update: 'Updated', delete: 'Gone' } as const;
/** Characters that change the direction of text. */
const DIRECTIONS = /[\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]/g;

/** A message as lines for people: one line, or for a batch a headline and one line for each change. */
export function chatLines(message: WebhookMessage, { hubUrl }: WebhookContext): readonly ChatLine[] {
  switch (message.type) {
    case 'change':
      return [changeLine(message.event.change)];
    case 'changes':
      return [headLine(message.events), ...message.events.map(({ change }) => changeLine(change))];
    case 'subscription.verify':
      return [line('Is this yours?', `A hub of Tidings asks to post here. Its code: ${message.data.challenge}`)];
    case 'subscription.test':
      return [
        [{ strong: 'Test' }, { text: ' This is where changes will be told, by ' }, linked(hubUrl, safeLink(hubUrl))],
      ];
    case 'resync':
      return [line('Began anew', `The log of the hub was restored. Changes are told from ${message.data.from} on.`)];
    case 'alert.raised':
    case 'alert.cleared':
      return [alertLine(message.type === 'alert.raised' ? 'Alert' : 'Over', message.data)];
  }
}

/**
 * Joins as many whole lines as fit into `most` characters, then says how many are missing.
 *
 * `write` escapes. A single line is always shorter than the lowest limit of a service.
 */
export function fitChatLines(lines: readonly ChatLine[], write: (line: ChatLine) => string, most: number): string {
  const written = lines.map(write);
  const whole = written.join('\n');
  if (whole.length <= most) return whole;
  const shown: string[] = [];
  let length = 0;
  for (const text of written) {
    length += text.length + 1;
    if (length > most - MOST_LEFT_OUT) break;
    shown.push(text);
  }
  return [...shown, `… and ${written.length - shown.length} more.`].join('\n');
}

const MOST_LEFT_OUT = 30;

function changeLine(change: WebhookChange): ChatLine {
  const { action, url, anchor, title, heading, summary, source } = change;
  const section = heading ?? anchor;
  return [
    { strong: DONE[action] },
    { text: ' ' },
    linked(title ?? url, changeUrl(change)),
    ...(section === undefined ? [] : [{ text: ` § ${cut(section, MOST_SECTION)}` }]),
    { text: ` (${cut(source, MOST_SECTION)})` },
    ...(summary === undefined ? [] : [{ text: `: ${cut(summary, MOST_SUMMARY)}` }]),
  ];
}

function headLine(events: readonly WebhookChangeEvent[]): ChatLine {
  const sources = new Set(events.map(({ change: { source } }) => source));
  const [first = ''] = sources;
  const where = sources.size === 1 ? ` of ${cut(first, MOST_SECTION)}` : ` of ${sources.size} sources`;
  return [{ strong: events.length === 1 ? '1 change' : `${events.length} changes` }, { text: where }];
}

function alertLine(strong: string, { summary, url }: { readonly summary: string; readonly url?: string }): ChatLine {
  const said = { text: ` ${cut(summary, MOST_SUMMARY)}` };
  return url === undefined ? [{ strong }, said] : [{ strong }, said, { text: ' ' }, linked(url, safeLink(url))];
}

function line(strong: string, text: string): ChatLine {
  return [{ strong }, { text: ` ${oneLine(text)}` }];
}

/** Links only http and https URLs: other schemes could open anything. */
function linked(label: string, link: string): ChatPiece {
  const text = cut(label, MOST_LABEL);
  return /^https?:/i.test(link) && link.length <= MOST_LINK ? { text, url: link } : { text };
}

function cut(text: string, most: number): string {
  const plain = oneLine(
    text
      .slice(0, 4 * most)
      .toWellFormed()
      .replace(DIRECTIONS, ''),
  );
  const characters = Array.from(plain);
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : plain;
}
