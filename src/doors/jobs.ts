/** What runs in a hub and takes its time. */
export type { Job } from '../hub/jobs/job-board.ts';
export { type JobView, viewJob } from '../hub/jobs/job-view.ts';
