import { CORS_HEADERS } from '../../hub/http/cors.ts';
import type { HubResponse } from '../../hub/http/route.ts';
import { HUB_HEADER } from '../../model/hub-path.ts';
import { HeadTexts } from './head-texts.ts';

/** Names and values in turn: the form that Node writes fastest. */
export type AnswerHead = (string | number)[];

const PLAIN_HEADERS = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' };

export interface HeadOptions {
  /** Whether scripts of other origins may read the answers. */
  readonly cors: boolean;
  /** Which hub answers. */
  readonly hubId?: string | undefined;
  readonly now?: (() => number) | undefined;
}

/** Makes the heads of answers, without their length, which belongs to the body that is sent. */
export class AnswerHeads {
  /** Heads that Node has already written. */
  readonly texts: HeadTexts;
  readonly #ours: AnswerHead;
  readonly #hub: AnswerHead;
  /** By headers that many answers have. */
  readonly #shared = new WeakMap<HubResponse['headers'], AnswerHead>();

  constructor({ cors, hubId, now = Date.now }: HeadOptions) {
    this.texts = new HeadTexts(now);
    this.#ours = Object.entries(cors ? { ...PLAIN_HEADERS, ...CORS_HEADERS } : PLAIN_HEADERS).flat();
    this.#hub = hubId === undefined ? [] : [HUB_HEADER, hubId];
  }

  /** A head to which the sender may add. */
  of({ headers, also }: HubResponse): AnswerHead {
    if (also === undefined) return this.#fixed(headers);
    const head = this.#sharedOf(headers).slice();
    push(head, also);
    return head;
  }

  #sharedOf(headers: HubResponse['headers']): AnswerHead {
    const known = this.#shared.get(headers);
    if (known !== undefined) return known;
    const made = this.#fixed(headers);
    this.#shared.set(headers, made);
    return made;
  }

  /** A header of the answer replaces ours of the same name. */
  #fixed(headers: HubResponse['headers']): AnswerHead {
    const head = this.#ours.slice();
    const ours = head.length;
    for (const name in headers) {
      const value = headers[name];
      if (value === undefined || name === 'content-length') continue;
      const known = head.indexOf(name);
      if (known !== -1 && known < ours) head[known + 1] = value;
      else head.push(name, value);
    }
    head.push(...this.#hub);
    return head;
  }
}

function push(head: AnswerHead, headers: HubResponse['headers']): void {
  for (const name in headers) if (name !== 'content-length') head.push(name, headers[name] ?? '');
}
