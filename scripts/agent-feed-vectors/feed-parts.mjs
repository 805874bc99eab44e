/** Shared parts of the feeds in the vectors. */

import { base64url, DID, didDocument, json, KEYS, ORIGIN, urn } from './lib.mjs';

export const A = 'endpoint-announcement';
export const C = 'schema-change';
export const D = 'deprecation';
export const NOW = '2026-05-01T00:00:00Z';
export const DIDS = {
  'did/one-key.json': json(didDocument(['key-1'])),
  'did/two-keys.json': json(didDocument(['key-2', 'key-1'])),
  'did/second-key.json': json(didDocument(['key-2'])),
  'did/multicodec-key.json': json({
    id: DID,
    verificationMethod: [
      {
        ...didDocument(['key-1']).verificationMethod[0],
        publicKeyMultibase: `u${base64url(Buffer.concat([Buffer.from('ed01', 'hex'), KEYS['key-1'].publicKey]))}`,
      },
    ],
  }),
  'did/of-another-host.json': json(didDocument(['key-1'], 'did:web:other.example')),
  'did/v2-host.json': json(didDocument(['key-1'], 'did:web:v2.api.example')),
};

export const ORDERS = record('orders');

export function record(endpointId, more = {}) {
  const base = { 'endpoint-id': endpointId, protocol: 'rest', url: `${ORIGIN}/${endpointId}`, version: '1.0' };
  return { ...base, migrations: [], deprecation: null, ...more };
}

export function nothing() {
  return { trust: true, 'feed-status': 'active', applied: 0, 'last-seen': null, endpoints: [], events: [] };
}

export function event(name, id) {
  return { event: name, ...(id === undefined ? {} : { 'entry-id': urn(id) }) };
}

export function ended(replacement) {
  return { sunset: '2026-10-01T00:00:00Z', replacement, reason: null };
}
