import { SettingRefusedError } from '../errors/setting-refused-error.ts';
import type { SetupFacts } from './setup-facts.ts';
import type { SetupStep, WantedFile } from './setup-step.ts';

const KEY_FOLDER = '.tidings';
export const KEY_PATH = `${KEY_FOLDER}/log-key.json`;

/** A folder that git ignores completely, including its .gitignore, so that no file of the user must be changed. */
export const IGNORED_FOLDER: WantedFile = {
  path: `${KEY_FOLDER}/.gitignore`,
  text: '*\n',
  isDone: (text) => /^(?:\*|\/?log-key\.json)[ \t]*\r?$/m.test(text),
  where: 'as a line, so that the key is never committed; then run this again',
  lines: '*',
};

/** Throws if the key would be served with the site. */
export function refusePublicKeyFolder(output: string): void {
  if (output !== '.' && output !== KEY_FOLDER && !output.startsWith(`${KEY_FOLDER}/`)) return;
  throw new SettingRefusedError(
    '--key',
    '',
    `The folder "${output}" is published as it is, and a key in it would be public. Make one elsewhere: tidings keys new --log --key <file>`,
  );
}

/** How the key gets to the machine that publishes. */
export function keySecretStep({ host, ci }: SetupFacts): SetupStep {
  if (ci === 'github') {
    return {
      is: 'do',
      what: 'Give the key to GitHub Actions as a secret, and keep a copy of the file:',
      lines: `gh secret set TIDINGS_LOG_KEY < ${KEY_PATH}`,
    };
  }
  const who = ci === 'gitlab' ? 'GitLab (masked and protected)' : host?.name;
  const what =
    who === undefined
      ? `Keep a copy of ${KEY_PATH} in a safe place: a log ends with its key.`
      : `Store what stands in ${KEY_PATH} as the variable TIDINGS_LOG_KEY of ${who}, and keep a copy of the file.`;
  return { is: 'do', what };
}
