import { type FixHint, type FixHints, OF_OPERATION } from '../../fix-hint.ts';

const group = (name: string, write: string): FixHint => ({ where: `the group \`${name}\` of the AIDocument`, write });

const DOCUMENT: FixHint = {
  where: 'the AIDocument, at its top',
  write: `{
  "schema": { "name": "AIDocument", "version": "2.0" },
  "source": { "url": "https://docs.example/pricing", "freshness_policy": "cache_first" },
  "cache": { "status": "miss", "origin_contacted": true, "body_fetched": true },
  "identity": { "title": "Pricing" },
  "content": { "markdown": "# Pricing\\n…" },
  "structure": {},
  "signals": { "has_json_ld": false, "heading_hierarchy_ok": true }
}`,
};

export const AIDOCUMENT_HINTS: FixHints = {
  'AWI-*': OF_OPERATION,
  'AWI-CO*': DOCUMENT,
  'AWI-DOC*': DOCUMENT,
  'AWI-SCH*': group('schema', '{ "name": "AIDocument", "version": "2.0", "ref": "aidoc:sha256:<32 hex digits>" }'),
  'AWI-SRC*': group(
    'source',
    '{ "url": "https://docs.example/pricing", "canonical_url": "https://docs.example/pricing", "fetched_at": "2026-03-01T12:00:00Z", "render_mode": "static", "status_code": 200, "freshness_policy": "cache_first" }',
  ),
  'AWI-CA*': group(
    'cache',
    '{ "status": "hit", "origin_contacted": false, "body_fetched": false }\n"miss" and "refreshed": true, true; "stale_revalidated": true, false',
  ),
  'AWI-ID*': group(
    'identity',
    '{ "title": "Pricing", "description": "…", "language": "en", "content_type": "article" }',
  ),
  'AWI-CT*': group('content', '{ "markdown": "# Pricing\\n…" }'),
  'AWI-ST*': group(
    'structure',
    '{ "headings": [{ "level": 1, "text": "Pricing", "id": "pricing" }], "links": [{ "url": "https://docs.example/", "text": "Home", "internal": true }], "images": [{ "url": "https://docs.example/a.png", "alt": "…" }] }',
  ),
  'AWI-SG*': group(
    'signals',
    '{ "word_count": 120, "reading_time": 1, "has_json_ld": false, "heading_hierarchy_ok": true }',
  ),
  'AWI-EC*': group(
    'economics',
    '{ "output_tokens_approx": 200, "raw_html_tokens_approx": 1000, "token_savings": 800, "token_savings_percent": 80, "estimated_cost_usd": { "our_output": 0.0002, "raw_html": 0.001, "savings": 0.0008 }, "pricing_basis": { "input_price_per_1k_usd": 0.001, "model_class": "mid-tier" } }\nor leave the group out',
  ),
  'AWI-MG*': DOCUMENT,
  'AWI-PR*': { none: 'Take what names the caller (addresses, cookies, account ids) out of the document.' },
};
