/** Puts what a section said before behind its heading. Each mark stands in a shadow of its own, which the style of the page does not reach. */
const HEADINGS = 'h1, h2, h3, h4, h5, h6';

for (const template of document.querySelectorAll<HTMLTemplateElement>('template[data-tidings-anchor]')) {
  const target = document.getElementById(template.dataset.tidingsAnchor ?? '');
  if (target === null) continue;
  const mark = document.createElement('tidings-mark');
  mark.attachShadow({ mode: 'open' }).append(template.content.cloneNode(true));
  const heading = target.closest(HEADINGS) ?? target.querySelector(HEADINGS);
  if (heading === null) target.prepend(mark);
  else heading.after(mark);
}

export {};
