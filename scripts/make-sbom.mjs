// Writes the bill of materials of the package as CycloneDX: its dependencies, and the packages that are bundled into its files.
// `node scripts/make-sbom.mjs <file>`, after `npm ci` and `npm run build`. The list is that of `npm sbom`, without what only builds and tests use.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MAX_BYTES = 64_000_000;
const NOTICE = /^(\S+) (\d+\.\d+\.\d+\S*) \(.+\)$/gm;

export function makeSbom(root) {
  const all = npmSbom(root, []);
  const installed = new Set(
    npmSbom(root, ['--omit', 'dev', '--omit', 'peer']).components.map((each) => each['bom-ref']),
  );
  const notices = readFileSync(join(root, 'dist/NOTICES.txt'), 'utf8');
  const inside = new Set([...notices.matchAll(NOTICE)].map(([, name, version]) => `${name}@${version}`));
  const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const own = `${name}@${version}`;
  const components = all.components.filter((each) => installed.has(each['bom-ref']) || inside.has(nameOf(each)));
  const missing = [...inside].filter((each) => !components.some((component) => nameOf(component) === each));
  if (missing.length > 0) throw new Error(`npm does not know what NOTICES.txt names: ${missing.join(', ')}`);
  const refs = new Set([own, ...components.map((each) => each['bom-ref'])]);
  const dependencies = all.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) }));
  // npm names the package after its folder.
  const metadata = { ...all.metadata, component: { ...all.metadata.component, name } };
  return { ...all, metadata, components: components.map(withoutPlaces), dependencies };
}

function npmSbom(root, options) {
  const said = execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', ...options], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    shell: process.platform === 'win32',
    maxBuffer: MAX_BYTES,
  });
  return JSON.parse(said);
}

function nameOf({ group, name, version }) {
  return `${group === undefined || name.startsWith('@') ? name : `${group}/${name}`}@${version}`;
}

/** Removes where npm found it: a path of this machine, and the configured registry. */
function withoutPlaces({ properties: _, externalReferences, ...component }) {
  const kept = (externalReferences ?? []).filter(({ type }) => type !== 'distribution');
  return kept.length > 0 ? { ...component, externalReferences: kept } : component;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [file] = process.argv.slice(2);
  if (file === undefined) throw new Error('Name the file to write.');
  writeFileSync(file, `${JSON.stringify(makeSbom(fileURLToPath(new URL('..', import.meta.url))), null, 2)}\n`);
}
