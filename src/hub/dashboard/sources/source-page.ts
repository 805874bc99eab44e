import { sourceUnknownError } from '../../../errors/refusals.ts';
import { oneOf } from '../../config/setting-decoders.ts';
import { queryFields } from '../../routes/query-fields.ts';
import { SOURCE_ID } from '../../routes/source-route-parts.ts';
import { PERIODS, readActivity } from '../activity.ts';
import { presentFields, type View } from '../view.ts';
import { readSourceFacts, type SourcePageParts } from './read-source.ts';
import { SOURCE_FACTS_SCHEMA, type SourceFacts } from './source-facts.ts';
import { sourcePageHtml } from './source-page-html.ts';

/** One source: how it is and was, when it is looked at, where its feeds are, what changed last, what is held back. */
export function sourcePageView(parts: SourcePageParts): View<SourceFacts> {
  return {
    path: '/sources/:id',
    summary: 'One source: its health over time, check interval, feeds, latest changes, and held-back changes.',
    parameters: [
      SOURCE_ID,
      {
        name: 'by',
        in: 'query',
        description: 'Period of the activity chart. Default: day.',
        schema: { enum: PERIODS },
      },
    ],
    schema: SOURCE_FACTS_SCHEMA,
    async read({ params: { id = '' }, query, viewer }) {
      const source = parts.watch.source(id);
      if (source === undefined) throw sourceUnknownError(id.slice(0, 100));
      const { by = 'day' } = queryFields({ by: oneOf(PERIODS) }, presentFields(query, ['by']));
      const activity = await readActivity(parts.catalogue, { by, nowMs: parts.now(), source: source.config.id });
      const facts = await readSourceFacts(source, parts, viewer.role !== undefined);
      return activity === undefined ? facts : { ...facts, activity };
    },
    show: (facts, asked) => ({
      title: facts.source.title,
      place: 'sources',
      alternates: facts.feeds.flatMap(({ words, path, mediaType }) =>
        mediaType === undefined ? [] : { title: words, path, mediaType },
      ),
      main: sourcePageHtml(facts, asked),
    }),
  };
}
