import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, onTestFinished, test, vi } from 'vitest';
import { CACHE } from './support/cli.ts';
import { ADMIN, limitsPage, type McpHub, PATIENCE, SITE, startMcpHub } from './support/mcp-lab.ts';

const TOOLS = [
  'changes_since',
  'sources',
  'search',
  'read_page',
  'read_section',
  'why',
  'discover',
  'resolve_endpoint',
];
const MODES = ['legacy', { pin: '2026-07-28' }] as const;
const LIMITS = `${SITE}limits.html`;

/** Each way in which the official client can reach a server. */
const WAYS = MODES.flatMap((mode) =>
  (['HTTP', 'stdio'] as const).map((transport) => ({ mode, transport, revision: mode === 'legacy' ? 'old' : 'new' })),
);

test.each(WAYS)(
  'the official client uses every tool over $transport in its $revision way',
  async ({ mode, transport }) => {
    const hub = await startMcpHub();
    const client = await connect(hub, mode, transport);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(TOOLS);

    const first = await call(client, 'changes_since', {});
    expect(first).toMatchObject({ changes: [{ source: 'docs', action: 'create', url: LIMITS }] });
    hub.write({ 'limits.html': limitsPage('There are four tiers of accounts now.') });
    await hub.hasChanges(2);
    const news = await call(client, 'changes_since', { after: first.next });
    expect(news).toMatchObject({ changes: [{ action: 'update', boundary: `${LIMITS}#tiers` }] });
    const api = (await (await fetch(`${hub.url}api/v1/changes?after=${first.next}`)).json()) as object;
    expect(news).toMatchObject(api);
    expect(await call(client, 'changes_since', { after: news.next })).toMatchObject({ changes: [], next: news.next });

    const section = await call(client, 'read_section', { url: LIMITS, anchor: 'tiers' });
    expect(section).toMatchObject({ untrusted: true, risk: 0, markdown: expect.stringContaining('four tiers') });
    const [change] = news.changes as { readonly checksum: string }[];
    expect(section.checksum).toBe(change?.checksum);
    expect(await call(client, 'read_page', { url: LIMITS })).toMatchObject({
      sections: [{ anchor: 'limits' }, { anchor: 'tiers' }, { anchor: 'bursts' }],
    });
    expect(await call(client, 'search', { query: 'four tiers' })).toMatchObject({
      results: [{ url: LIMITS, anchor: 'tiers' }],
      over: 'snapshots',
    });
    expect(await call(client, 'why', { url: `${LIMITS}#tiers` })).toMatchObject({
      changes: [{ text: { is: 'edited', scope: 'section' } }],
    });
    expect(await call(client, 'sources', {})).toMatchObject({
      sources: [{ id: 'docs', kind: 'folder', status: 'ok' }],
    });
  },
);

test.each(WAYS)(
  'resources are listed, read and told of over $transport in its $revision way',
  async ({ mode, transport }) => {
    const hub = await startMcpHub();
    const client = await connect(hub, mode, transport);
    const { resources } = await client.listResources();
    const [{ uri = '' } = {}] = resources;
    expect(resources).toMatchObject([{ uri: expect.stringMatching(/^tidings:\/\/page\//), mimeType: 'text/markdown' }]);
    const { contents } = await client.readResource({ uri });
    expect(contents).toMatchObject([{ uri, mimeType: 'text/markdown', text: expect.stringContaining('three tiers') }]);
    expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(2);

    const told: string[] = [];
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => void told.push(params.uri));
    const canTell = client.getServerCapabilities()?.resources?.subscribe === true;
    expect(canTell).toBe(mode !== 'legacy' || transport === 'stdio');
    if (!canTell) return;
    if (mode === 'legacy') await client.subscribeResource({ uri });
    else await client.listen({ resourceSubscriptions: [uri] });
    hub.write({ 'limits.html': limitsPage('There are nine tiers of accounts now.') });
    await vi.waitFor(() => expect(told).toEqual([uri]), PATIENCE);
  },
);

test('the admin has a tool more, over HTTP and through a hub that runs elsewhere', async () => {
  const hub = await startMcpHub();
  for (const transport of ['HTTP', 'remote'] as const) {
    const client = await connect(hub, { pin: '2026-07-28' }, transport, ADMIN);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([...TOOLS, 'add_source']);
    const id = `more_${transport.toLowerCase()}`;
    const added = await call(client, 'add_source', { url: `http://127.0.0.1:9/${id}/`, id });
    expect(added).toMatchObject({ id });
    expect(JSON.stringify(await call(client, 'sources', {}))).toContain(`"${id}"`);
  }
});

/** The structured content of a good answer, which the client has checked against the schema of the tool. */
async function call(client: Client, name: string, args: Record<string, unknown>): Promise<Record<string, unknown>> {
  const result = await client.callTool({ name, arguments: args });
  expect(result.isError, JSON.stringify(result.content)).not.toBe(true);
  const [block] = result.content as { readonly type: string; readonly text: string }[];
  expect(JSON.parse(block?.text ?? '')).toEqual(result.structuredContent);
  return result.structuredContent as Record<string, unknown>;
}

async function connect(
  hub: McpHub,
  mode: (typeof MODES)[number],
  transport: 'HTTP' | 'stdio' | 'remote',
  token?: string,
): Promise<Client> {
  const client = new Client({ name: 'a-test', version: '1' }, { versionNegotiation: { mode } });
  onTestFinished(() => client.close());
  await client.connect(transportOf(hub, transport, token));
  return client;
}

function transportOf(hub: McpHub, transport: 'HTTP' | 'stdio' | 'remote', token: string | undefined) {
  if (transport === 'HTTP') {
    const headers = new Headers(token === undefined ? [] : [['authorization', `Bearer ${token}`]]);
    return new StreamableHTTPClientTransport(new URL(hub.mcp), { requestInit: { headers } });
  }
  const place = transport === 'remote' ? ['--hub', hub.url] : ['--data', hub.data];
  return new StdioClientTransport({
    command: process.execPath,
    args: ['dist/cli/main.js', 'mcp', ...place],
    env: { TIDINGS_CACHE: CACHE, ...(token !== undefined && { TIDINGS_TOKEN: token }) },
    stderr: 'inherit',
  });
}
