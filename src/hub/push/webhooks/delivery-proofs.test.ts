import { expect, test } from 'vitest';
import { webhookLab } from '../../../../test/support/webhook-lab.ts';
import type { ChangeReceipts } from '../../../dialects/shelf.ts';

/** A log whose checkpoints are signed by hand. */
class HandReceipts implements ChangeReceipts {
  covers = 0;
  bytes = 10;

  checkpointOver(seq: number): string | undefined {
    return this.covers >= seq ? `checkpoint ${this.covers}` : undefined;
  }

  async receiptOf(id: string, checkpoint: string): Promise<string> {
    return `${JSON.stringify({ id, checkpoint, fill: 'x'.repeat(this.bytes) })}\n`;
  }
}

interface ProvenChange {
  readonly receipt: string;
  readonly proof?: { readonly checkpoint: string };
}

async function provingLab(failures = 0) {
  const receipts = new HandReceipts();
  const lab = await webhookLab({ receipts, answer: (_, nth) => ({ status: nth <= failures ? 500 : 200 }) });
  const told = () => lab.events().map(({ body }) => body.data as unknown as ProvenChange);
  return { ...lab, receipts, told };
}

test('a delivery waits for its checkpoint, and each attempt repeats its bytes, over a restart too', async () => {
  const lab = await provingLab(2);
  await lab.subscribe({ proofs: true });
  lab.log.append('/a');
  await lab.time.pass(5000);
  expect(lab.events()).toEqual([]);
  lab.receipts.covers = 1;
  await lab.time.pass(500);
  expect(lab.told()).toMatchObject([{ proof: { checkpoint: 'checkpoint 1' } }]);
  lab.receipts.covers = 2;
  await lab.time.pass(10_000);
  await lab.restart();
  await lab.time.pass(3_600_000);
  const [first, ...again] = lab.events().map(({ text }) => text);
  expect(again).toEqual([first, first]);
  expect(lab.bugs).toEqual([]);
});

test('a change that no checkpoint covers in time goes with the address alone, in each attempt', async () => {
  const lab = await provingLab(1);
  await lab.subscribe({ proofs: true });
  lab.log.append('/a');
  await lab.time.pass(11_000);
  lab.receipts.covers = 1;
  await lab.time.pass(3_600_000);
  const [first, second] = lab.told();
  expect(first?.receipt).toContain('/receipt');
  expect(first?.proof).toBeUndefined();
  expect(second).toEqual(first);
});

test('proofs of a batch are bounded: those that do not fit have the address alone', async () => {
  const lab = await provingLab();
  Object.assign(lab.receipts, { covers: 3, bytes: 30_000 });
  await lab.subscribe({ proofs: true, batch: { max: 3, waitMs: 1000 } });
  lab.log.append('/a', '/b', '/c');
  await lab.time.pass(2000);
  const [batch] = lab.told() as unknown as ProvenChange[][];
  expect(batch?.map(({ proof }) => proof !== undefined)).toEqual([true, true, false]);
  expect(batch?.every(({ receipt }) => receipt.endsWith('/receipt'))).toBe(true);
});

test('forms without data, and subscriptions without the option, wait for nothing', async () => {
  const lab = await provingLab();
  await lab.subscribe({ proofs: true, format: 'slack' });
  await lab.subscribe({ receipts: true });
  lab.log.append('/a');
  await lab.time.pass(200);
  expect(lab.received).toHaveLength(2);
});
