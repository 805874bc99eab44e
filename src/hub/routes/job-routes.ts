import { withProblems } from '../http/api-problems.ts';
import type { Route } from '../http/route.ts';
import { JSON_TYPE, uncachedJson } from '../http/small-answer.ts';
import type { JobBoard } from '../jobs/job-board.ts';
import { JOB_SCHEMA, viewJob } from '../jobs/job-view.ts';
import { queryFields } from './query-fields.ts';

/** Long work that runs now. */
export function jobsRoute(jobs: Pick<JobBoard, 'running' | 'ended'>): Route {
  return {
    method: 'GET',
    path: '/api/v1/jobs',
    access: 'public-or-admin',
    summary:
      'List running jobs that take longer than two seconds, with their progress, and those that ended in the last ten minutes.',
    responses: { 200: 'Running jobs, oldest first; ended jobs, newest first.', 400: 'The query has parameters.' },
    answer: {
      mediaType: JSON_TYPE,
      schema: {
        type: 'object',
        required: ['running', 'ended'],
        properties: { running: { type: 'array', items: JOB_SCHEMA }, ended: { type: 'array', items: JOB_SCHEMA } },
      },
    },
    handle: withProblems(({ query }) => {
      queryFields({}, query);
      return uncachedJson(200, { running: jobs.running().map(viewJob), ended: jobs.ended().map(viewJob) });
    }),
  };
}
