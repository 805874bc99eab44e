import { expect, test } from 'vitest';
import { withSalts } from './with-salts.ts';

function counted(): () => string {
  let count = 0;
  return () => {
    count += 1;
    return String(count);
  };
}

test('each text of a change gets a salt of its own, and what is no text none', () => {
  const draft = {
    source: 'docs',
    action: 'update',
    url: 'https://docs.example/',
    title: 'Docs',
    before: 'Old.',
  } as const;
  expect(withSalts(draft, counted())).toEqual({ ...draft, salts: { before: '1', title: '2' } });
});

test('a change without texts stays as it is', () => {
  const draft = { source: 'docs', action: 'delete', url: 'https://docs.example/' } as const;
  expect(withSalts(draft, counted())).toBe(draft);
});
