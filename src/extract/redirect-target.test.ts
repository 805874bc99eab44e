import { expect, test } from 'vitest';
import { redirectTarget } from './redirect-target.ts';

const URL_ = 'https://docs.example/old/';
const page = (head: string) =>
  `<!doctype html><html><head><title>T</title>${head}</head><body><h1>T</h1><p>Words.</p></body></html>`;

test.each([
  ['<meta http-equiv="refresh" content="0; url=/new/">', 'https://docs.example/new/'],
  ['<META CONTENT="0;URL=\'https://other.example/x\'" HTTP-EQUIV=Refresh>', 'https://other.example/x'],
  ['<meta http-equiv=refresh content="3, ../new">', 'https://docs.example/new'],
])('%s leads to %s', (head, target) => {
  expect(redirectTarget(page(head), URL_)).toBe(target);
});

test.each([
  '',
  '<noscript><meta http-equiv="refresh" content="0; url=/nojs.html"></noscript>',
  '<!-- <meta http-equiv="refresh" content="0; url=/x"> -->',
  '<script>var s=\'<meta http-equiv="refresh" content="0; url=x">\'</script>',
  '<meta http-equiv="refresh" content="600; url=/new/">',
  '<meta http-equiv="refresh" content="0; url=/old/#top">',
  '<meta http-equiv="refresh" content="300">',
  '<meta name="description" content="How http-equiv=refresh works: 0; url=/x">',
])('%s leads nowhere', (head) => {
  expect(redirectTarget(page(head), URL_)).toBeUndefined();
});
