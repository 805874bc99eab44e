/**
 * What chats and phones are told: short texts, written so that nothing of a page is markup, a mention or a link there.
 *
 *     slack     {"text":"*Updated* <https://docs.example/install#linux|Install> § Linux (docs)","unfurl_links":false,…}
 *     discord   {"content":"**Updated** [Install](<https://docs.example/install#linux>) § Linux (docs)","allowed_mentions":{"parse":[]},…}
 *     ntfy      Updated Install § Linux (docs)\nhttps://docs.example/install#linux
 */
import { type ChatLine, type ChatPiece, chatLines, fitChatLines } from './chat-lines.ts';
import type { EncodeWebhookForm } from './message.ts';

/** Slack cuts at 40,000 characters and shows 4,000 whole; Discord refuses more than 2,000; ntfy makes a file of more than 4,096 bytes. */
const MOST_SLACK = 3900;
const MOST_DISCORD = 2000;
const MOST_NTFY = 1300;
/** SUPPRESS_EMBEDS: links are not fetched and shown by Discord. */
const NO_EMBEDS = 4;
/** Takes no room, and keeps the characters around it from meaning something together. */
const JOINER = '\u2060';

export const encodeSlackForm: EncodeWebhookForm = (message, context) => {
  const text = fitChatLines(chatLines(message, context), writer(slackPiece), MOST_SLACK);
  return json({ text, unfurl_links: false, unfurl_media: false });
};

export const encodeDiscordForm: EncodeWebhookForm = (message, context) => {
  const content = fitChatLines(chatLines(message, context), writer(discordPiece), MOST_DISCORD);
  return json({ content, allowed_mentions: { parse: [] }, flags: NO_EMBEDS });
};

/** Plain text, which ntfy does not read as markup. It is posted to the URL of the topic. */
export const encodeNtfyForm: EncodeWebhookForm = (message, context) => {
  const body = fitChatLines(chatLines(message, context), ntfyLine, MOST_NTFY);
  return { body, contentType: 'text/plain; charset=utf-8' };
};

function slackPiece(piece: ChatPiece): string {
  if ('strong' in piece) return `*${piece.strong}*`;
  return 'url' in piece ? `<${entities(piece.url)}|${slackText(piece.text)}>` : slackText(piece.text);
}

/** Slack and those who speak like it have no way to escape their marks, so each is kept from its neighbours. */
function slackText(text: string): string {
  return entities(unlinked(text).replace(/[*_~`@#[\]|!]/g, `$&${JOINER}`));
}

function entities(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function discordPiece(piece: ChatPiece): string {
  if ('strong' in piece) return `**${piece.strong}**`;
  return 'url' in piece ? `[${discordText(piece.text)}](<${piece.url}>)` : discordText(piece.text);
}

function discordText(text: string): string {
  return unlinked(text)
    .replace(/[\\*_~`|>#[\]()<:-]/g, '\\$&')
    .replaceAll('@', `@${JOINER}`);
}

function ntfyLine(line: ChatLine): string {
  const text = line.map((piece) => ('strong' in piece ? piece.strong : piece.text)).join('');
  const urls = line.flatMap((piece) => ('url' in piece ? [piece.url] : []));
  return [text, ...urls.filter((url) => !text.includes(url))].join('\n');
}

/** A URL in a text of others is shown, and leads nowhere. */
function unlinked(text: string): string {
  return text.replaceAll('://', `:${JOINER}//`).replace(/\bwww\./gi, `$&${JOINER}`);
}

function writer(piece: (piece: ChatPiece) => string): (line: ChatLine) => string {
  return (line) => line.map(piece).join('');
}

function json(value: unknown) {
  return { body: JSON.stringify(value), contentType: 'application/json' };
}
