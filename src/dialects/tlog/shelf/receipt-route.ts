import { receiptPendingError } from '../../../errors/receipt-error.ts';
import { noSuchChangeError } from '../../../errors/refusals.ts';
import { withProblems } from '../../../hub/http/api-problems.ts';
import type { Route } from '../../../hub/http/route.ts';
import type { HubReceipts } from './hub-receipts.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

/** Throws if the change does not exist, or if no checkpoint covers it yet. */
async function hubReceipt(id: string, receipts: HubReceipts): Promise<string> {
  const place = await receipts.placeOf(id);
  if (place === undefined) throw noSuchChangeError(id);
  const receipt = await receipts.receiptAt(id, place);
  if (receipt === undefined) throw receiptPendingError(id);
  return receipt;
}

export function receiptRoute(receipts: HubReceipts): Route {
  return {
    method: 'GET',
    path: '/api/v1/changes/:id/receipt',
    access: 'open',
    cors: true,
    isMetered: true,
    summary: 'The receipt of a change: its entry in the provable log, its texts, and the proof of both.',
    parameters: [
      { name: 'id', in: 'path', required: true, description: 'The id of the change.', schema: { type: 'string' } },
    ],
    responses: {
      200: 'The receipt. Verify it at /verify or with "tidings verify-receipt".',
      404: 'There is no such change, or it is older than the provable log.',
      503: 'No signed checkpoint covers the change yet. Try again in some seconds.',
    },
    answer: { mediaType: JSON_TYPE },
    handle: withProblems(async ({ params }) => ({
      status: 200,
      headers: { 'content-type': JSON_TYPE, 'cache-control': 'no-cache' },
      body: await hubReceipt(params.id ?? '', receipts),
    })),
  };
}
