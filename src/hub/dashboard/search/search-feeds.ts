import type { ChangeLists } from '../../../dialects/shelf.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { answerArtifact } from '../../http/answer-artifact.ts';
import { withProblems } from '../../http/api-problems.ts';
import type { Route } from '../../http/route.ts';
import { smallArtifact } from '../../http/small-answer.ts';
import { changeSearch, readSearchFields, SEARCH_PARAMETERS, searchQuery, searchTitle } from './search-fields.ts';

export interface SearchFeedParts {
  readonly catalogue: Pick<Catalogue, 'find'>;
  readonly changeLists: readonly ChangeLists[];
  /** With a final slash. */
  baseUrl(): string;
}

/** The maximum of changes in a feed; a reader that comes too rarely misses some. */
const CHANGES = 100;

/** A search in each dialect that has a document for it: its newest changes. */
export function searchFeedRoutes({ catalogue, changeLists, baseUrl }: SearchFeedParts): Route[] {
  return changeLists.map(({ ending, mediaType, words, write }) => ({
    method: 'GET',
    path: `/search${ending}`,
    access: 'open',
    cors: true,
    summary: `The newest ${CHANGES} changes that match a search (${words}).`,
    parameters: SEARCH_PARAMETERS,
    responses: { 200: 'The feed.', 304: 'Not modified.', 400: 'A parameter is malformed.' },
    answer: { mediaType },
    handle: withProblems(async (request) => {
      const search = readSearchFields(request.query);
      const { changes } = await catalogue.find({ ...changeSearch(search), limit: CHANGES });
      const query = searchQuery(search);
      const text = write({
        title: searchTitle(search),
        changes,
        selfUrl: new URL(`search${ending}${query}`, baseUrl()).href,
        url: new URL(`search${query}`, baseUrl()).href,
      });
      return answerArtifact(request, smallArtifact(text, mediaType));
    }),
  }));
}
