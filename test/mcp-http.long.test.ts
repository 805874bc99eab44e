import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { expect, test, vi } from 'vitest';
import { clause } from './clause.ts';
import { startLiveSite } from './support/live-site.ts';
import {
  ADMIN,
  askLegacy,
  askModern,
  META,
  MODERN,
  modernBody,
  modernHeaders,
  PATIENCE,
  postRpc,
  SITE,
  startMcpHub,
} from './support/mcp-lab.ts';

const LIST = { method: 'tools/list' };
const LIMITS = `${SITE}limits.html`;
const READ = { method: 'resources/read', params: { uri: `tidings://page/${encodeURIComponent(LIMITS)}` } };

clause(
  ['MCP-V2', 'MCP-V5', 'MCP-V6'],
  'a request says its version and capabilities itself, and its answer who gave it',
  async () => {
    const { mcp } = await startMcpHub();
    const { 'io.modelcontextprotocol/protocolVersion': version, ...noVersion } = META;
    const { 'io.modelcontextprotocol/clientCapabilities': _, ...noCapabilities } = META;
    for (const params of [{}, { _meta: noVersion }, { _meta: noCapabilities }]) {
      const refused = await askModern(mcp, LIST, { body: { jsonrpc: '2.0', id: 7, method: 'tools/list', params } });
      expect(refused).toMatchObject({ status: 400, error: { code: -32602 } });
    }
    const { status, result } = await askModern(mcp, LIST);
    expect({ status, version }).toEqual({ status: 200, version: MODERN });
    expect(result).toMatchObject({
      resultType: 'complete',
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'tidings', version: expect.stringMatching(/^\d+\.\d+/) } },
    });
    for (const request of [READ, { method: 'server/discover' }, { method: 'resources/list' }, changesSince()]) {
      expect((await askModern(mcp, request)).result).toMatchObject({ resultType: 'complete' });
    }
  },
);

clause('MCP-V3', 'a version that is not spoken is refused with those that are', async () => {
  const { mcp } = await startMcpHub();
  const _meta = { ...META, 'io.modelcontextprotocol/protocolVersion': '2030-01-01' };
  const answer = await askModern(
    mcp,
    { ...LIST, params: { _meta } },
    { headers: { 'mcp-protocol-version': '2030-01-01' } },
  );
  const data = { supported: [MODERN], requested: '2030-01-01' };
  expect(answer).toMatchObject({ status: 400, error: { code: -32022, data } });
});

clause(
  ['MCP-V4', 'MCP-V11', 'MCP-R1'],
  'discover names versions and capabilities, and each of these is kept',
  async () => {
    const hub = await startMcpHub();
    const { result } = await askModern(hub.mcp, { method: 'server/discover' });
    expect(result).toMatchObject({
      supportedVersions: [MODERN],
      capabilities: { tools: {}, resources: { subscribe: true, listChanged: true } },
      instructions: expect.any(String),
    });
    expect(result.capabilities).not.toHaveProperty('prompts');
    const cacheable = {
      ttlMs: expect.toSatisfy((ms) => ms >= 0),
      cacheScope: expect.stringMatching(/^(public|private)$/),
    };
    for (const method of ['server/discover', 'tools/list', 'resources/list', 'resources/templates/list']) {
      expect((await askModern(hub.mcp, { method })).result, method).toMatchObject(cacheable);
    }
    expect((await askModern(hub.mcp, READ)).result).toMatchObject(cacheable);
    expect((await askModern(hub.mcp, LIST)).result).toMatchObject({ cacheScope: 'private' });
    for (const method of ['prompts/list', 'resources/subscribe', 'completion/complete']) {
      expect(await askModern(hub.mcp, { method }), method).toMatchObject({ status: 404, error: { code: -32601 } });
    }
    const old = await askLegacy(hub.mcp, initialize('2025-11-25'), { 'mcp-protocol-version': undefined });
    expect(old.result.capabilities).toEqual({ tools: {}, resources: {} });
    const subscribe = { method: 'resources/subscribe', params: READ.params };
    expect(await askLegacy(hub.mcp, subscribe)).toMatchObject({ error: { code: -32601 } });
  },
);

