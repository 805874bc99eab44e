/** Puts the former text of a section below its heading. Each mark is in its own shadow root, which the style of the page does not reach. */
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
