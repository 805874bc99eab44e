import { type FixHint, type FixHints, headerHint, OF_OPERATION, OF_READERS } from '../../fix-hint.ts';

const FEED: FixHint = {
  where: '/.well-known/agent-feed.xml, at feed level',
  write: `<feed xmlns="http://www.w3.org/2005/Atom" xmlns:af="https://agent-feed.dev/ns/v0">
  <id>urn:af:api.example</id><title>api.example</title><updated>2026-03-01T12:00:00Z</updated>
  <af:spec-version>0</af:spec-version>
  <af:feed-status>active</af:feed-status>
</feed>`,
};
const ENTRY: FixHint = {
  where: 'each entry of /.well-known/agent-feed.xml; `tidings surface` writes and signs them',
  write: `<entry>
  <id>urn:af:api.example:1772366400000</id>
  <title>endpoint-announcement</title>
  <updated>2026-03-01T12:00:00Z</updated>
  <af:type>endpoint-announcement</af:type>
  <content type="application/json">{"asserted-at":"2026-03-01T12:00:00Z","endpoint":"/v1","endpoint-id":"search","protocol":"rest","version":"1.0.0"}</content>
  <af:sig type="ed25519"><base64url of the 64 bytes over exactly that text></af:sig>
</entry>`,
};
const DID: FixHint = {
  where: '/.well-known/did.json',
  write: `{
  "@context": ["https://www.w3.org/ns/did/v1"],
  "id": "did:web:api.example",
  "verificationMethod": [
    { "id": "did:web:api.example#key-1", "type": "Ed25519VerificationKey2020", "controller": "did:web:api.example", "publicKeyMultibase": "z6Mk…" }
  ]
}`,
};
const CANONICAL: FixHint = {
  where: 'the text of <content>, before it is signed',
  write: '{"a":1,"b":["x"]}\n(keys sorted, no spaces, UTF-8 as it is, integers without a point: RFC 8785)',
};
const CARD: FixHint = {
  where: '/.well-known/agent-card.json, as the newest entries say it',
  write: '{ "name": "api.example", "url": "https://api.example/v1", "version": "1.0.0" }',
};
const HOSTED: FixHint = {
  none: 'Serve did.json, agent-card.json and agent-feed.xml from the host itself, over HTTPS with a valid certificate.',
};

export const AGENT_FEED_HINTS: FixHints = {
  'AF-*': OF_READERS,
  'AF-O*': HOSTED,
  'AF-PB1': HOSTED,
  'AF-ID*': DID,
  'AF-K3': DID,
  'AF-R1': DID,
  'AF-R2': DID,
  'AF-I7': DID,
  'AF-W1': CARD,
  'AF-W2': FEED,
  'AF-SN1': CARD,
  'AF-SN2': CARD,
  'AF-G*': ENTRY,
  'AF-EN*': ENTRY,
  'AF-SG2': ENTRY,
  'AF-PA*': ENTRY,
  'AF-PS*': {
    where: 'the payload of a schema-change; `tidings surface change` writes and signs it',
    write:
      '{"effective-at":"2026-03-01T12:00:00Z","endpoint-id":"search","from-version":"1.0.0","migration":{"add":["/limit"],"remove":[],"rename":{"/q":"/query"},"retype":{"/page":{"from":"string","to":"number"}}},"to-version":"2.0.0"}',
  },
  'AF-PD*': {
    where: 'the payload of a deprecation; `tidings surface deprecate` writes and signs it',
    write:
      '{"announced-at":"2026-03-01T12:00:00Z","endpoint-id":"search","replacement":"search-2","sunset":"2026-09-01T00:00:00Z"}',
  },
  'AF-CJ*': CANONICAL,
  'AF-NS*': FEED,
  'AF-VS*': FEED,
  'AF-FS*': FEED,
  'AF-FS5': {
    where: '/.well-known/agent-feed.xml of a feed that moved, at feed level',
    write:
      '<af:feed-status>migrated</af:feed-status>\n<af:migrated-to>https://new.example/.well-known/agent-feed.xml</af:migrated-to>',
  },
  'AF-ST*': { none: 'Entries that were served stay, under their ids. Publish the old ones again beside the new ones.' },
  'AF-SC2': headerHint('/.well-known/did.json', ['Cache-Control', 'max-age=300']),
  'AF-SC3': {
    none: 'Take entries about internal endpoints out of the feed, and end those endpoints: they are known now.',
  },
  'AF-SC5': OF_OPERATION,
  'AF-SC10': OF_OPERATION,
  'AF-IA1': headerHint('/.well-known/agent-feed.xml', ['Content-Type', 'application/atom+xml; charset=utf-8']),
  'AF-IA2': headerHint('/.well-known/did.json', ['Content-Type', 'application/json']),
  'AF-PB2': headerHint('/.well-known/agent-feed.xml', ['Cache-Control', 'max-age=300']),
  'AF-CT*': OF_OPERATION,
  'AF-D*': ENTRY,
};
