/** The form of the verifier, and its result. Everything in a receipt is shown as text. */

/** The result for a receipt. */
export interface VerifiedLine {
  readonly is: 'proven' | 'consistent' | 'refused';
  /** In one sentence. */
  readonly words: string;
  /** The facts in the receipt, if there are any. */
  readonly facts: readonly (readonly [name: string, value: string])[];
}

/** The input to be checked. */
export interface Given {
  readonly receipt: string;
  /** The trusted key. Empty if there is none. */
  readonly vkey: string;
}

const MOST_BYTES = 5_000_000;
const TITLES: Readonly<Record<VerifiedLine['is'], string>> = {
  proven: 'Proven',
  consistent: 'Consistent with itself',
  refused: 'Not proven',
};

/** Builds the form inside an element. */
export function showVerifier(place: HTMLElement, check: (given: Given) => Promise<VerifiedLine>): void {
  const receipt = element('textarea', { id: 'receipt', rows: '12', spellcheck: 'false', autocomplete: 'off' });
  const file = element('input', { id: 'file', type: 'file', accept: '.json,application/json' });
  const vkey = element('input', {
    id: 'vkey',
    type: 'text',
    spellcheck: 'false',
    autocomplete: 'off',
    placeholder: 'docs.example/.well-known/tidings+…',
  });
  const button = element('button', { type: 'submit', class: 'main' }, 'Check');
  const output = element('div', { id: 'finding', role: 'status' });
  const form = element('form', { class: 'verifier', action: '#verifier' });
  form.append(
    field(receipt, 'The receipt', 'Paste receipt.json, or choose the file.'),
    field(file, 'Or its file'),
    field(
      vkey,
      'The key of the log that you trust',
      'Without one, the signer is taken from the receipt, and a forger can make that, too.',
    ),
    button,
  );
  place.replaceChildren(form, output);

  file.addEventListener('change', async () => {
    const [chosen] = file.files ?? [];
    if (chosen === undefined) return;
    receipt.value = chosen.size > MOST_BYTES ? '' : await chosen.text();
    if (chosen.size > MOST_BYTES) show(output, tooLarge());
  });
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (receipt.value.length > MOST_BYTES) return show(output, tooLarge());
    button.disabled = true;
    try {
      show(output, await check({ receipt: receipt.value, vkey: vkey.value.trim() }));
    } finally {
      button.disabled = false;
    }
  });
}

function show(output: HTMLElement, { is, words, facts }: VerifiedLine): void {
  const list = element('dl');
  for (const [name, value] of facts) list.append(element('dt', {}, name), element('dd', {}, visible(value)));
  const title = element('h2', { class: `verdict ${is}` }, TITLES[is]);
  output.replaceChildren(title, element('p', {}, visible(words)), ...(facts.length > 0 ? [list] : []));
}

function tooLarge(): VerifiedLine {
  return { is: 'refused', words: 'This is larger than any receipt is.', facts: [] };
}

/** Shows invisible characters and those that reverse text as their code points, so that nobody is misled. */
function visible(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029]/gu, (character) => {
    if (character === '\n') return character;
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return `[U+${code}]`;
  });
}

function field(input: HTMLElement, words: string, hint?: string): HTMLElement {
  const row = element('div');
  row.append(element('label', { for: input.id }, words), input);
  if (hint !== undefined) {
    const id = `${input.id}-hint`;
    input.setAttribute('aria-describedby', id);
    row.append(element('p', { id, class: 'faint' }, hint));
  }
  return row;
}

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>> = {},
  text?: string,
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  if (text !== undefined) made.textContent = text;
  return made;
}
