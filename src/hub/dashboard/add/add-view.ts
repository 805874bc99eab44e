import { TidingsError } from '../../../errors/tidings-error.ts';
import { decodePreviewRequest, type Previewer } from '../../preview/previewer.ts';
import type { View } from '../view.ts';
import { ADD_SCHEMA, type AddFacts } from './add-facts.ts';
import { addPage } from './add-html.ts';

const MAX_URL = 3000;

/** Where a source is added: the address, then what watching it would mean, then its settings. */
export function addView(previewer: Previewer): View<AddFacts> {
  return {
    path: '/add',
    summary: 'Add a source, with a preview of an address.',
    role: 'operate',
    parameters: [
      { name: 'url', in: 'query', description: 'The address to preview.', schema: { type: 'string' } },
      { name: 'again', in: 'query', description: 'Read the site again, even if it was read recently.', schema: {} },
    ],
    schema: ADD_SCHEMA,
    async read({ query, signal }) {
      const url = addressOf(query.get('url') ?? '');
      if (url === '') return {};
      const again = query.has('again');
      try {
        return { url, preview: await previewer.preview(decodePreviewRequest({ url, again }), signal) };
      } catch (error) {
        if (!(error instanceof TidingsError)) throw error;
        return { url, problem: error.message };
      }
    },
    show: (facts, asked) => addPage(facts, asked),
  };
}

/** As people write addresses: without a scheme, or copied together with the place on the page. */
function addressOf(text: string): string {
  const plain = text.trim().slice(0, MAX_URL).replace(/#.*$/s, '');
  return plain === '' || /^[a-z][a-z\d+.-]*:/i.test(plain.replace(/^[^/:]+:\d/, '')) ? plain : `https://${plain}`;
}
