import { expect, test } from 'vitest';
import { isLineAboutPage } from './furniture-words.ts';

test.each([
  'Last updated 2025-03-04 10:00:00 UTC',
  'Version 1.2 · Last updated 2025-03-04',
  'This page was last modified on 4 March 2025, at 10:02 by 3 contributors.',
  'This page was last modified on 2025-03-04 by Jane Roe and 12 contributors.',
  'Updated: 4 Mar 2025 • 5 min read',
  'Jan 1, 2025 · 5 min read',
  'Last reviewed: 2025-03-04 by the docs team',
  'Generated 2025-03-04 from commit 0a1b2c3',
  'Stand: 04.03.2025',
  'Stand: 4. März 2025',
  'Zuletzt bearbeitet: 04.03.2025, 10:02 Uhr',
  'Mis à jour le 4 mars 2025',
  'Laatst bijgewerkt op 4 maart 2025',
  'Published 2 hours ago by Jane Roe',
  'Jane Roe · 3 min ago',
  'Views: 1,204',
  '12 people found this helpful',
  '4 users online',
  'This page has been accessed 10,442 times.',
  'You are visitor number 10442',
])('%s: a line about the page', (line) => {
  expect(isLineAboutPage(line)).toBe(true);
});

test.each([
  'Version 1.2',
  'Jan 1, 2025',
  'Berlin · 4 March 2025',
  'Jane Roe · Maintainer',
  'Monday 4 March 2025 · 10:00',
  'Last updated drivers are needed from 2025-03-04 on.',
  'Last updated in 2019, the old driver does not know this card.',
  'Generated 2025-03-04 from commit messages of the team',
  'Updated 3 tables and 5 views on 4 March 2025 by hand in the console',
  'Stand: 4 Personen',
  'Stand der Technik ist seit dem 04.03.2025 das neue Verfahren.',
  'Mis à jour le 4 mars 2025, le module ne dépend plus du serveur.',
  'Zuletzt bearbeitet wurde die Datei von allen.',
  'Views: 3 of 5 are materialized',
  '12 people found this helpful tool in 2024.',
  '4 users online may share one seat',
  'This page has been accessed 3 times, so the cache holds it.',
  'The cache is filled · 3 min ago it was empty',
  'A job that ran 5 minutes ago · retry',
])('%s: content', (line) => {
  expect(isLineAboutPage(line)).toBe(false);
});
