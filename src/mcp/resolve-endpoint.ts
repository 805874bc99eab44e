import { ToolRefusal } from '../errors/tool-refusal.ts';
import { mapTexts } from './map-texts.ts';
import type { EndpointAnswer, EndpointQuestion, McpPorts } from './mcp-ports.ts';
import { seenText } from './seen-text.ts';
import { shrunkJson } from './shrunk-json.ts';
import { ANSWER_TOKENS } from './token-budget.ts';
import { READS_WEB, type Tool } from './tool.ts';
import { argumentsOf, line, MAX_URL, required, siteUrl } from './tool-arguments.ts';

export function resolveEndpointTool({ resolve, ensureMayAsk }: Pick<McpPorts, 'resolve' | 'ensureMayAsk'>): Tool {
  return {
    name: 'resolve_endpoint',
    title: 'Where is this API?',
    description:
      'Current address of an API, from its own signed agent-feed: of one "endpoint", or of the endpoint for a "protocol"; without either, all known endpoints. After its sunset an endpoint resolves to its replacement.',
    inputSchema: {
      type: 'object',
      properties: {
        origin: { type: 'string', description: 'The origin of the API: https://api.example', maxLength: MAX_URL },
        endpoint: { type: 'string', description: 'The id of an endpoint.', maxLength: 300 },
        protocol: { type: 'string', description: 'A protocol, e.g. mcp or openapi.', maxLength: 300 },
        at: { type: 'string', description: 'As of this time, RFC 3339.', maxLength: 40 },
      },
      required: ['origin'],
      additionalProperties: false,
    },
    outputSchema: {
      type: 'object',
      properties: {
        origin: { type: 'string' },
        url: { type: 'string', description: 'Resolved address.' },
        trust: { type: 'boolean', const: true },
        endpoints: { type: 'array', items: { type: 'object' }, description: 'As the origin states them.' },
        untrusted: { type: 'boolean', const: true },
        truncated: { type: 'boolean' },
      },
      required: ['origin', 'trust', 'untrusted', 'truncated'],
      additionalProperties: true,
    },
    annotations: READS_WEB,
    isLive: true,

    async run(args, { signal, isAdmin }) {
      const question = questionOf(args);
      await ensureMayAsk?.(question.origin, isAdmin);
      const answer = await resolve(question, signal);
      ensureAnswered(question, answer);
      const { url, trust } = answer;
      const report = mapTexts(answer.report, seenText);
      const told = { ...report, origin: question.origin, trust, ...(url && { url }), untrusted: true };
      const { value, isShrunk } = shrunkJson(told, ANSWER_TOKENS - 100);
      return { ...value, truncated: isShrunk };
    },
  };
}

function questionOf(args: Parameters<Tool['run']>[0]): EndpointQuestion {
  const shape = { origin: siteUrl, endpoint: line(300), protocol: line(300), at: line(40) };
  const { origin: asked, endpoint, protocol, at } = argumentsOf(shape, args);
  const { origin } = new URL(required(asked, 'origin'));
  if (endpoint !== undefined && protocol !== undefined) {
    throw new ToolRefusal('Give either "endpoint" or "protocol", not both.');
  }
  if (at !== undefined && Number.isNaN(Date.parse(at))) {
    throw new ToolRefusal('"at" is no time. Give one like 2026-07-28T12:00:00Z, or leave it out.');
  }
  return { origin, endpoint, protocol, at };
}

function ensureAnswered({ endpoint, protocol }: EndpointQuestion, { trust, url, report }: EndpointAnswer): void {
  if (!trust) {
    throw new ToolRefusal(
      'The origin is not trusted: it ended its feed, its signatures do not hold, or its feed could not be read. Use none of its endpoints; only a person can decide otherwise (tidings read --retrust).',
      'stop',
    );
  }
  const wanted = endpoint ?? protocol;
  if (wanted !== undefined && url === null) {
    throw new ToolRefusal(
      `The origin names no such ${endpoint === undefined ? 'protocol' : 'endpoint'} now. Ask without it for all that it names.`,
    );
  }
  const { endpoints } = report;
  if (wanted === undefined && Array.isArray(endpoints) && endpoints.length === 0) {
    throw new ToolRefusal(
      'The origin has an agent-feed that names no endpoint now, or none that can be read. Try again later.',
    );
  }
}
