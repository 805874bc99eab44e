import { AGENT_FEED_CLAUSES } from '../../../codecs/agent-feed/clauses.ts';

const OWN_CHOICE = 'An option of the publisher; leaving it out is fine.';
const TWO_READINGS = 'It takes two readings to see; one cannot show it.';
const INSIDE = 'Only the publisher knows.';
const OF_SOFTWARE = 'About the software that publishes, not about what it published.';

const NO_FEED = 'There is no feed to look at.';
const NO_DID = 'There is no did.json to look at.';
const OF_PAYLOADS = 'No entry has a payload of this kind that could be read.';

const REASONS: Readonly<Record<string, string>> = {
  ...because(OWN_CHOICE, 'O2 ID8 R1 R2 SN1 ST2 ST3 ST4 CJ12 NS2 FS3 D1 D3 D4'),
  ...because(TWO_READINGS, 'ST1 ST5 ST6 FS4 VS5 EN3'),
  ...because(
    'Whether something is missing shows where facts are about what is not announced: see AF-PS2, AF-PD1.',
    'ST7',
  ),
  ...because(INSIDE, 'FS6 SC2'),
  ...because('It takes a person to tell what a text is about.', 'ST10'),
  ...because('It would take too many requests to see.', 'SC5'),
  ...because(OF_SOFTWARE, 'CT1 CT2 CT3 CT9 CT10 SC10'),
  ...because('There is no card or no active feed to compare.', 'SN2'),
  ...because('It could not be asked for.', 'O1 W1 W2 ID1 IA1 IA2 PB1 PB2'),
  ...because(NO_DID, 'ID2 ID3 ID4 ID5 ID6 ID7'),
  ...because(NO_FEED, 'VS1 FS1 FS5 NS3'),
  ...because('There is no entry to look at.', 'G1 G2 SG2 EN1 EN2 EN4 EN5 EN6 EN7 EN9 EN10 EN11 EN12'),
  ...because(OF_PAYLOADS, 'CJ1 CJ2 CJ3 CJ4 CJ5 CJ6 CJ7 CJ8 CJ9 CJ10 CJ11 PA1 PA2 PA3 PA4 PA5 SC3'),
  ...because(OF_PAYLOADS, 'PS1 PS2 PS3 PS4 PS5 PS6 PS7 PS8 PD1 PD2 PD3 PD4 PD5'),
};
const BY_ROLE: Readonly<Record<string, string>> = {
  reader: 'An obligation of readers, not of what is published.',
  operator: 'An obligation of operators, not of what is published.',
  protocol: 'About the protocol, not about what is published.',
};

/** Default reasons why a clause was not decided. A check may replace them with a better one. */
export function surfaceReasons(): ReadonlyMap<string, string> {
  return new Map(
    AGENT_FEED_CLAUSES.flatMap(({ id, role }) => {
      const reason = REASONS[id] ?? BY_ROLE[role];
      return reason === undefined ? [] : [[id, reason] as const];
    }),
  );
}

function because(reason: string, clauses: string): Record<string, string> {
  return Object.fromEntries(clauses.split(' ').map((name) => [`AF-${name}`, reason]));
}