clause(
  ['MCP-V7', 'MCP-V8'],
  'old clients get the revision they name, others the newest old one, beside new clients',
  async () => {
    const { mcp } = await startMcpHub();
    const spoken = [
      ['2025-06-18', '2025-06-18'],
      ['2025-11-25', '2025-11-25'],
      ['2024-11-05', '2025-11-25'],
      ['2025-03-26', '2025-11-25'],
      ['2099-01-01', '2025-11-25'],
      [MODERN, '2025-11-25'],
    ];
    for (const [asked = '', protocolVersion] of spoken) {
      const { result } = await askLegacy(mcp, initialize(asked), { 'mcp-protocol-version': undefined });
      expect(result, asked).toMatchObject({ protocolVersion });
      expect((await askModern(mcp, LIST)).status).toBe(200);
    }
    expect((await askLegacy(mcp, { method: 'ping' })).result).toEqual({});
  },
);

clause('MCP-H1', 'a POST is answered by one JSON object or one stream of events, with one answer in it', async () => {
  const { mcp } = await startMcpHub();
  for (const answer of [
    await askModern(mcp, { ...LIST, id: 'seven' }),
    await askLegacy(mcp, { ...LIST, id: 'seven' }),
  ]) {
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^(application\/json|text\/event-stream)/);
    expect(answer.messages.filter(({ id }) => id === 'seven')).toHaveLength(1);
  }
});

clause(['MCP-H2', 'MCP-H9'], 'a foreign web page is refused before anything else, and only POST is taken', async () => {
  const { mcp, url } = await startMcpHub();
  for (const method of ['POST', 'GET', 'DELETE']) {
    for (const origin of ['https://evil.example', 'null', 'http://localhost.evil.example', 'http://evil@localhost']) {
      // The token is wrong and the body is none: neither is looked at.
      const headers = { origin, authorization: 'Bearer not-the-token-of-this-hub' };
      const answer = await fetch(mcp, { method, headers, ...(method === 'POST' && { body: 'no JSON' }) });
      expect({ method, origin, status: answer.status }).toEqual({ method, origin, status: 403 });
    }
  }
  for (const origin of [undefined, url.slice(0, -1), 'http://localhost:3000']) {
    expect((await askModern(mcp, LIST, { headers: { origin } })).status, origin).toBe(200);
  }
  for (const method of ['GET', 'DELETE', 'PUT', 'PATCH']) {
    const answer = await fetch(mcp, { method, headers: { accept: 'text/event-stream' } });
    expect({ method, status: answer.status }).toEqual({ method, status: 405 });
    expect(answer.headers.get('allow')).toContain('POST');
  }
});

clause(['MCP-H3', 'MCP-H4'], 'a hub listens on loopback and refuses a request for another host', async () => {
  const { mcp, url } = await startMcpHub();
  expect(new URL(url).hostname).toBe('127.0.0.1');
  const { port } = new URL(mcp);
  for (const [host, status] of [
    ['evil.example', 403],
    [`evil.example:${port}`, 403],
    [`localhost:${port}`, 200],
    [`[::1]:${port}`, 200],
  ] as const) {
    expect({ host, status: await statusFor(mcp, host) }).toEqual({ host, status });
  }
});

clause('MCP-H5', 'headers and body of a request say the same', async () => {
  const { mcp } = await startMcpHub();
  const call = changesSince();
  for (const name of ['mcp-protocol-version', 'mcp-method', 'mcp-name']) {
    const said = modernHeaders(call)[name] ?? '';
    const missing = await askModern(mcp, call, { headers: { [name]: undefined } });
    const other = await askModern(mcp, call, { headers: { [name]: `${said}x` } });
    expect({ name, status: other.status }).toEqual({ name, status: 400 });
    expect(other.error?.code, name).toBe(name === 'mcp-protocol-version' ? other.error?.code : -32020);
    if (name !== 'mcp-protocol-version') expect(missing, name).toMatchObject({ status: 400, error: { code: -32020 } });
  }
  const { 'mcp-method': method = '', ...others } = modernHeaders(LIST);
  expect((await postRpc(mcp, modernBody(LIST), { ...others, 'MCP-METHOD': method })).status).toBe(200);
  const lower = await askModern(mcp, LIST, { headers: { 'mcp-method': 'TOOLS/LIST' } });
  expect(lower).toMatchObject({ status: 400, error: { code: -32020 } });
});

