import { expect, test } from 'vitest';
import { siteSources } from './site-sources.ts';

test('an address always has the same id, whatever stands beside it', () => {
  const [alone] = siteSources(['https://docs.example/']);
  expect(alone).toEqual({ id: 'docs_example', kind: 'auto', url: 'https://docs.example/' });
  const [guide] = siteSources(['https://docs.example/guide/']);
  const both = siteSources(['https://api.example/', 'https://docs.example/guide/', 'https://docs.example/guide/']);
  expect(both.map(({ id }) => id)).toEqual(['api_example', guide?.id]);
  expect(guide?.id).toMatch(/^docs_example_[0-9a-f]{8}$/);
});

test('what is no public address of a page is refused', () => {
  expect(() => siteSources(['file:///etc'])).toThrow('no URL of a page');
  expect(() => siteSources(['https://user:secret@docs.example/'])).toThrow('user name');
});
