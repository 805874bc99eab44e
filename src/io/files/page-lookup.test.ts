import { expect, test } from 'vitest';
import { countSteps } from '../../../test/support/count-steps.ts';
import { temporaryFolder } from '../../../test/support/site.ts';

test('a page is looked up: however many the folder has, it takes as many steps', async () => {
  using few = temporaryFolder();
  using many = temporaryFolder();
  const pages = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}.html`, 'x']));
  few.write(pages(10));
  many.write(pages(200));
  const source = new URL('./page-lookup.ts', import.meta.url);
  const [, ofFew = 0, ofMany = 0] = await countSteps<typeof import('./page-lookup.ts'), string>(
    source,
    ({ lookUpPage }, root) => lookUpPage(root, ['index.html', 'p7.html'])?.path,
    [few.path, few.path, many.path],
  );
  expect(ofFew).toBeGreaterThan(0);
  expect(ofMany).toBe(ofFew);
});
