import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { expect, test, vi } from 'vitest';
import { tidings } from './support/cli.ts';
import { ADMIN, askModern, limitsPage, PATIENCE, startMcpHub } from './support/mcp-lab.ts';
import { temporaryFolder } from './support/site.ts';
import { startWebhookReceiver } from './support/webhook-receiver.ts';

interface ToldChange {
  readonly id: string;
  readonly receipt: string;
  readonly proof?: { readonly checkpoint: string; readonly texts: object };
}

async function verified(hub: { readonly url: string }, proof: unknown) {
  using folder = temporaryFolder();
  const [receipt, vkey] = [join(folder.path, 'receipt.json'), join(folder.path, 'hub.vkey')];
  await writeFile(receipt, JSON.stringify(proof));
  await writeFile(vkey, await (await fetch(`${hub.url}.well-known/tidings/vkey`)).text());
  return await tidings('verify-receipt', receipt, '--vkey', vkey);
}

test('each attempt of a delivery carries the same receipt, which verify-receipt takes', {
  timeout: 180_000,
}, async () => {
  let isDown = true;
  const receiver = await startWebhookReceiver((_, response) => response.writeHead(isDown ? 500 : 200).end());
  const hub = await startMcpHub({ webhooks: { firstRetryMs: 8000 } });
  const headers = { authorization: `Bearer ${ADMIN}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ url: receiver.url, proofs: true });
  const made = await fetch(`${hub.url}api/v1/subscriptions`, { method: 'POST', headers, body });
  const { id, secret } = (await made.json()) as { id: string; secret: string };
  await vi.waitFor(async () => {
    const answer = await fetch(`${hub.url}api/v1/subscriptions/${id}`, { headers });
    expect(await answer.json()).toMatchObject({ status: 'active', proofs: true });
  }, PATIENCE);

  hub.write({ 'limits.html': limitsPage('There are seven tiers of accounts.') });
  await vi.waitFor(() => expect(receiver.events()).toHaveLength(1), PATIENCE);
  const first = receiver.events()[0];
  const { proof, receipt } = (first?.body.data ?? {}) as unknown as ToldChange;
  isDown = false;
  // The log grows on, and with it its checkpoint, before the next attempt.
  await vi.waitFor(async () => {
    const newest = await (await fetch(`${hub.url}.well-known/tidings/checkpoint`)).text();
    expect(newest).not.toBe(proof?.checkpoint);
  }, PATIENCE);
  await vi.waitFor(() => expect(receiver.events()).toHaveLength(2), PATIENCE);
  for (const { text, headers } of receiver.events()) {
    expect(text).toBe(first?.text);
    expect(new Webhook(secret).verify(text, headers)).toBeTruthy();
  }
  expect(proof).toMatchObject({ texts: { excerpt: { text: expect.stringContaining('seven tiers') } } });
  expect(receipt).toBe(`${hub.url}api/v1/changes/${first?.body.data.id}/receipt`);
  const checked = await verified(hub, proof);
  expect([checked.code, checked.stdout]).toEqual([0, expect.stringMatching(/^Proven, under the key /)]);
  expect((await verified(hub, { ...proof, index: 0 })).code).toBe(4);
});

test('answers of MCP carry receipts where they are asked for', { timeout: 180_000 }, async () => {
  const hub = await startMcpHub();
  hub.write({ 'limits.html': limitsPage('There are seven\u{200b} tiers of accounts, and no more.') });
  await hub.hasChanges(2);
  const call = async (name: string, args: object) => {
    const { result } = await askModern(hub.mcp, { method: 'tools/call', params: { name, arguments: args } });
    return (result as { structuredContent: { changes: ToldChange[] } }).structuredContent.changes;
  };
  const proven = await vi.waitFor(async () => {
    const changes = await call('changes_since', { proofs: true });
    expect(changes.map(({ proof }) => proof !== undefined)).toEqual([true, true]);
    return changes;
  }, PATIENCE);
  for (const { id, receipt, proof } of proven) {
    expect(receipt).toBe(`${hub.url}api/v1/changes/${id}/receipt`);
    expect((await verified(hub, proof)).code).toBe(0);
  }
  // A text with what nobody sees does not go to a model, and the rest holds without it.
  expect(JSON.stringify(proven)).not.toContain('\u{200b}');
  const [plain] = await call('changes_since', {});
  expect(plain).not.toHaveProperty('proof');
  expect(plain).not.toHaveProperty('receipt');
  const [why] = await call('why', { id: proven[1]?.id, proofs: true });
  expect((await verified(hub, why?.proof)).code).toBe(0);
  expect((await call('why', { id: proven[1]?.id }))[0]).not.toHaveProperty('proof');
  const refused = await askModern(hub.mcp, {
    method: 'tools/call',
    params: { name: 'changes_since', arguments: { proofs: 'yes' } },
  });
  expect(refused.text).toContain('Give true or false');
});
