import { sourceUnknownError } from '../../errors/refusals.ts';
import { fieldsOf, flag } from '../config/setting-decoders.ts';
import type { SourceConfig } from '../config/source-config.ts';
import type { SourceNews } from '../health/source-status.ts';
import { withProblems } from '../http/api-problems.ts';
import type { Route } from '../http/route.ts';
import { JSON_TYPE, uncachedJson } from '../http/small-answer.ts';
import type { Watch } from '../watch/watch-port.ts';
import { type RetrustView, viewSource } from './source-view.ts';

export interface RetrustRouteParts {
  readonly watch: Pick<Watch, 'source' | 'resume'>;
  readonly news: SourceNews;
  /** Throws a {@link SettingRefusedError} for a source that has no feed to trust again. */
  retrust(config: SourceConfig, options: { readonly moved: boolean }): Promise<RetrustView['retrusted']>;
  /** Called when it is done. */
  onRetrust?(id: string, done: RetrustView['retrusted']): void;
  now(): number;
}

const RETRUSTED_SOURCE = {
  allOf: [
    { $ref: '#/components/schemas/Source' },
    {
      type: 'object',
      required: ['retrusted'],
      properties: {
        retrusted: {
          type: 'object',
          required: ['feedUrl'],
          properties: {
            feedUrl: { type: 'string', description: 'The feed that is trusted again.' },
            other: { type: 'string', description: 'The feed at the other end of the move. It is unchanged.' },
          },
        },
      },
    },
  ],
};

/** How an operator returns to a feed that was terminated. */
export function retrustRoute({ watch, news, retrust, onRetrust, now }: RetrustRouteParts): Route {
  return {
    method: 'POST',
    path: '/api/v1/sources/:id/retrust',
    access: 'admin',
    summary: 'Trust an agent-feed that was terminated or moved again, and check it at once. The action is recorded.',
    parameters: [
      { name: 'id', in: 'path', required: true, description: 'The id of the source.', schema: { type: 'string' } },
    ],
    requestBody: {
      type: 'object',
      properties: {
        moved: {
          type: 'boolean',
          description: 'true: trust the feed that the source moved to, instead of its original feed.',
        },
      },
      additionalProperties: false,
    },
    responses: {
      200: 'The feed is trusted again; the answer names it.',
      400: 'The source cannot lose trust, its feed did not move, or the body is invalid.',
      404: 'There is no such source.',
      503: 'The hub cannot write to its disk now.',
    },
    answer: { mediaType: JSON_TYPE, schema: RETRUSTED_SOURCE },
    handle: withProblems(async ({ params: { id = '' }, body }) => {
      const source = watch.source(id);
      if (source === undefined) throw sourceUnknownError(id.slice(0, 100));
      const { moved = false } = fieldsOf({ moved: flag }, body ?? {}, '');
      const retrusted = await retrust(source.config, { moved });
      onRetrust?.(id, retrusted);
      const { paused, allowDeletes = false } = source;
      const after = paused === undefined ? await watch.resume(id, { allowDeletes }) : source;
      const view: RetrustView = { ...viewSource(after, news, now()), retrusted };
      return uncachedJson(200, view);
    }),
  };
}
