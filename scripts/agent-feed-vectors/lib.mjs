/** Tools for the vectors: keys that are public on purpose, canonical JSON, signatures, and feeds as text. */

import { createPrivateKey, createPublicKey, sign as signWith } from 'node:crypto';

const HOST = 'api.example';
export const DID = `did:web:${HOST}`;
export const ORIGIN = `https://${HOST}`;
export const FEED_URL = `${ORIGIN}/.well-known/agent-feed.xml`;
export const DID_URL = `${ORIGIN}/.well-known/did.json`;

/** These seeds are public. */
export const KEYS = Object.fromEntries(
  ['0001', '0002', '0003'].map((number) => {
    const seed = Buffer.from(`tidings agent-feed test key ${number}`, 'ascii');
    return [`key-${Number(number)}`, { seed, publicKey: publicKeyOf(seed) }];
  }),
);

export function publicKeyOf(seed) {
  return createPublicKey(privateKeyOf(seed)).export({ format: 'der', type: 'spki' }).subarray(12);
}

/** @returns {Buffer} the 64 bytes. */
export function sign(seed, bytes) {
  return signWith(null, bytes, privateKeyOf(seed));
}

function privateKeyOf(seed) {
  const header = Buffer.from('302e020100300506032b657004220420', 'hex');
  return createPrivateKey({ key: Buffer.concat([header, seed]), format: 'der', type: 'pkcs8' });
}

/** Independent of the product's own implementation, so that each checks the other: keys are compared as UTF-8 bytes. */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const keys = Object.keys(value).sort((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)));
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(',')}}`;
}

export function base64url(bytes) {
  return Buffer.from(bytes).toString('base64url');
}

export function escapeXml(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

const AT = '2026-04-27T12:00:00Z';

export function announcement(endpointId, more = {}) {
  const base = { 'asserted-at': AT, endpoint: `/${endpointId}`, 'endpoint-id': endpointId, protocol: 'rest' };
  return { ...base, version: '1.0', ...more };
}

export function schemaChange(endpointId, from, to, migration = {}) {
  const base = { 'effective-at': '2026-04-27T13:00:00Z', 'endpoint-id': endpointId };
  return { ...base, 'from-version': from, migration, 'to-version': to };
}

export function deprecation(endpointId, more = {}) {
  const base = { 'announced-at': '2026-04-27T14:00:00Z', 'endpoint-id': endpointId };
  return { ...base, sunset: '2026-10-01T00:00:00Z', ...more };
}

/**
 * One entry as XML. `id` is the last part of its URN. Missing options are filled in as a good publisher writes them. `content` is text, `markup` is the XML
 * inside `content`, and `signature` is the text inside `af:sig`.
 */
export function entry(id, type, payload, more = {}) {
  const content = more.content ?? canonical(payload);
  const key = KEYS[more.key ?? 'key-1'];
  const signature = more.signature ?? base64url(sign(key.seed, Buffer.from(more.signed ?? content, 'utf8')));
  const signer = more.signer === undefined ? `${DID}#${more.key ?? 'key-1'}` : more.signer;
  const lines = [
    '  <entry>',
    `    <id>${more.rawId ?? urn(id)}</id>`,
    `    <updated>${more.updated ?? AT}</updated>`,
    `    <title>${more.title ?? type}</title>`,
    `    <af:type>${type}</af:type>`,
    `    <content type="application/json">${more.markup ?? escapeXml(content)}</content>`,
    `    <af:sig type="${more.signatureType ?? 'ed25519'}">${signature}</af:sig>`,
    ...(signer === null ? [] : [`    <af:signer>${signer}</af:signer>`]),
    ...(more.extra ?? []).map((line) => `    ${line}`),
    '  </entry>',
  ];
  return lines.join('\n');
}

export function urn(id) {
  return `urn:af:${HOST}:${id}`;
}

/** `specVersion` and `status` may be null: then the element is omitted. */
export function feed(entries, more = {}) {
  const { specVersion = '0', status = 'active', extra = [], rootAttributes } = more;
  const attributes = rootAttributes ?? 'xmlns="http://www.w3.org/2005/Atom" xmlns:af="https://agent-feed.dev/ns/v0"';
  const lines = [
    '<?xml version="1.0" encoding="utf-8"?>',
    `<feed ${attributes}>`,
    `  <id>${more.self ?? FEED_URL}</id>`,
    '  <title>Test vector</title>',
    '  <updated>2026-04-27T15:00:00Z</updated>',
    ...(specVersion === null ? [] : [`  <af:spec-version>${specVersion}</af:spec-version>`]),
    ...(status === null ? [] : [`  <af:feed-status>${status}</af:feed-status>`]),
    ...extra.map((line) => `  ${line}`),
    ...entries,
    '</feed>',
  ];
  return `${lines.join('\n')}\n`;
}

export function didDocument(keyNames, did = DID) {
  const verificationMethod = keyNames.map((name) => ({
    id: `${did}#${name}`,
    type: 'Ed25519VerificationKey2020',
    controller: did,
    publicKeyMultibase: `u${base64url(KEYS[name].publicKey)}`,
  }));
  return { '@context': ['https://www.w3.org/ns/did/v1'], id: did, verificationMethod };
}

export function json(value) {
  return `${JSON.stringify(value, null, 2)}\n`;
}
