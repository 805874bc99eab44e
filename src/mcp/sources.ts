import { ToolRefusal } from '../errors/tool-refusal.ts';
import type { StreamSource } from '../stream/change-stream.ts';
import { listCursor, readListCursor } from './list-cursor.ts';
import type { McpPorts } from './mcp-ports.ts';
import { seenText } from './seen-text.ts';
import { ANSWER_TOKENS, fittingCount } from './token-budget.ts';
import { READS_HUB, type Tool } from './tool.ts';
import { argumentsOf, countBetween, line } from './tool-arguments.ts';
import type { ToolObject } from './tool-json.ts';

const MAX_LIMIT = 200;
const DEFAULT_LIMIT = 100;
const RESERVED_TOKENS = 200;
const MAX_TEXT = 500;
const CURSOR = 'sources';

export function sourcesTool({ stream }: Pick<McpPorts, 'stream'>): Tool {
  return {
    name: 'sources',
    title: 'Watched sources',
    description: 'The watched sources: id, address, kind and status of each.',
    inputSchema: {
      type: 'object',
      properties: {
        after: { type: 'string', description: '"next" of the previous answer.', maxLength: 300 },
        limit: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT },
      },
      additionalProperties: false,
    },
    outputSchema: {
      type: 'object',
      properties: {
        sources: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              id: { type: 'string' },
              url: { type: 'string' },
              kind: { type: 'string' },
              status: { type: 'string', description: 'ok, degraded, error or disabled.' },
              title: { type: 'string' },
              failing: { type: 'boolean', description: 'The last check could not read it.' },
            },
            required: ['id', 'url', 'kind', 'status'],
            additionalProperties: true,
          },
        },
        next: { type: ['string', 'null'] },
      },
      required: ['sources', 'next'],
      additionalProperties: false,
    },
    annotations: READS_HUB,

    async run(args, { signal }) {
      const { after, limit = DEFAULT_LIMIT } = argumentsOf(
        { after: line(300), limit: countBetween(1, MAX_LIMIT) },
        args,
      );
      const last = after === undefined ? '' : readListCursor(CURSOR, after);
      if (last === undefined) {
        throw new ToolRefusal('"after" is none that this tool gave. Give "next" as it was, or leave it out.');
      }
      const behind = (await stream.sources(signal)).filter(({ id }) => id > last);
      const shown = behind.slice(0, limit).map(shownSource);
      const count = Math.max(Math.min(1, shown.length), fittingCount(shown, ANSWER_TOKENS - RESERVED_TOKENS));
      const end = behind[count - 1]?.id;
      return {
        sources: shown.slice(0, count),
        next: count < behind.length && end !== undefined ? listCursor(CURSOR, end) : null,
      };
    },
  };
}

/** Only the status of a failed check is shown: its message may contain text of a site. */
function shownSource({ id, url, kind, status, title, errorMessage }: StreamSource): ToolObject {
  return {
    id,
    url: url.slice(0, MAX_TEXT),
    kind,
    status,
    ...(title !== undefined && { title: seenText(title).slice(0, MAX_TEXT) }),
    ...(errorMessage !== undefined && { failing: true }),
  };
}
