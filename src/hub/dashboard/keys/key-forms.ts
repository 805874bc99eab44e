import { html } from '../../http/html.ts';
import type { EndedForm, Form, FormEnd } from '../form.ts';
import { copyable } from '../pieces.ts';

/** What can be done with API keys. */
export const KEY_FORMS: readonly Form[] = [
  {
    path: '/keys/issue',
    role: 'admin',
    does: 'POST /api/v1/keys',
    bodyOf(fields) {
      const label = fields.get('label')?.trim() ?? '';
      return { tier: fields.get('tier') ?? 'pro', ...(label !== '' && { label }) };
    },
    end: keyPage,
    done: 'The key is issued.',
  },
  {
    path: '/keys/:key/revoke',
    role: 'admin',
    does: 'DELETE /api/v1/keys/:key',
    end: ({ params: { key = '' } }) => ({ to: `keys/${encodeURIComponent(key)}` }),
    done: 'The key is revoked: it counts no more.',
  },
];

/** What the API says of a new one. */
interface NewKey {
  readonly key: string;
  readonly tier: string;
  readonly limit_per_minute: number;
}

/** With the key, for the only time. */
function keyPage({ answer: { key, limit_per_minute, tier }, root }: EndedForm<NewKey>): FormEnd {
  return {
    page: {
      title: 'The key is issued',
      place: 'keys',
      main: html`<h1>The key is issued</h1>
<p>Give it to who asked for it now: it is not stored here and cannot be shown again. It is sent in the header <code>X-DiffDelta-Key</code>.</p>
<dl class="facts"><dt>Key</dt><dd>${copyable(key)}</dd><dt>Tier</dt><dd>${tier}, ${limit_per_minute} requests a minute</dd></dl>
<p><a class="button" href="${root}keys">Go on to all keys</a></p>`,
    },
  };
}
