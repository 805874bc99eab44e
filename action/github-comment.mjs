/** The one comment of this action on a pull request, over the REST API of GitHub. */
import { commentText, MARKER } from './comment-text.mjs';

const PER_PAGE = 100;
const MAX_PAGES = 50;
const TIMEOUT_MS = 30_000;

/**
 * @typedef {object} Commenting
 * @property {string} api where the API is, without a slash behind it
 * @property {string} repository `owner/name`
 * @property {number} number of the pull request
 * @property {string} token
 * @property {string} author whose comment is ours: anybody may write the marker
 * @property {string} markdown
 * @property {boolean} isNews whether a comment is begun for it; one that is there is updated in any case
 */

/**
 * @param {Commenting} commenting
 * @returns {Promise<'created' | 'updated' | 'not needed' | 'forbidden'>}
 */
export async function commentOn(commenting) {
  const { repository, number, markdown, isNews } = commenting;
  if (!/^[\w.-]+\/[\w.-]+$/.test(repository)) throw new Error('GITHUB_REPOSITORY is no repository.');
  const issue = `repos/${repository}/issues/${number}/comments`;
  const body = { body: commentText(markdown) };
  const known = await findComment(commenting, issue);
  if (known === 'forbidden') return known;
  if (known !== undefined) {
    const answer = await ask(commenting, 'PATCH', `repos/${repository}/issues/comments/${known}`, body);
    if (answer.ok) return 'updated';
    if (isForbidden(answer)) return 'forbidden';
    // It was deleted meanwhile.
    if (answer.status !== 404) throw new Error(`GitHub answered ${answer.status} to the update of a comment.`);
  }
  if (!isNews) return 'not needed';
  const answer = await ask(commenting, 'POST', issue, body);
  if (isForbidden(answer)) return 'forbidden';
  if (!answer.ok) throw new Error(`GitHub answered ${answer.status} to a new comment.`);
  return 'created';
}

/**
 * @param {Commenting} commenting
 * @param {string} issue
 * @returns {Promise<number | undefined | 'forbidden'>}
 */
async function findComment(commenting, issue) {
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const answer = await ask(commenting, 'GET', `${issue}?per_page=${PER_PAGE}&page=${page}`);
    if (isForbidden(answer)) return 'forbidden';
    if (!answer.ok) throw new Error(`GitHub answered ${answer.status} to a list of comments.`);
    const comments = /** @type {unknown} */ (await answer.json());
    if (!Array.isArray(comments)) throw new Error('GitHub answered no list of comments.');
    const ours = comments.find(
      (comment) =>
        comment?.user?.login === commenting.author &&
        Number.isSafeInteger(comment.id) &&
        String(comment.body).startsWith(MARKER),
    );
    if (ours !== undefined) return ours.id;
    if (comments.length < PER_PAGE) return undefined;
  }
  return undefined;
}

/** @param {Response} answer */
function isForbidden({ status }) {
  return status === 401 || status === 403;
}

/**
 * @param {Commenting} commenting
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 */
async function ask({ api, token }, method, path, body) {
  return await fetch(`${api}/${path}`, {
    method,
    // The token is sent nowhere else.
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${token}`,
      'x-github-api-version': '2022-11-28',
      'user-agent': 'tidings-action',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}
