import { expect, test } from 'vitest';
import { extractPage } from './extract-page.ts';

const URL = 'https://home.example/rebates';

test('an accordion that calls itself a list of tabs is read with its panels', () => {
  const item = (id: string, title: string, text: string) =>
    `<div role="tab" id="h-${id}"><h2><button aria-controls="${id}">${title}</button></h2></div>
     <div id="${id}" class="panel-collapse collapse" role="tabpanel" aria-labelledby="h-${id}"><ul><li>${text}</li></ul></div>`;
  const { sections, markdown } = extractPage(
    `<main><h1>Rebates</h1><p>Save on what you need.</p><div class="accordion" role="tablist">
      ${item('a', 'Eligibility', 'The appliance must be certified.')}${item('b', 'Instant discounts', 'Look for our sign in stores.')}
    </div></main>`,
    URL,
  );
  expect(sections.map(({ heading }) => heading)).toEqual(['Rebates', 'Eligibility', 'Instant discounts']);
  expect(markdown).toContain('The appliance must be certified.');
  expect(markdown.match(/Instant discounts/g)).toHaveLength(1);
});

test('a list of tabs without panels is no content', () => {
  const { markdown } = extractPage(
    `<main><h1>Sizes</h1><div role="tablist"><button role="tab" aria-controls="x">Small</button></div>
     <div role="tabpanel" id="x"><p>Fits most.</p></div></main>`,
    URL,
  );
  expect(markdown).toBe('# Sizes\n\n**Small**\n\nFits most.');
});

test('what a disclosure folds is read, also where its script hides it from those who listen', () => {
  const { markdown } = extractPage(
    `<main><h1>Questions</h1><details><summary>What is it?</summary>
     <div aria-hidden="true"><p>A network of caches.</p></div><span aria-hidden="true">+</span></details></main>`,
    URL,
  );
  expect(markdown).toContain('A network of caches.');
  expect(markdown).not.toContain('+');
});

test('the dots of a slide show are no titles, and a label that is there twice is said once', () => {
  const tab = (id: string, label: string) => `<button role="tab" aria-controls="${id}">${label}</button>`;
  const { markdown } = extractPage(
    `<main><h1>Tour</h1><div role="tablist">${tab('a', 'Item 1')}${tab('b', '<span>For you</span> <span>For you</span>')}</div>
     <div role="tabpanel" id="a"><p>Fast.</p></div><div role="tabpanel" id="b"><p>Light.</p></div></main>`,
    URL,
  );
  expect(markdown).toBe('# Tour\n\nFast.\n\n**For you**\n\nLight.');
});
