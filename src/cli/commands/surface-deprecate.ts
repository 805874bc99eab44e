import { ExitCode } from '../exit-code.ts';
import { addSurfaceOptions, needed, optional, printReport, targetOf } from '../surface-options.ts';
import type { Verb } from '../verb.ts';

export const surfaceDeprecate: Verb = {
  example:
    'tidings surface deprecate --dir site --site https://api.example/ --key key.json --endpoint-id orders-api --sunset 2027-01-01T00:00:00Z --replacement orders-api-v2',

  configure(command) {
    addSurfaceOptions(command)
      .option('--endpoint-id <id>', 'the endpoint, as announced')
      .option('--sunset <time>', 'when the endpoint may be gone, RFC 3339')
      .option('--replacement <id>', 'the endpoint-id of its successor, not a URL')
      .option('--reason <text>', 'the reason, for people')
      .option('--announced-at <time>', 'when this was first announced, RFC 3339 (default: now)');
  },

  async run(_, options, world) {
    const endpointId = needed(options, 'endpointId', 'Name the endpoint as it was announced.');
    const sunset = needed(options, 'sunset', 'Say from when on it may be gone, like 2027-01-01T00:00:00Z.');
    const [replacement, reason, announcedAt] = [
      optional(options, 'replacement'),
      optional(options, 'reason'),
      optional(options, 'announcedAt'),
    ];
    const { deprecateEndpoint } = await import('../../doors/surface.ts');
    const report = await deprecateEndpoint(targetOf(options), {
      endpointId,
      sunset,
      ...(replacement !== undefined && { replacement }),
      ...(reason !== undefined && { reason }),
      ...(announcedAt !== undefined && { announcedAt }),
    });
    const successor = replacement === undefined ? '' : `; ${replacement} replaces it`;
    await printReport(report, { json: options.json, what: `${endpointId} ends at ${sunset}${successor}.` }, world);
    return ExitCode.Done;
  },
};
