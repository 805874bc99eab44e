import { ETAG_HINT, type FixHint, type FixHints, headerHint, OF_READERS } from '../../fix-hint.ts';

const DISCOVERY: FixHint = {
  where: '/.well-known/ai-changefeed',
  write: `{
  "aicf_version": "0.1",
  "self": "https://docs.example/ai-changes.ndjson",
  "license": "CC BY 4.0",
  "about": "https://docs.example/changes",
  "ttl_seconds": 300
}`,
};
const EVENT: FixHint = {
  where: '/ai-changes.ndjson, as one line',
  write:
    '{"id":"01JQ8Z6W9T0000000000000000","action":"update","url":"https://docs.example/pricing","time":"2026-03-01T12:00:00Z","anchor":"tiers","checksum":"sha256:<hex of the section>"}',
};
const APPEND: FixHint = {
  where: '/ai-changes.ndjson: the old bytes as they were, newer events behind them',
  write: '<every line that was ever served, byte for byte, oldest first>\n{"id":"<sorts behind the last one>", …}',
};
const ROTATED: FixHint = {
  where: '/.well-known/ai-changefeed, where older events moved to other files',
  write:
    '"self": "https://docs.example/ai-changes.ndjson",\n"archives": ["https://docs.example/ai-changes-2025.ndjson"]',
};

export const AICF_HINTS: FixHints = {
  'AICF-D*': DISCOVERY,
  'AICF-D2': headerHint('/.well-known/ai-changefeed', ['Content-Type', 'application/json']),
  'AICF-D10': OF_READERS,
  'AICF-S1': DISCOVERY,
  'AICF-S2': EVENT,
  'AICF-F1': headerHint('/ai-changes.ndjson', ['Content-Type', 'application/x-ndjson']),
  'AICF-F2': APPEND,
  'AICF-F3': APPEND,
  'AICF-F4': EVENT,
  'AICF-E*': EVENT,
  'AICF-E14': OF_READERS,
  'AICF-A*': {
    where: 'the page, and the `anchor` of the event',
    write: '<h2 id="tiers">Tiers</h2>\n"anchor": "tiers"',
  },
  'AICF-C*': OF_READERS,
  'AICF-C2': DISCOVERY,
  'AICF-C13': {
    where: '/ai-changes.ndjson, in place of a delete with an anchor',
    write: '{"id":"…","action":"update","url":"https://docs.example/pricing","time":"2026-03-01T12:00:00Z"}',
  },
  'AICF-P*': APPEND,
  'AICF-P2': { none: 'Earlier events keep their anchors. From the next edit on, keep the `id` of each heading.' },
  'AICF-P3': EVENT,
  'AICF-P4': ROTATED,
  'AICF-P5': ROTATED,
  'AICF-P6': ROTATED,
  'AICF-H*': ETAG_HINT,
  'AICF-H3': OF_READERS,
  'AICF-H4': OF_READERS,
  'AICF-I*': {
    where: '/robots.txt and /sitemap.xml, beside the feed',
    write: 'Sitemap: https://docs.example/sitemap.xml',
  },
  'AICF-I2': OF_READERS,
  'AICF-X*': {
    where: '/.well-known/ai-changefeed, where an extension is used',
    write: '"capabilities": ["chunk-hints"]',
  },
};
