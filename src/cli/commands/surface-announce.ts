import { ExitCode } from '../exit-code.ts';
import { addSurfaceOptions, needed, optional, printReport, targetOf } from '../surface-options.ts';
import type { Verb } from '../verb.ts';

export const surfaceAnnounce: Verb = {
  example:
    'tidings surface announce --dir site --site https://api.example/ --key key.json --endpoint-id orders-api --endpoint https://api.example/orders --protocol rest --api-version 1.0',

  configure(command) {
    addSurfaceOptions(command)
      .option('--endpoint-id <id>', 'id of the endpoint, which stays the same when its URL changes')
      .option('--endpoint <url>', 'URL of the endpoint, or a path of the site that begins with /')
      .option('--protocol <name>', 'protocol of the endpoint: rest, mcp, a2a, graphql …')
      .option('--api-version <version>', 'version of its schema')
      .option('--asserted-at <time>', 'when this became true, RFC 3339 (default: now)');
  },

  async run(_, options, world) {
    const endpointId = needed(options, 'endpointId', 'Give the endpoint a name that stays.');
    const endpoint = needed(options, 'endpoint', 'Give its URL, or a path that begins with /.');
    const protocol = needed(options, 'protocol', 'Say what it speaks, like rest or mcp.');
    const version = needed(options, 'apiVersion', 'Give the version of its schema, like 1.0.');
    const assertedAt = optional(options, 'assertedAt');
    const fact = { endpointId, endpoint, protocol, version, ...(assertedAt !== undefined && { assertedAt }) };
    const { announceEndpoint } = await import('../../doors/surface.ts');
    const report = await announceEndpoint(targetOf(options), fact);
    const what = `${endpointId} is announced at ${endpoint}, version ${version}.`;
    await printReport(report, { json: options.json, what }, world);
    return ExitCode.Done;
  },
};