clause('MCP-H6', 'a name outside of plain ASCII is read from base64', async () => {
  const hub = await startMcpHub();
  const uri = `tidings://page/${LIMITS}ö`;
  const encode = (text: string) => `=?base64?${Buffer.from(text).toString('base64')}?=`;
  const request = { method: 'resources/read', params: { uri } };
  const same = await askModern(hub.mcp, request, { headers: { 'mcp-name': encode(uri) } });
  // The headers agree, so that the resource is looked for, and not found.
  expect(same.error).toMatchObject({ code: -32602, data: { uri } });
  const other = await askModern(hub.mcp, request, { headers: { 'mcp-name': encode(`${uri}ö`) } });
  expect(other).toMatchObject({ status: 400, error: { code: -32020 } });
  const plain = await askModern(hub.mcp, READ, { headers: { 'mcp-name': encode(READ.params.uri) } });
  expect(plain.status).toBe(200);
});

clause('MCP-H7', 'a method that 2026-07-28 does not have is 404 with -32601 and its id', async () => {
  const { mcp } = await startMcpHub();
  for (const method of ['ping', 'logging/setLevel', 'resources/subscribe', 'initialize', 'no/such']) {
    const answer = await askModern(mcp, { id: 'x1', method });
    expect({ method, status: answer.status, code: answer.error?.code }).toEqual({ method, status: 404, code: -32601 });
    expect(answer.messages[0]?.id).toBe('x1');
  }
});

clause('MCP-H8', 'a notification is taken with 202 and no body', async () => {
  const { mcp } = await startMcpHub();
  const message = { jsonrpc: '2.0', method: 'notifications/initialized' };
  const taken = await postRpc(mcp, message, {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2025-06-18',
  });
  expect({ status: taken.status, text: taken.text }).toEqual({ status: 202, text: '' });
});

clause(
  ['MCP-H10', 'MCP-H11'],
  'an unknown version of an old client is 400, none is taken as usual, and there are no sessions',
  async () => {
    const { mcp } = await startMcpHub();
    for (const version of ['1999-01-01', '2024-11-05', '2025-03-26']) {
      expect((await askLegacy(mcp, LIST, { 'mcp-protocol-version': version })).status, version).toBe(400);
    }
    expect((await askLegacy(mcp, LIST, { 'mcp-protocol-version': undefined })).status).toBe(200);
    const opened = await askLegacy(mcp, initialize('2025-06-18'), { 'mcp-protocol-version': undefined });
    expect(opened.headers.get('mcp-session-id')).toBeNull();
    expect((await askLegacy(mcp, LIST, { 'mcp-session-id': 'made-up' })).status).toBe(200);
  },
);

clause('MCP-H12', 'a cut connection ends the work for a new client, and not for an old one', async () => {
  const asked: string[] = [];
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const ended: string[] = [];
  const hold = (path: string) => (response: import('node:http').ServerResponse) => {
    asked.push(path);
    response.on('close', () => {
      if (!response.writableFinished) ended.push(path);
    });
    void held.then(() => response.end('<h1>Late</h1><p>It came late, and all the same it came.</p>'));
  };
  await using site = await startLiveSite({ '/new': hold('/new'), '/old': hold('/old') });
  const { mcp } = await startMcpHub();
  for (const [path, headers] of [
    ['new', {}],
    ['old', { 'mcp-protocol-version': '2025-11-25' }],
  ] as const) {
    const call = { method: 'tools/call', params: { name: 'read_page', arguments: { url: `${site.url}${path}` } } };
    const body = path === 'new' ? modernBody(call) : { jsonrpc: '2.0', id: 1, ...call };
    const stop = new AbortController();
    const sent = fetch(mcp, {
      method: 'POST',
      headers: { ...modernHeaders(call), ...headers },
      body: JSON.stringify(body),
      signal: stop.signal,
    }).catch(() => undefined);
    await vi.waitFor(() => expect(asked).toContain(`/${path}`), PATIENCE);
    stop.abort();
    await sent;
    if (path === 'new') await vi.waitFor(() => expect(ended).toEqual(['/new']), PATIENCE);
  }
  // The hub goes on to wait for the page of the old client, and has it when it comes.
  release();
  await vi.waitFor(() => expect(site.takeRequests()).toContain('200 /old'), PATIENCE);
  expect(ended).toEqual(['/new']);
});

