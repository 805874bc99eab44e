// Puts one page after another into an index until it is killed, and prints the version before each.
const [kind, place, start] = process.argv.slice(2);
const sink = await openSink();
await sink.prepare({ fingerprint: 'plain' });
for (let version = Number(start); ; version += 1) {
  process.stdout.write(`${version}\n`);
  await sink.put(pageOf(version));
}

async function openSink() {
  if (kind === 'sqlite') {
    const { openSqliteSink } = await import('../../dist/io/sqlite/sync-sink.js');
    return openSqliteSink({ file: place });
  }
  const { openPostgresSink } = await import('../../dist/io/postgres/sync-sink.js');
  return openPostgresSink({ url: place });
}

function pageOf(version) {
  const sections = Array.from({ length: 30 }, (_, at) => {
    const text = `section ${at} of version ${version}`;
    const chunk = { id: `${at}-${version}`, position: 0, text, tokens: 5, fingerprint: 'plain' };
    return {
      anchor: `s${at}`,
      heading: `S ${at}`,
      markdown: text,
      checksum: `sha256:${at}-${version}`,
      chunks: [chunk],
    };
  });
  const url = 'https://docs.example/guide/';
  const facts = { url, source: 'docs', title: 'Guide', checksum: `sha256:${version}`, updated: '2026-01-01T00:00:00Z' };
  return { ...facts, markdown: '', sections };
}
