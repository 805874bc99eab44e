import { RESOURCESYNC_CLAUSES } from '../../../codecs/resourcesync/clauses.ts';

const REASONS: Readonly<Record<string, string>> = {
  ...because('An option of the publisher; leaving it out is fine.', 'S7 C5 C9 S10 L6 L10 L12 X1 U8 U9'),
  ...because('About the software that publishes, not about what it published.', 'S11'),
  ...because('There is no Source Description to look at.', 'S2 S3'),
  ...because('No Source Description names a collection.', 'S4 S5'),
  ...because('There is no Capability List to look at, or nothing that it could be compared with.', 'S6 C2 C3 C4 C7 C8'),
  ...because('No Capability List could be asked for.', 'C1'),
  ...because('No description on the site itself could be looked at.', 'S8 S9 C6'),
  ...because('No Change List could be asked for.', 'L1'),
  ...because('There is no Change List to look at.', 'L2 L3 L4 L5'),
  ...because('There is no change in any list.', 'L7 L8 L9'),
  ...because('A plain Change List may hold all changes that there were.', 'L11'),
  ...because('There is no Change List Index.', 'G10'),
  ...because('It could not be asked for.', 'S1'),
};

/** Default reasons why a clause was not decided. */
export function listReasons(): ReadonlyMap<string, string> {
  return new Map(
    RESOURCESYNC_CLAUSES.flatMap(({ id, role }) => {
      const ofRole = role === 'harvester' ? 'An obligation of harvesters, not of what is published.' : undefined;
      const reason = REASONS[id] ?? ofRole;
      return reason === undefined ? [] : [[id, reason] as const];
    }),
  );
}

function because(reason: string, clauses: string): Record<string, string> {
  return Object.fromEntries(clauses.split(' ').map((name) => [`RS-${name}`, reason]));
}
