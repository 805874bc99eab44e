import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const INPUT_OF_PACKAGE = /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\//;
const LICENCE_FILE = /^(?:licen[cs]e|copying|notice)/i;

/** The packages whose code esbuild bundled, each with the text of its licence. */
export function noticesOf(metafiles) {
  const inputs = metafiles.flatMap(({ inputs }) => Object.keys(inputs));
  const folders = new Set(inputs.flatMap((input) => INPUT_OF_PACKAGE.exec(input)?.[0] ?? []));
  const notices = [...folders].map(noticeOf).sort();
  return `Tidings is under the Apache License 2.0. Inside its files stands work of others:\n\n${notices.join('\n')}`;
}

function noticeOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const files = readdirSync(folder).filter((file) => LICENCE_FILE.test(file));
  if (license === undefined && files.length === 0)
    throw new Error(`${name} does not say under which terms it may be used.`);
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return `${'='.repeat(80)}\n${name} ${version} (${license})\n\n${texts.join('\n\n')}\n`;
}
