import { html } from '../../http/html.ts';
import type { EndedForm, Form, FormEnd } from '../form.ts';
import { copyable } from '../pieces.ts';

const ONE = '/api/v1/subscriptions/:id';
const toOne = ({ params: { id = '' } }: EndedForm): FormEnd => ({ to: `subscriptions/${encodeURIComponent(id)}` });
const toList = (): FormEnd => ({ to: 'subscriptions' });

/** The forms for subscriptions. */
export const SUBSCRIPTION_FORMS: readonly Form[] = [
  {
    path: '/subscriptions/add',
    role: 'admin',
    does: 'POST /api/v1/subscriptions',
    bodyOf: wishOf,
    end: (ended: EndedForm<SecretOfOne>) => secretPage('The webhook is added', ended),
    done: 'The webhook is added.',
  },
  {
    path: '/subscriptions/:id/test',
    role: 'operate',
    does: `POST ${ONE}/test`,
    end: toOne,
    done: 'A test event was sent: what came back is the newest of its deliveries.',
  },
  {
    path: '/subscriptions/:id/replay',
    role: 'operate',
    does: `POST ${ONE}/replay`,
    bodyOf: replayOf,
    end: toOne,
    done: 'It is sent again, before what is new.',
  },
  {
    path: '/subscriptions/:id/again',
    role: 'operate',
    does: `POST ${ONE}/replay`,
    bodyOf: (fields) => ({ delivery: fields.get('delivery') ?? '' }),
    end: toOne,
    done: 'The delivery is sent again, before what is new.',
  },
  {
    path: '/subscriptions/:id/pause',
    role: 'operate',
    does: `PATCH ${ONE}`,
    bodyOf: () => ({ status: 'disabled' }),
    end: toOne,
    done: 'Paused: nothing is sent until it is resumed. Its place is kept.',
  },
  {
    path: '/subscriptions/:id/resume',
    role: 'operate',
    does: `PATCH ${ONE}`,
    bodyOf: () => ({ status: 'active' }),
    end: toOne,
    done: 'Resumed, from where it stood.',
  },
  {
    path: '/subscriptions/:id/rotate',
    role: 'admin',
    does: `POST ${ONE}/rotate`,
    bodyOf: () => ({}),
    end: (ended: EndedForm<SecretOfOne>) => secretPage('There is a new secret', ended),
    done: 'There is a new secret.',
  },
  {
    path: '/subscriptions/:id/remove',
    role: 'admin',
    does: `DELETE ${ONE}`,
    end: toList,
    done: 'The webhook is removed: nothing is sent any more.',
  },
  {
    path: '/subscriptions/websub/:id/end',
    role: 'admin',
    does: 'DELETE /api/v1/websub/:id',
    end: toList,
    done: 'The subscription by WebSub has ended.',
  },
];

/** A field that is empty says nothing. */
function wishOf(fields: URLSearchParams): object {
  const filter = Object.fromEntries(
    ['source', 'path', 'anchor', 'action'].flatMap((name) => {
      const values = listOf(fields.get(name) ?? '');
      return values.length === 0 ? [] : [[name, values]];
    }),
  );
  const label = fields.get('label')?.trim() ?? '';
  return {
    url: fields.get('url')?.trim() ?? '',
    format: fields.get('format') ?? 'tidings',
    topic: fields.get('topic') ?? 'changes',
    verify: fields.get('unverified') !== 'yes',
    ...(label !== '' && { label }),
    ...(Object.keys(filter).length > 0 && { filter }),
  };
}

function listOf(text: string): readonly string[] {
  return text
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '');
}

/** The field of a moment has neither seconds nor a zone: it is UTC. */
function replayOf(fields: URLSearchParams): object {
  const since = fields.get('since')?.trim() ?? '';
  const from = fields.get('from')?.trim() ?? '';
  const exact = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(since) ? `${since}:00Z` : since.replace(/(:\d\d)$/, '$1Z');
  return { ...(since !== '' && { since: exact }), ...(from !== '' && { from }) };
}

/** A subscription as the API shows it once. */
interface SecretOfOne {
  readonly id: string;
  readonly secret?: string;
  readonly public_key?: string;
}

function secretPage(title: string, { answer: { id, secret, public_key }, root }: EndedForm<SecretOfOne>): FormEnd {
  const [words, value = ''] = secret === undefined ? ['Public key', public_key] : ['Secret', secret];
  return {
    page: {
      title,
      place: 'subscriptions',
      main: html`<h1>${title}</h1>
<p>What is sent is signed with this (<a href="https://www.standardwebhooks.com/" rel="noopener noreferrer nofollow">Standard Webhooks</a>). Keep it now: it is not shown again.</p>
<dl class="facts"><dt>${words}</dt><dd>${copyable(value)}</dd></dl>
<p><a class="button" href="${root}subscriptions/${encodeURIComponent(id)}">Go on to the webhook</a></p>`,
    },
  };
}
