import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { fsckHub } from '../src/doors/fsck-hub.ts';
import { EventsClient } from './support/events-client.ts';
import { ADMIN, askModern, limitsPage, PATIENCE, startMcpHub } from './support/mcp-lab.ts';
import { startWebhookReceiver } from './support/webhook-receiver.ts';

const SECRET = 'hunter2-correct-horse';
const HEADERS = { authorization: `Bearer ${ADMIN}`, 'content-type': 'application/json' };

interface Told {
  readonly seq: number;
  readonly id: string;
  readonly url: string;
}

/** Files of a data folder that hold the text, but for the database, in which the documents stand that stay. */
function filesTelling(folder: string, text: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(
      (file) =>
        file.isFile() &&
        !file.name.startsWith('tidings.db') &&
        readFileSync(join(file.parentPath, file.name)).includes(text),
    )
    .map(({ name }) => name);
}

test('what a redacted change said is told nowhere any more by a hub that runs, but in documents that it names', {
  timeout: 180_000,
}, async () => {
  let isDown = true;
  const receiver = await startWebhookReceiver((_, response) => response.writeHead(isDown ? 500 : 200).end());
  const hub = await startMcpHub({ webhooks: { firstRetryMs: 200 } });
  const at = async (path: string, init?: RequestInit) =>
    await fetch(new URL(path, hub.url), { headers: HEADERS, ...init });
  const changes = async () => ((await (await at('api/v1/changes?limit=1000')).json()) as { changes: Told[] }).changes;
  const made = await at('api/v1/subscriptions', { method: 'POST', body: JSON.stringify({ url: receiver.url }) });
  const { id: subscription } = (await made.json()) as { id: string };
  await vi.waitFor(async () => {
    const { status } = (await (await at(`api/v1/subscriptions/${subscription}`)).json()) as { status: string };
    expect(status).toBe('active');
  }, PATIENCE);

  // Told, and taken back.
  hub.write({ 'limits.html': limitsPage(`The password of the tiers is ${SECRET}, and it is valid for all.`) });
  await hub.hasChanges(2);
  hub.write({ 'limits.html': limitsPage('The tiers have no password any more, and never will have one.') });
  await hub.hasChanges(3);
  const [first, ...secretive] = await changes();
  await vi.waitFor(() => expect(receiver.events().at(-1)?.text).toContain(SECRET), PATIENCE);
  const early = new EventsClient(`${hub.url}events`, { 'last-event-id': first?.id ?? '' });
  await vi.waitFor(() => expect(early.seqs).toEqual([2, 3]), PATIENCE);
  expect(early.text, 'before').toContain(SECRET);
  const found = async (words: string) => await (await at(`search?q=${words}`)).text();
  const tools = async () => {
    const asked = [
      { name: 'changes_since', arguments: {} },
      { name: 'why', arguments: { id: secretive[0]?.id } },
      { name: 'why', arguments: { id: secretive[1]?.id } },
      { name: 'search', arguments: { query: 'hunter2' } },
    ];
    const answers = await Promise.all(asked.map((params) => askModern(hub.mcp, { method: 'tools/call', params })));
    return answers.map(({ text }) => text);
  };
  expect((await tools()).join(), 'before').toContain(SECRET);
  await vi.waitFor(async () => {
    const answer = await at(`api/v1/changes/${secretive[1]?.id}/receipt`);
    expect(answer.status).toBe(200);
  }, PATIENCE);

  for (const { id } of secretive) {
    const answer = await at(`api/v1/changes/${id}/redact`, { method: 'POST', body: '{}' });
    expect(answer.status).toBe(200);
    // What readers have the hashes of stays as it is, and is named.
    expect(await answer.json()).toMatchObject({
      id,
      fields: expect.arrayContaining(['before', 'excerpt']),
      kept: [expect.stringMatching(/^archive\/docs\//), 'atom/docs.atom'],
    });
  }
  expect((await at('api/v1/changes/01KJMMA2G08WBMBJW4Q4250ATR/redact', { method: 'POST', body: '{}' })).status).toBe(
    404,
  );
  const unknown = await fetch(new URL(`api/v1/changes/${first?.id}/redact`, hub.url), { method: 'POST' });
  expect(unknown.status, 'who is nobody').toBe(401);

  const late = new EventsClient(`${hub.url}events`, { 'last-event-id': first?.id ?? '' });
  await vi.waitFor(() => expect(late.seqs).toEqual([2, 3]), PATIENCE);
  expect(late.text).not.toContain(SECRET);
  const before = receiver.events().length;
  isDown = false;
  await vi.waitFor(() => expect(receiver.events().length).toBeGreaterThan(before + 1), PATIENCE);
  await vi.waitFor(async () => {
    const { lag } = (await (await at(`api/v1/subscriptions/${subscription}`)).json()) as { lag: number };
    expect(lag).toBe(0);
  }, PATIENCE);
  const last = receiver.events().slice(-2);
  expect(last.map(({ text }) => text).join()).not.toContain(SECRET);
  const pages = [
    'api/v1/changes?limit=1000',
    '',
    'changes',
    `changes/${secretive[0]?.id}`,
    `changes/${secretive[1]?.id}`,
  ];
  for (const path of pages) expect(await (await at(path)).text(), path).not.toContain(SECRET);
  expect((await tools()).join()).not.toContain(SECRET);
  for (const { id } of secretive)
    await vi.waitFor(async () => expect(await found('password')).not.toContain(id), PATIENCE);
  const receipt = await at(`api/v1/changes/${secretive[0]?.id}/receipt`);
  expect(await receipt.text()).not.toContain(SECRET);
  early.close();
  late.close();
  await hub.close();
  expect(filesTelling(hub.data, SECRET)).toEqual([]);
  expect(await fsckHub(hub.data)).toMatchObject({ ok: true, findings: [] });
});
