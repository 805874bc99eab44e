import type { WordPiece } from '../diff/word-diff.ts';
import { noteWords } from '../digest/note-words.ts';
import { nameOfAnchor, nameOfUrl, shownText } from '../digest/shown-text.ts';
import { changedWords } from '../hub/http/changed-text.ts';
import { anchorFragment } from '../model/anchor-fragment.ts';
import type { ChangeDraft } from '../model/change.ts';

export interface MarkdownOptions {
  /** The heading of the text. */
  readonly heading: string;
  /** The maximum length; GitHub accepts 65,536 characters in a comment. */
  readonly maxCharacters?: number;
}

/** Leaves room for text that others put around it. */
const MAX_CHARACTERS = 60_000;
const MAX_NAME = 150;
const MAX_ADDRESS = 2000;
const WORDS = { create: 'new', update: 'changed', delete: 'removed' } as const;

/**
 * What changed, for a pull request or the summary of a job. Texts of pages stay plain text: nothing in them becomes markup, a link, a mention or an
 * issue number.
 */
export function changesMarkdown(
  changes: readonly ChangeDraft[],
  { heading, maxCharacters = MAX_CHARACTERS }: MarkdownOptions,
): string {
  const head = `### ${heading}\n\n${countsOf(changes)}\n`;
  const items: string[] = [];
  let room = maxCharacters - head.length - `\n… and ${changes.length} more changes\n`.length;
  for (const change of changes) {
    const item = itemOf(change);
    room -= item.length;
    if (room < 0) break;
    items.push(item);
  }
  const left = changes.length - items.length;
  return `${head}\n${items.join('')}${left > 0 ? `\n… and ${left} more ${left === 1 ? 'change' : 'changes'}\n` : ''}`;
}

function countsOf(changes: readonly ChangeDraft[]): string {
  if (changes.length === 0) return 'Nothing that readers would see.';
  const pages = new Set(changes.map(({ url }) => url)).size;
  return `${changes.length} ${changes.length === 1 ? 'change' : 'changes'} on ${pages} ${pages === 1 ? 'page' : 'pages'}.`;
}

function itemOf(change: ChangeDraft): string {
  const { url, anchor, action, title = '', heading = '', note } = change;
  const section = anchor === undefined ? '' : shownText(heading, MAX_NAME) || nameOfAnchor(anchor, MAX_NAME);
  const page = shownText(title, MAX_NAME) || nameOfUrl(url, MAX_NAME);
  const name = markdownText([page, section].filter((part) => part !== '').join(' › '));
  const isGone = action === 'delete' && anchor === undefined;
  const address = isGone ? undefined : markdownAddress(`${url}${anchorFragment(change)}`);
  const notes = note === undefined ? [] : noteWords(note).map(plainWords);
  const lines = [
    changedWords(change).map(wordMarkdown).join(''),
    ...notes.map((words) => `<sub>${markdownText(words)}</sub>`),
  ].filter(Boolean);
  const place = address === undefined ? name : `[${name}](<${address}>)`;
  return `- **${WORDS[action]}** ${place}${lines.map((line) => `<br>${line}`).join('')}\n`;
}

function wordMarkdown({ is, text }: WordPiece): string {
  const shown = markdownText(text);
  if (is === 'old') return `<del>${shown}</del>`;
  return is === 'new' ? `<ins><b>${shown}</b></ins>` : shown;
}

type Words = ReturnType<typeof noteWords>[number];

function plainWords(words: Words): string {
  return words
    .map((word) => (typeof word === 'string' ? word : 'children' in word ? plainWords([...word.children]) : ' '))
    .join('');
}

/** Invisible; it keeps the name after it from becoming a mention. */
const WORD_JOINER = '&#8288;';

/** Writes every character that could be markup as a number, and breaks up what GitHub looks for in rendered texts (`@name`, `#1`). */
function markdownText(text: string): string {
  return text.replace(/[^\p{L}\p{M}\p{N} ]/gu, (character) => {
    const code = `&#${character.codePointAt(0)};`;
    return character === '@' || character === '#' ? `${code}${WORD_JOINER}` : code;
  });
}

function markdownAddress(url: string): string | undefined {
  if (url.length > MAX_ADDRESS || !/^https?:\/\/[^\s<>\\]+$/.test(url)) return undefined;
  return url;
}