clause(['MCP-H14', 'MCP-H15'], 'a body that is too long, no JSON, of another type or a batch is refused', async () => {
  const { mcp } = await startMcpHub();
  const long = { ...LIST, params: { filler: 'x'.repeat(5 * 1024 * 1024) } };
  expect((await askModern(mcp, long)).status).toBe(413);
  const fits = await askModern(mcp, {
    method: 'tools/call',
    params: { name: 'search', arguments: { query: 'x'.repeat(2 * 1024 * 1024) } },
  });
  expect(fits).toMatchObject({ status: 200, result: { isError: true } });
  for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
    const headers = { 'content-type': type };
    expect((await askModern(mcp, LIST, { headers })).status, type).toBe(415);
  }
  for (const body of ['not json', '{"jsonrpc":', '\ud800'.repeat(3)]) {
    expect(await askModern(mcp, LIST, { body })).toMatchObject({ status: 400, error: { code: -32700 } });
  }
  for (const headers of [{}, { 'mcp-protocol-version': '2025-06-18' }]) {
    const batch = [modernBody(LIST), modernBody({ ...LIST, id: 2 })];
    expect(await askModern(mcp, LIST, { body: batch, headers })).toMatchObject({
      status: 400,
      error: { code: -32600 },
    });
  }
});

clause('MCP-H16', 'a wrong token is refused, one in the address counts for nothing, and none is repeated', async () => {
  const { mcp } = await startMcpHub();
  const wrong = await fetch(mcp, {
    method: 'POST',
    headers: { ...modernHeaders(LIST), authorization: 'Bearer wrong-token-0123456789' },
    body: JSON.stringify(modernBody(LIST)),
  });
  expect(wrong.status).toBe(401);
  expect(wrong.headers.get('www-authenticate')).toMatch(/^Bearer/);
  expect(await wrong.text()).not.toContain('wrong-token');
  const named = async (address: string, authorization?: string) =>
    JSON.stringify((await askModern(address, LIST, { headers: { authorization } })).result);
  expect(await named(`${mcp}?token=${ADMIN}&access_token=${ADMIN}`)).not.toContain('add_source');
  expect(await named(mcp, `Bearer ${ADMIN}`)).toContain('add_source');
  const call = { method: 'tools/call', params: { name: 'add_source', arguments: { url: 'https://more.example/' } } };
  expect(await askModern(mcp, call)).toMatchObject({ status: 200, error: { code: -32602 } });
});

clause('MCP-T1', 'the list of tools is the same, byte by byte, on every connection and behind every call', async () => {
  const { mcp } = await startMcpHub();
  const first = (await askModern(mcp, LIST)).text;
  for (const args of [{}, { limit: 1 }, { after: 'nonsense' }]) await askModern(mcp, changesSince(args));
  expect((await askModern(mcp, LIST)).text).toBe(first);
  const old = (await askLegacy(mcp, LIST)).result as { tools: { name: string }[] };
  const fresh = (await askModern(mcp, LIST)).result as { tools: { name: string }[] };
  expect(old.tools).toEqual(fresh.tools);
});

