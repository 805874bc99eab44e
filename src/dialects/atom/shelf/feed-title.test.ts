import { expect, test } from 'vitest';
import { collectionSource } from './feed-title.ts';

test('a collection that names itself after another site leads to its own', () => {
  const source = { title: 'Shrines', url: 'https://shrines.example/' };
  const own = 'https://www.shrines.example/inari/';
  expect(collectionSource(source, own)).toEqual({ title: 'Shrines: www.shrines.example/inari/', url: own });
  expect(collectionSource(source, 'https://bank.example/')).toEqual({
    title: 'Shrines: bank.example',
    url: source.url,
  });
  expect(collectionSource({ title: 'Shrines' }, own)).toEqual({ title: 'Shrines: www.shrines.example/inari/' });
});
