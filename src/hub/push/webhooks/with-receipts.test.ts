import { expect, test } from 'vitest';
import { encodeWebhookBody } from '../../../codecs/webhooks/body.ts';
import { withReceipts } from './with-receipts.ts';

const CHANGE = {
  id: '01JD',
  source: 'docs',
  action: 'update',
  url: 'https://docs.example/',
  time: '2026-11-18T00:00:00Z',
} as const;
const EVENT = { change: CHANGE, json: JSON.stringify(CHANGE) };
const HUB = 'https://hub.example/base/';
const RECEIPT = 'https://hub.example/base/api/v1/changes/01JD/receipt';

test('each change of a delivery says where its receipt is, in the same bytes each time', () => {
  const context = { id: 'msg_1', hubUrl: HUB };
  const one = encodeWebhookBody('tidings', withReceipts({ type: 'change', event: EVENT }, HUB), context);
  expect(JSON.parse(one.body)).toMatchObject({ data: { id: '01JD', receipt: RECEIPT } });
  expect(encodeWebhookBody('tidings', withReceipts({ type: 'change', event: EVENT }, HUB), context)).toEqual(one);
  const two = encodeWebhookBody('tidings', withReceipts({ type: 'changes', events: [EVENT, EVENT] }, HUB), context);
  expect(JSON.parse(two.body).data.map(({ receipt }: { receipt: string }) => receipt)).toEqual([RECEIPT, RECEIPT]);
});

test('what is no change stays as it is', () => {
  const notice = {
    type: 'subscription.test',
    timestamp: '2026-11-18T00:00:00Z',
    data: { subscription: 'sub_1' },
  } as const;
  expect(withReceipts(notice, HUB)).toBe(notice);
});
