import { expect, test } from 'vitest';
import { HOSTILE_STRINGS } from '../../../test/support/hostile-strings.ts';
import { htmlPage } from '../../../test/support/site.ts';
import { OWN_PAGE_MARK } from '../../extract/own-page.ts';
import type { ChangeDraft } from '../../model/change.ts';
import { type PreviewedSite, previewAnswer } from './preview-answer.ts';

const FILES: Readonly<Record<string, string | Uint8Array>> = {
  'index.html': htmlPage('Home', []),
  'pricing.html': htmlPage('Pricing', [{ id: 'tiers', heading: 'Tiers', text: 'Twelve.' }]),
  'api/index.html': htmlPage('API', []),
  'changes/index.html': `<!doctype html><meta name="generator" content="${OWN_PAGE_MARK}"><body></body>`,
  'latin.html': Buffer.from('<!doctype html><meta charset="latin1"><body>caf\xe9</body>', 'latin1'),
  'wide.html': Buffer.from('\ufeff<html><body>x</body></html>', 'utf16le'),
  '.well-known/ai-changefeed': '{}',
  '.env': 'SECRET=1',
  'ai-changes.ndjson': '{}\n',
};

function siteWith(changes: readonly ChangeDraft[], more: Partial<PreviewedSite> = {}): PreviewedSite {
  return {
    site: new URL('https://docs.example/guide/'),
    changes,
    isFirst: false,
    cleanUrls: true,
    read: (path) => (Object.hasOwn(FILES, path) ? Buffer.from(FILES[path] ?? '') : undefined),
    assetText: (name) => name,
    ...more,
  };
}

const change = (url: string, more: Partial<ChangeDraft> = {}): ChangeDraft => ({
  source: 'docs',
  action: 'update',
  url: `https://docs.example/guide/${url}`,
  ...more,
});

const ask = (target: string, site = siteWith([])) => {
  const { status, headers, body } = previewAnswer(target, site);
  return { status, headers, text: Buffer.from(body).toString('utf8') };
};

test.each([
  '/guide/../.env',
  '/guide/%2e%2e/.env',
  '/guide/.env',
  '/guide/api/..%2f..%2f.env',
  '/guide/api\\..\\..\\.env',
  '/guide/%00',
  '/guide/%zz',
  '/guide//pricing.html',
  '/guidepricing.html',
  '/pricing.html',
  '/.tidings-preview/../.env',
  'http://127.0.0.1/guide/',
])('%s is no file of the site', (target) => {
  expect(ask(target)).toMatchObject({ status: 404, text: 'There is no such file.\n' });
});

test('it answers as a host below the path of the site does', () => {
  expect(ask('/')).toMatchObject({ status: 302, headers: { location: '/guide/' } });
  expect(ask('/guide/api')).toMatchObject({ status: 302, headers: { location: '/guide/api/' } });
  for (const page of ['/guide/', '/guide/api/', '/guide/pricing', '/guide/pricing.html?x#y']) {
    expect(ask(page)).toMatchObject({ status: 200, headers: { 'content-type': 'text/html' } });
  }
  expect(ask('/guide/ai-changes.ndjson').headers['content-type']).toBe('application/x-ndjson');
  expect(ask('/guide/.well-known/ai-changefeed')).toMatchObject({
    headers: { 'content-type': 'application/json' },
    text: '{}',
  });
  expect(ask('/.tidings-preview/preview.js').text).toBe('preview.js');
});

test('a page says how many changes there are, and a section what it said before', () => {
  const told = change('pricing', {
    anchor: 'tiers',
    title: 'Pricing',
    before: 'Ten euros a month.',
    excerpt: 'Twelve euros a month.',
  });
  const site = siteWith([told, change('', { title: 'Home' })]);
  const { text } = ask('/guide/pricing', site);
  expect(text).toContain('2 changes since the last publish, 1 on this page');
  expect(text).toMatch(/<template data-tidings-anchor="tiers">.*<del>Ten<\/del><ins>Twelve<\/ins> euros/s);
  expect(text.trimEnd()).toMatch(/<\/body><\/html>$/);
  expect(ask('/guide/api/', site).text).toContain('2 changes since the last publish, 0 on this page');
  expect(ask('/guide/api/').text).toContain('Nothing changed since the last publish');
  expect(ask('/guide/', siteWith([change('')], { isFirst: true })).text).toContain('Nothing was published yet: 1 page');
  const stopped = siteWith([told], { stop: '30 of 40 pages would be deleted.' });
  expect(ask('/guide/', stopped).text).toContain('30 of 40 pages would be deleted.');
});

test('other encodings stay whole, and pages of our own stay as they are', () => {
  const told = siteWith([change('latin', { anchor: 'x', title: 'Straße' })]);
  const { body } = previewAnswer('/guide/latin', told);
  const text = Buffer.from(body).toString('latin1');
  expect(text).toContain('caf\xe9\n<tidings-preview>');
  expect(text).toContain('Stra&#xdf;e');
  expect(Buffer.from(previewAnswer('/guide/wide', told).body)).toEqual(FILES['wide.html']);
  expect(ask('/guide/changes/', told).text).toBe(FILES['changes/index.html']);
});

test('hostile texts stay texts', () => {
  const changes = HOSTILE_STRINGS.map((text, at) =>
    change(at % 2 === 0 ? 'pricing' : encodeURIComponent(text.toWellFormed().slice(0, 50)), {
      anchor: text,
      title: text,
      heading: text,
      before: `1 ${text}`,
      excerpt: `2 ${text}`,
    }),
  );
  const { text } = ask('/guide/pricing', siteWith(changes, { stop: HOSTILE_STRINGS[1] ?? '' }));
  expect(text.match(/<script/g)).toHaveLength(1);
  expect(text).not.toMatch(/<(?:img|svg|iframe)|href="javascript:/i);
});
