import { expect, test } from 'vitest';
import { isAboutWriters, isInvitation } from './article-lines.ts';

test.each([
  'If you’re enjoying this article, consider supporting our award-winning journalism.',
  'Support our mission to keep content open and free.',
  'Sign up for our weekly newsletter',
  'Follow the Kiln Review on Facebook, X and Instagram',
  'View this post on Instagram',
  'Advertisement - Continue Reading Below',
  'Suivez-nous sur les réseaux',
])('"%s" leads away from the text', (text) => {
  expect(isInvitation(text)).toBe(true);
});

test.each([
  'Enjoy this salad with bread.',
  'Sign up for a class near you.',
  'Advertisement spending fell last year.',
  'Follow the steps on the box.',
  'Get a quote in writing.',
  'Support for our claim came late.',
])('"%s" is text', (text) => {
  expect(isInvitation(text)).toBe(false);
});

test.each(['Written by Ada Clay', 'About the author', 'Ada Clay', 'By Ada Clay, editor', 'Ada Clay is a potter.'])(
  '"%s" is about who wrote it',
  (line) => {
    expect(isAboutWriters(line, ['Ada Clay'])).toBe(true);
  },
);

test.each([
  'Written by Ada Clay, the play opens in a kiln. Nobody speaks.',
  'Ada Clay: I never wanted to.',
  'Bo Clay is a potter.',
])('"%s" is text', (line) => {
  expect(isAboutWriters(line, ['Ada Clay'])).toBe(false);
});
