CREATE TABLE changes (seq INTEGER PRIMARY KEY, id TEXT NOT NULL, body TEXT NOT NULL) STRICT;
INSERT INTO "changes" VALUES (1, '01M7PHZRZVDDV6BASSDEVZA72F', '{"source":"aicf_example","kind":"page","action":"create","url":"https://aicf.example/a","time":"2026-11-18T05:27:32.603Z","claimedTime":"2026-01-01T00:00:00Z","checksum":"sha256:1111111111111111111111111111111111111111111111111111111111111111","provenance":{"by":"aicf","originId":"1"}}');
INSERT INTO "changes" VALUES (2, '01M7PHZS13GB7D8NCC9F3F2XTM', '{"source":"aicf_example","kind":"page","action":"update","url":"https://aicf.example/b","time":"2026-11-18T05:27:32.643Z","claimedTime":"2026-01-03T00:00:00Z","checksum":"sha256:3333333333333333333333333333333333333333333333333333333333333333","provenance":{"by":"aicf","originId":"3"}}');
INSERT INTO "changes" VALUES (3, '01M7PHZS15PA17JS2D2FZPAH2E', '{"source":"dd_example_docs","kind":"page","action":"create","url":"https://dd.example/a","time":"2026-11-18T05:27:32.645Z","claimedTime":"2026-02-05T12:00:01.000Z","checksum":"sha256:12df8353e070144ecb46bdc5def845b39e76291d6a6768a17c403665a2a4b61e","title":"Page /a","excerpt":"one","provenance":{"by":"diffdelta","originId":"https://dd.example/a","feedSource":"docs"}}');
INSERT INTO "changes" VALUES (4, '01M7PHZS1CJGW5PY5SGN5EPTE7', '{"source":"dd_example_docs","kind":"page","action":"update","url":"https://dd.example/a","time":"2026-11-18T05:27:32.652Z","claimedTime":"2026-02-05T12:00:02.000Z","checksum":"sha256:494b36cf5666f792f6453bd3402c82b17d4dc2c456383486f4064362a9e375ea","title":"Page /a","excerpt":"three","provenance":{"by":"diffdelta","originId":"https://dd.example/a","feedSource":"docs"}}');
CREATE TABLE snapshots (checksum TEXT PRIMARY KEY, content BLOB NOT NULL) STRICT;
CREATE TABLE follow_format (version INTEGER NOT NULL) STRICT;
INSERT INTO "follow_format" VALUES (2);
CREATE TABLE follow_sources (source TEXT PRIMARY KEY, entry TEXT NOT NULL UNIQUE, body TEXT NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO "follow_sources" VALUES ('aicf_example', 'https://aicf.example/.well-known/ai-changefeed', '{"source":"aicf_example","entry":"https://aicf.example/.well-known/ai-changefeed","dialect":"aicf","memory":{"discovery":{"text":"{\"aicf_version\":\"0.1\",\"self\":\"https://aicf.example/ai-changes.ndjson\"}","validators":{"etag":"\"122310f4ef5f2548\""}},"lastId":"3","feed":{"url":"https://aicf.example/ai-changes.ndjson","validators":{"etag":"\"9bb55cc066323c5b\""},"position":{"lineStart":354,"lineBytes":174,"lineHash":"2c25414ce5c45ee824b5effd065d485c0ccb095bf2e182a7eb1f282f694a315d","lineNumber":3,"readTo":354}}}}');
INSERT INTO "follow_sources" VALUES ('dd_example_docs', 'https://dd.example/diff/docs/head.json', '{"source":"dd_example_docs","entry":"https://dd.example/diff/docs/head.json","dialect":"diffdelta","memory":{"cursor":"sha256:380c6caea25df3e81a72ef2797f5ce45c7d348ee929b7152a3380bc43bb04475","ttlSec":300,"latestValidators":{"etag":"\"54387c3d1ad1e3e0\""},"latestUrl":"https://dd.example/diff/docs/latest.json"}}');
INSERT INTO "follow_sources" VALUES ('dd_example_manifest', 'https://dd.example/.well-known/diffdelta.json', '{"source":"dd_example_manifest","entry":"https://dd.example/.well-known/diffdelta.json","dialect":"diffdelta","memory":{"discovery":{"text":"{\"version\":\"1\",\"service\":\"tidings\",\"schema_version\":\"1.1.0\",\"endpoints\":{\"diff_latest\":\"https://dd.example/diff/latest.json\",\"diff_head\":\"https://dd.example/diff/head.json\",\"diff_sources\":\"https://dd.example/diff/sources.json\",\"diff_by_source_template\":\"https://dd.example/diff/{source}/latest.json\",\"diff_head_by_source_template\":\"https://dd.example/diff/{source}/head.json\",\"schemas\":{\"diff\":\"https://dd.example/schema/v1/diff.schema.json\"}},\"polling\":{\"recommended_ttl_sec\":300},\"capabilities\":{\"etag_supported\":true,\"cursor_supported\":true,\"per_source_endpoints\":true,\"head_pointers_supported\":true,\"webhooks_supported\":false},\"sources_supported\":[\"docs\"]}","validators":{"etag":"\"38c56ae70a1649bc\""}},"list":{"url":"https://dd.example/diff/sources.json","atMs":1794979652543,"validators":{},"listed":[]}}}');
CREATE TABLE follow_seen (source TEXT, id TEXT, PRIMARY KEY (source, id)) STRICT, WITHOUT ROWID;
INSERT INTO "follow_seen" VALUES ('aicf_example', '1');
INSERT INTO "follow_seen" VALUES ('aicf_example', '2');
INSERT INTO "follow_seen" VALUES ('aicf_example', '3');
CREATE TABLE follow_checksums (
      source TEXT, page TEXT, boundary TEXT, checksum TEXT NOT NULL, PRIMARY KEY (source, page, boundary)
    ) STRICT, WITHOUT ROWID;
INSERT INTO "follow_checksums" VALUES ('aicf_example', 'https://aicf.example/a', 'https://aicf.example/a', 'sha256:1111111111111111111111111111111111111111111111111111111111111111');
INSERT INTO "follow_checksums" VALUES ('aicf_example', 'https://aicf.example/b', 'https://aicf.example/b', 'sha256:3333333333333333333333333333333333333333333333333333333333333333');
CREATE TABLE follow_pending (
      place INTEGER PRIMARY KEY, source TEXT NOT NULL, id TEXT NOT NULL, event TEXT NOT NULL,
      tries INTEGER NOT NULL, reason TEXT NOT NULL, UNIQUE (source, id)
    ) STRICT;
INSERT INTO "follow_pending" VALUES (1, 'aicf_example', '2', '{"id":"2","action":"update","url":"https://aicf.example/empty","time":"2026-01-02T00:00:00Z","checksum":"sha256:2222222222222222222222222222222222222222222222222222222222222222","provenance":{"by":"aicf","originId":"2"}}', 1, 'the page has no content');
INSERT INTO "follow_pending" VALUES (2, 'dd_example_docs', '0633af8cde98819201f2b029c7f5e3dd', '{"id":"0633af8cde98819201f2b029c7f5e3dd","action":"create","url":"https://dd.example/b","time":"2026-02-05T12:00:01.000Z","checksum":"sha256:512d56c1862704506d80bc8e4270ae5ac45784184f862f22cd92bbf586f89c4b","itemId":"https://dd.example/b","title":"Page /b","excerpt":"two","risk":{"score":0,"reasons":[]},"provenance":{"by":"diffdelta","originId":"https://dd.example/b","feedSource":"docs"},"known":{"key":"06e6aece6598178cd4b49ab1e65496ea","page":"https://dd.example/b","version":"417ec816d3595c6c155adc8725e8c99c","revision":1,"isRemoved":false}}', 1, 'the page has no content');
CREATE TABLE follow_items (
      source TEXT, key TEXT, page TEXT NOT NULL, version TEXT NOT NULL, removed INTEGER NOT NULL, revision INTEGER,
      PRIMARY KEY (source, key)
    ) STRICT, WITHOUT ROWID;
INSERT INTO "follow_items" VALUES ('dd_example_docs', '06e6aece6598178cd4b49ab1e65496ea', 'https://dd.example/b', '417ec816d3595c6c155adc8725e8c99c', 0, 1);
INSERT INTO "follow_items" VALUES ('dd_example_docs', '226b1a4d3b3f5a6ea748f5de3d3d3a8c', 'https://dd.example/a', 'f48534c80bc7eb52e59c425cfe709210', 0, 2);
CREATE TABLE follow_live_items (source TEXT, page TEXT, key TEXT, PRIMARY KEY (source, page, key)) STRICT, WITHOUT ROWID;
INSERT INTO "follow_live_items" VALUES ('dd_example_docs', 'https://dd.example/a', '226b1a4d3b3f5a6ea748f5de3d3d3a8c');
INSERT INTO "follow_live_items" VALUES ('dd_example_docs', 'https://dd.example/b', '06e6aece6598178cd4b49ab1e65496ea');
PRAGMA user_version = 1;