clause(
  ['MCP-T6', 'MCP-V10'],
  'a wrong call is a JSON-RPC error, what cannot be done a result that says what to do',
  async () => {
    const { mcp } = await startMcpHub();
    const codes: (number | undefined)[] = [];
    for (const params of [
      { name: 'no_such_tool' },
      { name: 'add_source', arguments: {} },
      { arguments: {} },
      { name: 'search', arguments: 'x' },
    ]) {
      const answer = await askModern(mcp, { method: 'tools/call', params }, { headers: { 'mcp-name': params.name } });
      expect(answer.error, JSON.stringify(params)).toBeDefined();
      expect(answer.result).toEqual({});
      codes.push(answer.error?.code);
    }
    expect(codes[0]).toBe(-32602);
    expect(codes[3]).toBe(-32602);
    const impossible = [
      ['changes_since', { after: '01ARZ3NDEKTSV4RRFFQ69G5FAV' }, /cursor.*without "after"/],
      ['changes_since', { after: 'nonsense' }, /"next"/],
      ['changes_since', { limit: 0 }, /whole number/],
      ['changes_since', { source: 'nobody' }, /sources/],
      ['read_section', { url: LIMITS, anchor: 'gone' }, /read_page/],
      ['read_page', { url: 'file:///etc/passwd' }, /https:/],
      ['search', {}, /"query" is missing/],
      ['why', { id: '01ARZ3NDEKTSV4RRFFQ69G5FAV' }, /changes_since/],
      ['discover', { url: 'http://127.0.0.1:1/' }, /Check the address|again later/],
      ['resolve_endpoint', { origin: 'http://127.0.0.1:1' }, /not trusted/],
    ] as const;
    for (const [name, args, says] of impossible) {
      const answer = await askModern(mcp, { method: 'tools/call', params: { name, arguments: args } });
      expect(answer, name).toMatchObject({
        status: 200,
        result: { isError: true, content: [{ type: 'text', text: expect.stringMatching(says) }] },
      });
      expect(answer.result).not.toHaveProperty('structuredContent');
    }
    const codesOfNew = [-32700, -32600, -32601, -32602, -32603, -32020, -32021, -32022];
    expect(codes.filter((code) => !codesOfNew.includes(code ?? 0))).toEqual([]);
  },
);

clause(
  ['MCP-R4', 'MCP-R7'],
  'a resource or a cursor that is not there is an error, and never an empty answer',
  async () => {
    const { mcp } = await startMcpHub();
    const page = encodeURIComponent(LIMITS);
    for (const uri of [
      'tidings://page/https%3A%2F%2Fdocs.example%2Fnone',
      `tidings://section/${page}/gone`,
      'file:///data/../etc/passwd',
      LIMITS,
      'tidings://page/',
      'nonsense',
    ]) {
      const request = { method: 'resources/read', params: { uri } };
      expect((await askModern(mcp, request)).error, uri).toMatchObject({ code: -32602, data: { uri } });
      expect((await askLegacy(mcp, request)).error, uri).toMatchObject({ code: -32602, data: { uri } });
    }
    for (const method of ['resources/list', 'tools/list', 'resources/templates/list']) {
      for (const cursor of ['zzz', '', 'eHh4.AAAAAAAA']) {
        expect((await askModern(mcp, { method, params: { cursor } })).error, method).toMatchObject({ code: -32602 });
      }
    }
  },
);

test('a hub that others can reach asks the web for its admin alone', async () => {
  await using site = await startLiveSite({ '/': '<h1>Elsewhere</h1><p>Some words of another site.</p>' });
  const { mcp } = await startMcpHub({ baseUrl: 'https://hub.example/' });
  for (const [name, args] of [
    ['read_page', { url: site.url }],
    ['discover', { url: site.url }],
    ['resolve_endpoint', { origin: site.url }],
  ] as const) {
    const call = { method: 'tools/call', params: { name, arguments: args } };
    expect((await askModern(mcp, call)).result, name).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('public') }],
    });
  }
  expect(site.takeRequests()).toEqual([]);
  const call = { method: 'tools/call', params: { name: 'read_page', arguments: { url: site.url } } };
  const asAdmin = await askModern(mcp, call, { headers: { authorization: `Bearer ${ADMIN}` } });
  expect(asAdmin.result).toMatchObject({
    structuredContent: { from: 'web', markdown: expect.stringContaining('Some words') },
  });
});

test('a client that sends half a request and goes away leaves nothing behind', async () => {
  const { mcp } = await startMcpHub();
  const { hostname, port } = new URL(mcp);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.write(
    `POST /mcp HTTP/1.1\r\nHost: ${hostname}:${port}\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{"jsonrpc"`,
  );
  socket.destroy();
  expect((await askModern(mcp, LIST)).status).toBe(200);
});

function changesSince(args: object = {}) {
  return { method: 'tools/call', params: { name: 'changes_since', arguments: args } };
}

function initialize(protocolVersion: string) {
  return {
    method: 'initialize',
    params: { protocolVersion, capabilities: {}, clientInfo: { name: 'a-test', version: '1' } },
  };
}

/** `fetch` names the host itself. */
function statusFor(mcp: string, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(mcp, { method: 'POST', headers: { ...modernHeaders(LIST), host } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    sent.on('error', reject);
    sent.end(JSON.stringify(modernBody(LIST)));
  });
}
