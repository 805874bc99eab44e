import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** In the order of preference: the distribution's own first. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome', 'microsoft-edge'];

const USUAL_FOLDERS = ['/usr/bin', '/usr/local/bin', '/usr/lib/chromium', '/opt/google/chrome', '/snap/bin'];

const USUAL_FILES = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** The file of a Chromium on this machine, by its usual names on the PATH and in the usual places, or undefined. */
export function findChromium(path = process.env.PATH ?? ''): string | undefined {
  // An empty entry of PATH means the working folder, whose files are not ours to start.
  const folders = [...path.split(delimiter).filter((folder) => folder !== ''), ...USUAL_FOLDERS];
  const files = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...files, ...USUAL_FILES].find(isExecutable);
}

export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
