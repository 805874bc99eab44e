import { preferredMedia } from '../http/accept-media.ts';
import { PROBLEM_TYPE, problem } from '../http/problem.ts';
import type { Route } from '../http/route.ts';
import { rootOf } from './page-frame.ts';
import { problemPage } from './problem-page.ts';
import { HTML_TYPE, htmlAnswer, type ViewParts } from './view.ts';

/** A longer way back is written for nobody. */
const MAX_FOLDERS = 20;
const LOST = problem({ status: 404, detail: 'The hub has nothing here.' });
const LOST_WORDS = problem({ status: 404, detail: 'The address may be mistyped, or what was here is gone.' });

/** The page for a broken link. Programs get the problem document. */
export function lostRoute({ viewers, frame }: Pick<ViewParts, 'viewers' | 'frame'>): Route {
  return {
    method: 'GET',
    path: '/*',
    isFallback: true,
    access: 'open',
    summary: 'The page for unknown addresses.',
    responses: { 404: 'There is nothing here.' },
    answer: { mediaType: HTML_TYPE },
    handle(request) {
      const path = `/${request.params['*'] ?? ''}`;
      const isForPeople = preferredMedia(request.headers.accept, [PROBLEM_TYPE, 'text/html']) === 'text/html';
      if (!isForPeople || path.split('/').length > MAX_FOLDERS) return LOST;
      const root = rootOf(path);
      const asked = { root, query: new URLSearchParams(), viewer: viewers.viewerOf(request) };
      return htmlAnswer(LOST.status, frame(problemPage(LOST_WORDS, root), asked));
    },
  };
}
