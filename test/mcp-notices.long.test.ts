import { expect, vi } from 'vitest';
import { clause } from './clause.ts';
import { askModern, limitsPage, listen, PATIENCE, type RpcMessage, SITE, startMcpHub } from './support/mcp-lab.ts';

const LIMITS = `${SITE}limits.html`;
const PAGE = `tidings://page/${encodeURIComponent(LIMITS)}`;
const TIERS = `tidings://section/${encodeURIComponent(LIMITS)}/tiers`;
const BURSTS = `tidings://section/${encodeURIComponent(LIMITS)}/bursts`;
const ID = 'io.modelcontextprotocol/subscriptionId';
const UPDATED = 'notifications/resources/updated';

clause(
  ['MCP-N1', 'MCP-N2'],
  'a stream says first what it will tell, and tells what was asked for under its own id',
  async () => {
    const hub = await startMcpHub();
    const wish = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };
    const number = await listen(hub.mcp, 1, { ...wish, resourceSubscriptions: [PAGE] });
    const text = await listen(hub.mcp, '1', { resourceSubscriptions: [BURSTS] });
    const section = await listen(hub.mcp, 2, { resourceSubscriptions: [TIERS] });
    await vi.waitFor(() => expect(section.messages).toHaveLength(1), PATIENCE);
    expect(number.messages[0]).toMatchObject({
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: { resourcesListChanged: true, resourceSubscriptions: [PAGE] }, _meta: { [ID]: 1 } },
    });
    expect(JSON.stringify(number.messages[0])).not.toMatch(/prompts|toolsListChanged/);

    hub.write({ 'limits.html': limitsPage('There are seven tiers of accounts.') });
    await vi.waitFor(() => expect(told(section.messages)).toEqual([TIERS]), PATIENCE);
    await vi.waitFor(() => expect(told(number.messages)).toEqual([PAGE]), PATIENCE);
    expect(told(text.messages)).toEqual([]);
    hub.write({ 'more.html': limitsPage('A page that is new.') });
    await vi.waitFor(
      () => expect(methods(number.messages)).toContain('notifications/resources/list_changed'),
      PATIENCE,
    );
    expect(methods(section.messages)).not.toContain('notifications/resources/list_changed');
    for (const [stream, id] of [
      [number, 1],
      [text, '1'],
      [section, 2],
    ] as const) {
      for (const { params } of stream.messages) expect(params).toMatchObject({ _meta: { [ID]: id } });
    }
  },
);

clause(
  ['MCP-N3', 'MCP-N4', 'MCP-T12'],
  'a stream carries notices of changes alone, and ends with a result when the hub does',
  async () => {
    const hub = await startMcpHub();
    const stream = await listen(hub.mcp, 'ends', { resourceSubscriptions: [PAGE] });
    const params = { name: 'changes_since', arguments: {}, _meta: undefined };
    const call = await askModern(hub.mcp, {
      method: 'tools/call',
      params: { ...params, _meta: { ...metaWithProgress() } },
    });
    expect(call.messages.map(({ method }) => method)).not.toContain('notifications/message');
    expect(call.result).toMatchObject({ structuredContent: { changes: expect.any(Array) } });
    await hub.close();
    await stream.ended;
    expect(stream.messages.map(({ method, id }) => method ?? id)).toEqual([
      'notifications/subscriptions/acknowledged',
      'ends',
    ]);
    expect(stream.messages.at(-1)).toMatchObject({ result: { resultType: 'complete', _meta: { [ID]: 'ends' } } });
  },
);

clause(
  ['MCP-H13', 'MCP-N7', 'MCP-V9'],
  'a stream is not held back, a burst is few notices, and nothing is asked of the client',
  async () => {
    const hub = await startMcpHub();
    const stream = await listen(hub.mcp, 'burst', { resourcesListChanged: true, resourceSubscriptions: [PAGE] });
    expect(stream.headers.get('x-accel-buffering')).toBe('no');
    expect(stream.headers.get('content-encoding')).toBeNull();
    const pages = Array.from({ length: 200 }, (_, index) => [
      `page-${index}.html`,
      limitsPage(`Words of page ${index}.`),
    ]);
    hub.write(Object.fromEntries(pages));
    await hub.hasChanges(201);
    await vi.waitFor(
      () => expect(methods(stream.messages)).toContain('notifications/resources/list_changed'),
      PATIENCE,
    );
    // One look finds all of them: the list changed once, or twice where the look was made in the midst of the writing.
    const lists = methods(stream.messages).filter((method) => method === 'notifications/resources/list_changed');
    expect(lists.length).toBeLessThanOrEqual(3);
    expect(stream.messages.filter(({ method, id }) => method !== undefined && id !== undefined)).toEqual([]);
    for (const { params } of stream.messages.slice(1)) {
      expect(Object.keys(params ?? {}).filter((key) => key !== '_meta' && key !== 'uri')).toEqual([]);
    }
  },
);

function told(messages: readonly RpcMessage[]) {
  return [...new Set(messages.filter(({ method }) => method === UPDATED).map(({ params }) => params?.uri))];
}

function methods(messages: readonly RpcMessage[]) {
  return messages.map(({ method }) => method);
}

function metaWithProgress() {
  return {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    progressToken: 'p1',
  };
}
