import { ETAG_HINT, type FixHint, type FixHints, headerHint, OF_OPERATION, OF_READERS } from '../../fix-hint.ts';

const FRESH = 'public, max-age=60, must-revalidate';
const FOR_EVER = 'public, max-age=31536000, immutable';
const cached = (path: string, rule: string) => headerHint(path, ['Cache-Control', rule], ['CDN-Cache-Control', rule]);

const HEAD: FixHint = {
  where: '/diff/<source>/head.json, these fields and no other',
  write: `{
  "cursor": "sha256:<64 hex digits>",
  "prev_cursor": "sha256:<the cursor of the run before>",
  "changed": true,
  "generated_at": "2026-03-01T12:00:00Z",
  "ttl_sec": 300,
  "latest_url": "/diff/docs/latest.json"
}`,
};
const FEED: FixHint = {
  where: '/diff/<source>/latest.json',
  write: `{
  "schema_version": "1.1.0",
  "cursor_basis": "canonical_v1",
  "cursor": "sha256:<64 hex digits>",
  "prev_cursor": null,
  "changed": true,
  "generated_at": "2026-03-01T12:00:00Z",
  "ttl_sec": 300,
  "sources_included": ["docs"],
  "sources": { "docs": { "changed": true, "cursor": "sha256:…", "prev_cursor": null, "ttl_sec": 300, "status": "ok", "delta_counts": { "new": 1, "updated": 0, "removed": 0 } } },
  "buckets": { "new": [ … ], "updated": [], "removed": [], "flagged": [] }
}`,
};
const CURSOR: FixHint = {
  where: 'the cursor of head.json and latest.json',
  write:
    'cursor = "sha256:" + hex(sha256(canonical JSON of [sorted sources_included, [source, id, content_hash] of every item, sorted]))\nunchanged payload: cursor = prev_cursor, "changed": false\nchanged payload:   cursor ≠ prev_cursor, "changed": true',
};
const ITEM: FixHint = {
  where: 'each item of a bucket of latest.json',
  write: `{
  "source": "docs", "id": "pricing#tiers", "url": "https://docs.example/pricing",
  "published_at": "2026-03-01T12:00:00Z", "updated_at": "2026-03-01T12:00:00Z",
  "headline": "Tiers", "content": { "excerpt_text": "…" },
  "provenance": { "fetched_at": "2026-03-01T12:00:00Z", "evidence_urls": ["https://docs.example/pricing"], "content_hash": "sha256:<64 hex digits>" }
}`,
};
const STATUS: FixHint = {
  where: 'the entry of a source in `sources` that cannot be read',
  write: `"status": "error", "changed": false, "stale": true,
"cursor": "<the last good one>", "prev_cursor": "<the same>",
"stale_since": "2026-03-01T12:00:00Z", "last_ok_at": "2026-03-01T11:00:00Z", "stale_age_sec": 3600,
"error": { "code": "http_error", "http_status": 503 }`,
};

