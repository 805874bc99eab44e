import type { ServerResponse } from 'node:http';
import { expect, test, vi } from 'vitest';
import { clause } from './clause.ts';
import { startLiveSite } from './support/live-site.ts';
import { initialize, startMcp, toolCall } from './support/mcp-child.ts';
import { limitsPage, META, PATIENCE, SITE, startMcpHub } from './support/mcp-lab.ts';
import { htmlPage, temporaryFolder } from './support/site.ts';

const LIMITS = `${SITE}limits.html`;
const PAGE = `tidings://page/${encodeURIComponent(LIMITS)}`;
const BURSTS = `tidings://section/${encodeURIComponent(LIMITS)}/bursts`;
const LOCAL = ['--allow-private', '--cooldown', '0'];

clause(['MCP-S1', 'MCP-S2'], 'stdout carries one message a line and nothing else, whatever a page says', async () => {
  const nasty = 'Line\r\nbreaks, \u2028 and \u2029, a \u{1f600} and "quotes" \\ here, in words.';
  await using site = await startLiveSite({
    '/': htmlPage('Odd', [{ id: 'signs', heading: 'Odd \u{1f600}', text: nasty }]),
  });
  using data = temporaryFolder();
  const mcp = startMcp([site.url, `${site.url}broken/`, ...LOCAL, '--data', data.path]);
  const { result } = await mcp.ask(toolCall('changes_since'));
  expect(result).toMatchObject({ structuredContent: { changes: [{ action: 'create' }] } });
  const read = await mcp.ask(toolCall('read_section', { url: site.url, anchor: 'signs' }));
  expect(read.result).toMatchObject({ structuredContent: { markdown: expect.stringContaining('\u{1f600}') } });
  await mcp.ask(toolCall('discover', { url: 'http://127.0.0.1:1/' }));
  await mcp.ask(toolCall('sources'));
  expect(mcp.lines.length).toBeGreaterThanOrEqual(4);
  for (const line of mcp.lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });

  using empty = temporaryFolder();
  const broken = startMcp(['--data', empty.path]);
  expect(await broken.ended).not.toBe(0);
  expect({ lines: broken.lines, says: broken.stderr() !== '' }).toEqual({ lines: [], says: true });
});

clause('MCP-S3', 'the process ends with stdin: with a stream open, and in the midst of a slow call', async () => {
  const hub = await startMcpHub();
  const idle = startMcp(['--data', hub.data]);
  idle.send({
    jsonrpc: '2.0',
    id: 'open',
    method: 'subscriptions/listen',
    params: { _meta: META, notifications: { resourceSubscriptions: [PAGE] } },
  });
  await vi.waitFor(() => expect(idle.lines).toHaveLength(1), PATIENCE);
  idle.process.stdin.end();
  expect(await idle.ended).toBe(0);

  const asked = vi.fn();
  await using slow = await startLiveSite({ '/slow': asked });
  const busy = startMcp(['--data', hub.data, ...LOCAL]);
  busy.send({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { _meta: META, name: 'read_page', arguments: { url: `${slow.url}slow` } },
  });
  await vi.waitFor(() => expect(asked).toHaveBeenCalled(), PATIENCE);
  busy.process.stdin.end();
  expect(await busy.ended).toBe(0);
  expect(busy.lines).toEqual([]);
});

clause(
  ['MCP-S4', 'MCP-S5'],
  'a cancelled call is not answered and its work ends; odd cancels change nothing',
  async () => {
    const ended = vi.fn();
    const asked = vi.fn((response: ServerResponse) => void response.on('close', ended));
    await using site = await startLiveSite({ '/slow': asked });
    const hub = await startMcpHub();
    const mcp = startMcp(['--data', hub.data, ...LOCAL]);
    const slow = { _meta: META, name: 'read_page', arguments: { url: `${site.url}slow` } };
    mcp.send({ jsonrpc: '2.0', id: 'slow', method: 'tools/call', params: slow });
    await vi.waitFor(() => expect(asked).toHaveBeenCalledTimes(1), PATIENCE);
    mcp.send(cancel('slow'));
    await vi.waitFor(() => expect(ended).toHaveBeenCalledTimes(1), PATIENCE);
    // In the same write as its call.
    const call = { jsonrpc: '2.0', id: 'at-once', method: 'tools/call', params: slow };
    mcp.write(`${JSON.stringify(call)}\n${JSON.stringify(cancel('at-once'))}\n`);
    for (const odd of ['unknown', 'slow', 7]) mcp.send(cancel(odd));
    mcp.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: {} });
    expect((await mcp.ask(toolCall('sources'))).result).toMatchObject({
      structuredContent: { sources: [{ id: 'docs' }] },
    });
    expect(mcp.messages().map(({ id }) => id)).toEqual([expect.stringMatching(/^call-/)]);
  },
);

