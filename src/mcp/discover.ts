import { mapTexts } from './map-texts.ts';
import type { McpPorts } from './mcp-ports.ts';
import { seenText } from './seen-text.ts';
import { shrunkJson } from './shrunk-json.ts';
import { ANSWER_TOKENS } from './token-budget.ts';
import { READS_WEB, type Tool } from './tool.ts';
import { argumentsOf, MAX_URL, required, siteUrl } from './tool-arguments.ts';

export function discoverTool({ discover, ensureMayAsk }: Pick<McpPorts, 'discover' | 'ensureMayAsk'>): Tool {
  return {
    name: 'discover',
    title: 'What does a site offer?',
    description:
      'Checks how changes of a site can be followed: feeds, sitemap, Markdown, pages; the state of each, the terms of use, and which one Tidings would follow. May take a while.',
    inputSchema: {
      type: 'object',
      properties: { url: { type: 'string', description: 'A site or a page of it.', maxLength: MAX_URL } },
      required: ['url'],
      additionalProperties: false,
    },
    outputSchema: {
      type: 'object',
      properties: {
        url: { type: 'string' },
        offers: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              dialect: { type: 'string' },
              url: { type: 'string' },
              state: { type: 'string', enum: ['ok', 'stale', 'broken'] },
              reason: { type: 'string', description: 'May quote the site.' },
            },
            required: ['dialect', 'url', 'state', 'reason'],
            additionalProperties: true,
          },
        },
        choice: { type: 'object', description: 'What Tidings would follow. Absent if nothing is readable now.' },
        terms: { type: 'array', items: { type: 'object' }, description: 'Each statement on use of its pages.' },
        uses: { type: 'object', description: 'The resulting yes/no per use.' },
        untrusted: { type: 'boolean', const: true },
        truncated: { type: 'boolean' },
      },
      required: ['url', 'offers', 'terms', 'untrusted', 'truncated'],
      additionalProperties: true,
    },
    annotations: READS_WEB,
    isLive: true,

    async run(args, context) {
      const url = required(argumentsOf({ url: siteUrl }, args).url, 'url');
      await ensureMayAsk?.(url, context.isAdmin);
      const report = mapTexts(await discover(url, context), seenText);
      const { value, isShrunk } = shrunkJson({ ...report, untrusted: true }, ANSWER_TOKENS - 100);
      return { ...value, truncated: isShrunk };
    },
  };
}