export const DIFFDELTA_HINTS: FixHints = {
  'DD-R*': headerHint('/diff/*', ['Content-Type', 'application/json; charset=utf-8']),
  'DD-R2': HEAD,
  'DD-R3': FEED,
  'DD-R4': {
    where: 'the name of an archive',
    write: '/archive/docs/2026/03/01/20260301T120000Z_<12 hex digits of the cursor>.json',
  },
  'DD-R5': OF_OPERATION,
  'DD-R6': { ...FEED, where: '/diff/latest.json, with every source in it' },
  'DD-H*': HEAD,
  'DD-H4': OF_READERS,
  'DD-L*': FEED,
  'DD-A*': {
    where: '/archive/<source>/YYYY/MM/DD/<time>_<12 hex digits of the cursor>.json',
    write: '<the bytes of latest.json as they were, never changed again>',
  },
  'DD-M*': OF_OPERATION,
  'DD-C*': CURSOR,
  'DD-C5': OF_READERS,
  'DD-C6': OF_READERS,
  'DD-C7': { where: 'head.json and latest.json of a source that never had data', write: '"cursor": null' },
  'DD-P*': CURSOR,
  'DD-P3': OF_READERS,
  'DD-B*': CURSOR,
  'DD-G*': HEAD,
  'DD-G4': OF_READERS,
  'DD-G5': {
    where: 'latest.json',
    write: '"hash": "sha256:<of this file as it is written>",\n"prev_hash": "sha256:<of the file before>"',
  },
  'DD-K*': CURSOR,
  'DD-K1': { where: 'latest.json', write: '"cursor_basis": "canonical_v1"' },
  'DD-V*': { none: 'Fields that were served once stay, with their types. New ones may come.' },
  'DD-V2': OF_READERS,
  'DD-O*': {
    where: 'latest.json',
    write: 'sources_included and the keys of sources: A to Z\neach bucket: by published_at, then source, then id',
  },
  'DD-O4': OF_READERS,
  'DD-O5': OF_READERS,
  'DD-E*': STATUS,
  'DD-N*': {
    where: 'the entry of a source in `sources`: with "changed": true, and only then',
    write: '"delta_counts": { "new": 1, "updated": 0, "removed": 0 }',
  },
  'DD-N3': OF_READERS,
  'DD-F*': {
    where: 'the entry of a source in `sources` that is read by a fallback',
    write:
      '"status": "degraded", "fallback_active": true, "fallback_index": 0, "degraded_reason": "primary_endpoint_failed"',
  },
  'DD-F6': OF_READERS,
  'DD-F7': OF_READERS,
  'DD-T*': OF_READERS,
  'DD-T1': ETAG_HINT,
  'DD-T2': { where: 'the answer with head.json or latest.json', write: 'ETag: "sha256:<the cursor>"' },
  'DD-T6': {
    where: 'the server: it must answer 304 without a body where If-None-Match names the current ETag',
    write: 'HTTP/1.1 304 Not Modified\nETag: "<the same>"',
  },
  'DD-T8': cached('/diff/docs/head.json', FRESH),
  'DD-T9': cached('/archive/*', FOR_EVER),
  'DD-T10': cached('/diff/docs/head.json', FRESH),
  'DD-T11': cached('/diff/docs/latest.json', FRESH),
  'DD-T12': cached('/schema/v1/diff.schema.json', FOR_EVER),
  'DD-T13': { where: 'the 304 of the server', write: `ETag: "<the same>"\nCache-Control: ${FRESH}` },
  'DD-D*': {
    where: '/.well-known/diffdelta.json',
    write: `{
  "endpoints": { "diff_latest": "https://docs.example/diff/latest.json", "diff_by_source_template": "https://docs.example/diff/{source}/latest.json" },
  "polling": { "recommended_ttl_sec": 300 },
  "sources_supported": ["docs"],
  "capabilities": { "etag_supported": true, "cursor_supported": true }
}`,
  },
  'DD-I*': ITEM,
  'DD-I1': FEED,
  'DD-I5': OF_READERS,
  'DD-I6': { where: 'items without a risk', write: '<no "risk" at all>' },
  'DD-I8': {
    where: 'latest.json: items with a risk score of 0.4 and above',
    write: '"buckets": { …, "flagged": [ { …, "risk": { "score": 0.6, "reasons": ["…"] } } ] }',
  },
  'DD-I9': OF_READERS,
  'DD-U*': OF_OPERATION,
  'DD-U1': { none: 'Serve feeds without asking for a key: who has none is limited by address.' },
  'DD-U6': {
    where: 'every answer with a feed',
    write: 'X-RateLimit-Limit: 60\nX-RateLimit-Remaining: 59\nX-RateLimit-Reset: <seconds>',
  },
  'DD-U7': { where: 'answers to requests with a key that counts, and no other', write: 'X-DiffDelta-Tier: pro' },
  'DD-U15': { none: 'Ignore `X-DiffDelta-Key` where keys are not in use.' },
  'DD-X*': OF_OPERATION,
};
