/** Posts the changes on the pull request, as one comment that is updated. Without the right to comment, only the summary of the job has them. */
import { readFileSync } from 'node:fs';
import { commentOn } from './github-comment.mjs';
import { setting, stop, warn } from './runner.mjs';

const event = JSON.parse(readFileSync(setting('GITHUB_EVENT_PATH'), 'utf8'));
const number = event?.pull_request?.number;
if (!Number.isSafeInteger(number)) stop('This event has no pull request.');

const done = await commentOn({
  api: setting('GITHUB_API_URL'),
  repository: setting('GITHUB_REPOSITORY'),
  number,
  token: setting('INPUT_TOKEN'),
  author: setting('INPUT_AUTHOR'),
  markdown: readFileSync(setting('INPUT_SUMMARY'), 'utf8'),
  isNews: setting('INPUT_CHANGED') === 'true',
});
if (done === 'forbidden')
  warn('This job may not comment (a fork, or without "pull-requests: write"). What changed is in its summary.');
else process.stdout.write(`The comment: ${done}.\n`);
