/**
 * Short texts for chats and phones, escaped so that no text of a page becomes markup, a mention or a link.
 *
 *     slack     {"text":"*Updated* <https://docs.example/install#linux|Install> § Linux (docs)","unfurl_links":false,…}
 *     discord   {"content":"**Updated** [Install](<https://docs.example/install#linux>) § Linux (docs)","allowed_mentions":{"parse":[]},…}
 *     ntfy      Updated Install § Linux (docs)\nhttps://docs.example/install#linux
 */
import { type ChatLine, type ChatPiece, chatLines, fitChatLines } from './chat-lines.ts';
import type { EncodeWebhookForm } from './message.ts';

/** Slack truncates at 40,000 characters and shows 4,000 unfolded. Discord refuses more than 2,000. ntfy turns more than 4,096 bytes into a file. */
const MOST_SLACK = 3900;
const MOST_DISCORD = 2000;
const MOST_NTFY = 1300;
/** SUPPRESS_EMBEDS: Discord shows no previews of links. */
const NO_EMBEDS = 4;
/** Has no width, and keeps the characters around it from forming markup together. */
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

/** Slack and compatible services cannot escape markup characters, so a joiner follows each of them. */
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

/** A URL in a foreign text is shown, but not turned into a link. */
function unlinked(text: string): string {
  return text.replaceAll('://', `:${JOINER}//`).replace(/\bwww\./gi, `$&${JOINER}`);
}

function writer(piece: (piece: ChatPiece) => string): (line: ChatLine) => string {
  return (line) => line.map(piece).join('');
}

function json(value: unknown) {
  return { body: JSON.stringify(value), contentType: 'application/json' };
}
