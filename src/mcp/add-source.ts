import type { McpPorts } from './mcp-ports.ts';
import type { Tool } from './tool.ts';
import { argumentsOf, line, MAX_URL, required, siteUrl } from './tool-arguments.ts';

export function addSourceTool(addSource: NonNullable<McpPorts['addSource']>): Tool {
  return {
    name: 'add_source',
    title: 'Watch a site',
    description: 'Makes the hub watch a site from now on. discover shows what it would follow there.',
    inputSchema: {
      type: 'object',
      properties: {
        url: { type: 'string', description: 'The site, feed or page.', maxLength: MAX_URL },
        id: { type: 'string', description: 'Source id. Default: made from the host.', maxLength: 64 },
        title: { type: 'string', description: 'Display name.', maxLength: 200 },
      },
      required: ['url'],
      additionalProperties: false,
    },
    outputSchema: {
      type: 'object',
      properties: { id: { type: 'string' }, url: { type: 'string' }, kind: { type: 'string' } },
      required: ['id', 'url', 'kind'],
      additionalProperties: true,
    },
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
    isForAdmin: true,

    async run(args, { signal }) {
      const { url, id, title } = argumentsOf({ url: siteUrl, id: line(64), title: line(200) }, args);
      return await addSource({ url: required(url, 'url'), id, title }, signal);
    },
  };
}
