import { createReader } from 'tidings/agent-feed';

const [origin = 'https://api.example', state = 'reader.db'] = process.argv.slice(2);
const local = process.argv.includes('--allow-private') ? { allowPrivate: true, insecure: true } : {};

const reader = createReader({ state, ...local });
const { trust, endpoints, events } = await reader.ingest(origin);
for (const { event, entryId = '' } of events) console.log('noticed', event, entryId);
if (!trust) console.log('not trusted: it answers nothing');

for (const { endpointId, protocol, version } of endpoints) {
  // Past its sunset an endpoint resolves to its replacement, or to nothing.
  console.log(protocol, endpointId, version, (await reader.resolveUrl(origin, endpointId)) ?? 'gone');
}

// Does the API answer as announced? The reader reports, your agent decides.
const mismatch = await reader.observeLiveResponse(origin, 'orders-api', { id: 7, amount: 12 });
if (mismatch !== undefined) console.log(JSON.stringify(mismatch['observed-discrepancy']));
await reader.close();
