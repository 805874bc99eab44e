/**
 * Lets a user exclude blocks of a preview by pointing at them: `<li data-rule="…">` with a checkbox for its rule. Every block that a rule matches is marked at
 * once, and the excluded ones are listed. Without this script the checkboxes still work.
 */
export function makePickable(root: ParentNode): void {
  for (const picker of root.querySelectorAll<HTMLElement>('[data-picker]')) {
    const show = () => showPicked(picker);
    picker.addEventListener('change', show);
    picker.addEventListener('input', show);
    picker.addEventListener('keydown', (event) => onKey(event, picker));
    show();
  }
}

function showPicked(picker: HTMLElement): void {
  const picked = new Set(boxesIn(picker).flatMap((box) => (box.checked ? [box.value] : [])));
  for (const block of picker.querySelectorAll<HTMLElement>('li[data-rule]')) {
    block.classList.toggle('picked', picked.has(block.dataset.rule ?? ''));
  }
  const written = picker.querySelector<HTMLTextAreaElement>('textarea[name=rules]')?.value.split('\n') ?? [];
  const rules = new Set([...picked, ...written.map((line) => line.trim()).filter((line) => line !== '')]);
  const panel = picker.querySelector<HTMLElement>('[data-picked]');
  const list = panel?.querySelector('ul');
  if (panel === null || list === null || list === undefined) return;
  panel.hidden = false;
  list.replaceChildren(
    ...(rules.size === 0 ? [itemOf('Nothing yet.')] : [...rules].map((rule) => ruleItem(rule, picker))),
  );
}

function ruleItem(rule: string, picker: HTMLElement): HTMLLIElement {
  const item = itemOf('');
  const code = document.createElement('code');
  code.textContent = rule;
  item.append(code);
  const box = boxesIn(picker).find(({ value }) => value === rule);
  if (box?.checked !== true) return item;
  const back = document.createElement('button');
  back.type = 'button';
  back.textContent = 'Put back';
  back.setAttribute('aria-label', `Put back ${rule}`);
  back.addEventListener('click', () => {
    box.checked = false;
    showPicked(picker);
    box.focus();
  });
  item.append(' ', back);
  return item;
}

function itemOf(text: string): HTMLLIElement {
  const item = document.createElement('li');
  item.textContent = text;
  return item;
}

/** Enter ticks like a space, left goes to the outer block, right goes into it, up and down go to the previous and next one. */
function onKey(event: KeyboardEvent, picker: HTMLElement): void {
  const { target, key } = event;
  if (!(target instanceof HTMLInputElement) || target.name !== 'ignore') return;
  if (key === 'Enter') target.click();
  else {
    const next = nextBox(target, key, picker);
    if (next === undefined) return;
    next.focus();
  }
  event.preventDefault();
}

function nextBox(box: HTMLInputElement, key: string, picker: HTMLElement): HTMLInputElement | undefined {
  const block = box.closest('li');
  const shown = boxesIn(picker).filter((other) => other.checkVisibility());
  const at = shown.indexOf(box);
  switch (key) {
    case 'ArrowDown':
      return shown[at + 1];
    case 'ArrowUp':
      return shown[at - 1];
    case 'ArrowLeft':
      return outerBox(block?.parentElement?.closest('li'));
    case 'ArrowRight':
      return shown.find((other) => other !== box && block?.contains(other));
    default:
      return undefined;
  }
}

/** The checkbox of the nearest outer block that has one. A block may share the checkbox of another. */
function outerBox(block: HTMLElement | null | undefined): HTMLInputElement | undefined {
  for (let here = block; here; here = here.parentElement?.closest('li')) {
    const id = here.querySelector<HTMLLabelElement>(':scope > label')?.htmlFor ?? '';
    const box = id === '' ? null : document.getElementById(id);
    if (box instanceof HTMLInputElement) return box;
  }
  return undefined;
}

function boxesIn(picker: HTMLElement): HTMLInputElement[] {
  return [...picker.querySelectorAll<HTMLInputElement>('input[name=ignore]')];
}
