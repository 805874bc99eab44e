// Lists what `npm publish` would send, by folder, and fails if it contains unexpected files or is too large. `node scripts/check-package.mjs`, after
// `npm run build`.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const MB = 1_000_000;

/** All top-level entries of the package, with the maximum unpacked size of each. */
export const PACKAGE_BOUNDS = {
  dist: 15 * MB,
  specs: 1.5 * MB,
  docs: 1.5 * MB,
  schema: 0.1 * MB,
  deploy: 0.05 * MB,
  'CHANGELOG.md': 0.1 * MB,
  'README.md': 0.05 * MB,
  LICENSE: 0.02 * MB,
  'package.json': 0.02 * MB,
};
/** What a registry stores, and everybody downloads. */
export const MAX_PACKED_BYTES = 5 * MB;

/** Sources, tests, pictures, maps and machine-specific files. */
const STRANGE = [
  [/(?<!\.d)\.[cm]?ts$/, 'a source'],
  [/\.(?:test|contract|pin)\.|(?:^|\/)__tests__\//, 'a test'],
  [/\.(?:map|tsbuildinfo|log|tgz|png|db|sqlite)$/, 'left over from a build or a run'],
  [/(?:^|\/)\.(?!well-known\/)/, 'hidden'],
  [/(?:^|\/)(?:[\w-]*key\.json|[\w-]*\.pem|\.npmrc|\.env)$/, 'perhaps a secret'],
];

/** What npm would pack: paths with their sizes, and the size of the archive. */
export function packedFiles(root) {
  const said = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    shell: process.platform === 'win32',
    maxBuffer: 64 * MB,
  });
  const [{ files, size }] = JSON.parse(said);
  return { files: files.map(({ path, size: bytes }) => ({ path, bytes })), packedBytes: size };
}

/** Bytes by top-level entry. */
export function sizesByFolder(files) {
  const sizes = new Map();
  for (const { path, bytes } of files) {
    const [top] = path.split('/');
    sizes.set(top, (sizes.get(top) ?? 0) + bytes);
  }
  return new Map([...sizes].sort(([, one], [, other]) => other - one));
}

/** The flaws of a package, as messages. */
export function packageFlaws({ files, packedBytes }) {
  const flaws = [];
  for (const [top, bytes] of sizesByFolder(files)) {
    const most = Object.hasOwn(PACKAGE_BOUNDS, top) ? PACKAGE_BOUNDS[top] : undefined;
    if (most === undefined) flaws.push(`${top} is not expected in the package.`);
    else if (bytes > most) flaws.push(`${top} has ${bytes} bytes, more than ${most}.`);
  }
  for (const top of Object.keys(PACKAGE_BOUNDS)) {
    if (!files.some(({ path }) => path === top || path.startsWith(`${top}/`))) flaws.push(`${top} is missing.`);
  }
  for (const { path } of files) {
    // Test vectors of specifications may be files of any kind.
    const strange = path.startsWith('specs/') ? undefined : STRANGE.find(([pattern]) => pattern.test(path));
    if (strange !== undefined) flaws.push(`${path} is ${strange[1]}.`);
  }
  if (packedBytes > MAX_PACKED_BYTES)
    flaws.push(`The archive has ${packedBytes} bytes, more than ${MAX_PACKED_BYTES}.`);
  return flaws;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const packed = packedFiles(fileURLToPath(new URL('..', import.meta.url)));
  for (const [top, bytes] of sizesByFolder(packed.files))
    console.log(`${(bytes / 1000).toFixed(1).padStart(9)} KB  ${top}`);
  console.log(`${packed.files.length} files, packed ${(packed.packedBytes / 1000).toFixed(1)} KB`);
  for (const flaw of packageFlaws(packed)) {
    console.error(flaw);
    process.exitCode = 1;
  }
}