clause(
  ['MCP-S6', 'MCP-V1'],
  'lines that are no messages are passed over, and each request is judged by itself',
  async () => {
    const hub = await startMcpHub();
    const mcp = startMcp(['--data', hub.data]);
    mcp.write('not json\n[]\n{"jsonrpc":"2.0","id":null,"method":"tools/list"}\n\n{}\n');
    expect((await mcp.ask({ method: 'tools/list' })).result).toMatchObject({ tools: expect.any(Array) });
    const { 'io.modelcontextprotocol/clientCapabilities': _, ...noCapabilities } = META;
    const bare = await mcp.ask({ method: 'tools/list', params: { _meta: {} } });
    const half = await mcp.ask({ method: 'tools/list', params: { _meta: noCapabilities } });
    expect([bare.error?.code, half.error?.code]).toEqual([-32602, -32602]);
    const other = { ...META, 'io.modelcontextprotocol/clientCapabilities': { sampling: {} } };
    const [one, two] = await Promise.all([
      mcp.ask({ method: 'tools/list', params: { _meta: other } }),
      mcp.ask({ method: 'tools/list' }),
    ]);
    expect(one.result?.tools).toEqual(two.result?.tools);
  },
);

clause('MCP-S7', 'the first answer needs no network and no look at the pages', async () => {
  using data = temporaryFolder();
  const asked = vi.fn();
  await using site = await startLiveSite({ '/robots.txt': asked });
  const mcp = startMcp([site.url, ...LOCAL, '--data', data.path]);
  const opened = await mcp.askOld(initialize('2025-06-18'));
  expect(opened.result).toMatchObject({ protocolVersion: '2025-06-18' });
});

clause(['MCP-N5', 'MCP-V8'], 'an old client is told of what it subscribed to, and of nothing else', async () => {
  const hub = await startMcpHub();
  const mcp = startMcp(['--data', hub.data]);
  // A client that can do both asks first what there is.
  expect((await mcp.ask({ method: 'server/discover' })).result).toMatchObject({ supportedVersions: ['2026-07-28'] });
  const opened = await mcp.askOld(initialize('2025-06-18'));
  expect(opened.result).toMatchObject({ capabilities: { resources: { subscribe: true, listChanged: true } } });
  mcp.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  expect((await mcp.askOld({ method: 'resources/subscribe', params: { uri: BURSTS } })).result).toEqual({});
  expect((await mcp.askOld({ method: 'resources/subscribe', params: { uri: PAGE } })).result).toEqual({});
  hub.write({ 'limits.html': limitsPage('There are five tiers of accounts.') });
  await vi.waitFor(() => expect(toldUris(mcp.messages())).toEqual([PAGE]), PATIENCE);
  expect((await mcp.askOld({ method: 'resources/unsubscribe', params: { uri: PAGE } })).result).toEqual({});
  hub.write({
    'limits.html': limitsPage('There are six tiers of accounts.'),
    'more.html': limitsPage('A page that is new.'),
  });
  await vi.waitFor(() => {
    expect(mcp.messages().map(({ method }) => method)).toContain('notifications/resources/list_changed');
  }, PATIENCE);
  expect(toldUris(mcp.messages())).toEqual([PAGE]);
  expect(
    (await mcp.askOld({ method: 'resources/subscribe', params: { uri: 'file:///etc/passwd' } })).error,
  ).toMatchObject({ code: -32602 });
});

test('two copies over one folder: the second reads what the first one finds, and says so', async () => {
  await using site = await startLiveSite({
    '/': htmlPage('Home', [{ id: 'one', heading: 'One', text: 'Some words of one.' }]),
  });
  using data = temporaryFolder();
  const args = [site.url, ...LOCAL, '--data', data.path];
  const first = startMcp(args);
  expect((await first.ask(toolCall('changes_since'))).result).toMatchObject({ structuredContent: { changes: [{}] } });
  const second = startMcp(args);
  const read = await second.ask(toolCall('changes_since'));
  expect(read.result).toMatchObject({ structuredContent: { changes: [{ action: 'create', url: site.url }] } });
  expect(second.stderr()).toContain('Another process');
  second.process.stdin.end();
  expect(await second.ended).toBe(0);
  expect((await first.ask(toolCall('search', { query: 'words' }))).result).toMatchObject({
    structuredContent: { results: [{ anchor: 'one' }] },
  });
});

test('cursors outlive the process, and a private address is refused unless it is allowed', async () => {
  await using site = await startLiveSite({
    '/': htmlPage('Home', [{ id: 'one', heading: 'One', text: 'Some words of one.' }]),
  });
  using data = temporaryFolder();
  const first = startMcp([site.url, ...LOCAL, '--data', data.path]);
  const { result } = await first.ask(toolCall('changes_since'));
  const { next } = (result as { structuredContent: { next: string } }).structuredContent;
  first.process.stdin.end();
  await first.ended;
  site.takeRequests();
  const second = startMcp(['--data', data.path]);
  expect((await second.ask(toolCall('changes_since', { after: next }))).result).toMatchObject({
    structuredContent: { changes: [], next },
  });
  for (const url of [`${site.url}other`, 'http://[::1]/', 'http://169.254.169.254/latest/', 'http://localhost/']) {
    for (const call of [toolCall('read_page', { url }), toolCall('discover', { url })]) {
      const answer = await second.ask(call);
      expect(answer.result, url).toMatchObject({
        isError: true,
        content: [{ text: expect.stringMatching(/public internet|can be read now/) }],
      });
    }
  }
  expect(site.takeRequests()).toEqual([]);
});

function cancel(requestId: string | number) {
  return { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } };
}

function toldUris(
  messages: readonly { readonly method?: string; readonly params?: Readonly<Record<string, unknown>> }[],
) {
  return messages.filter(({ method }) => method === 'notifications/resources/updated').map(({ params }) => params?.uri);
}
