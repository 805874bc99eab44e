import { type FixHint, type FixHints, headerHint, OF_READERS } from '../../fix-hint.ts';

const SPACES = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"';
const DESCRIPTION: FixHint = {
  where: '/.well-known/resourcesync',
  write: `<?xml version="1.0" encoding="UTF-8"?>
<urlset ${SPACES}>
  <rs:md capability="description"/>
  <url>
    <loc>https://docs.example/resourcesync/capabilitylist.xml</loc>
    <rs:md capability="capabilitylist"/>
    <rs:ln rel="describes" href="https://docs.example/"/>
    <rs:ln rel="describedby" href="https://docs.example/about"/>
  </url>
</urlset>`,
};
const CAPABILITIES: FixHint = {
  where: '/resourcesync/capabilitylist.xml',
  write: `<urlset ${SPACES}>
  <rs:md capability="capabilitylist"/>
  <rs:ln rel="up" href="https://docs.example/.well-known/resourcesync"/>
  <rs:ln rel="describes" href="https://docs.example/"/>
  <rs:ln rel="describedby" href="https://docs.example/about"/>
  <url><loc>https://docs.example/resourcesync/changelist.xml</loc><rs:md capability="changelist"/></url>
</urlset>`,
};
const CHANGES: FixHint = {
  where: '/resourcesync/changelist.xml',
  write: `<urlset ${SPACES}>
  <rs:ln rel="up" href="https://docs.example/resourcesync/capabilitylist.xml"/>
  <rs:md capability="changelist" from="2026-03-01T00:00:00Z"/>
  <url>
    <loc>https://docs.example/pricing</loc>
    <rs:md change="updated" datetime="2026-03-01T12:00:00Z"/>
  </url>
</urlset>`,
};
const INDEX: FixHint = {
  where: 'an index in place of one large Change List',
  write: `<sitemapindex ${SPACES}>
  <rs:ln rel="up" href="https://docs.example/resourcesync/capabilitylist.xml"/>
  <rs:md capability="changelist" from="2026-01-01T00:00:00Z"/>
  <sitemap><loc>https://docs.example/resourcesync/changelist-1.xml</loc><rs:md capability="changelist" from="2026-01-01T00:00:00Z" until="2026-03-01T00:00:00Z"/></sitemap>
</sitemapindex>`,
};

export const RESOURCESYNC_HINTS: FixHints = {
  'RS-S*': DESCRIPTION,
  'RS-S11': { none: 'It is about the tool that writes the lists, not about what it wrote.' },
  'RS-C*': CAPABILITIES,
  'RS-L*': CHANGES,
  'RS-L11': INDEX,
  'RS-X*': INDEX,
  'RS-X2': OF_READERS,
  'RS-X3': OF_READERS,
  'RS-G*': OF_READERS,
  'RS-G10': INDEX,
  'RS-U*': OF_READERS,
  'RESOURCESYNC-FORM': headerHint('/resourcesync/*', ['Content-Type', 'application/xml; charset=utf-8']),
  'RESOURCESYNC-KIND': CAPABILITIES,
  'RESOURCESYNC-ENTRY': CHANGES,
  'RESOURCESYNC-LIMIT': INDEX,
  'RESOURCESYNC-AUDIT': {
    where: 'the entry of the resource in /resourcesync/resourcelist.xml',
    write: '<rs:md hash="sha-256:<hex of the bytes that are served>" length="<their number>" type="text/html"/>',
  },
  'RESOURCESYNC-ADVICE': {
    none: 'No specification asks for it; the finding says what would make the lists easier to read.',
  },
  'FEED-FORM': {
    where: 'the Atom feed that the lists name',
    write: `<feed xmlns="http://www.w3.org/2005/Atom">
  <id>tag:docs.example,2026:changes</id><title>Changes</title><updated>2026-03-01T12:00:00Z</updated>
  <author><name>docs.example</name></author>
  <entry><id>tag:docs.example,2026:1</id><title>Pricing changed</title><updated>2026-03-01T12:00:00Z</updated><link href="https://docs.example/pricing"/></entry>
</feed>`,
  },
};
