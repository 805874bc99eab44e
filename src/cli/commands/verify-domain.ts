import { Option } from 'commander';
import { type CheckDomainOptions, checkDomain, issueToken } from '../../doors/verify-domain.ts';
import { SettingRefusedError } from '../../errors/setting-refused-error.ts';
import { cacheFolder, cacheOption } from '../cache-folder.ts';
import { ExitCode } from '../exit-code.ts';
import {
  allowPrivateOption,
  botUrlOption,
  caOption,
  collect,
  isPrivateAllowed,
  wholeNumber,
} from '../option-values.ts';
import { stateFolder } from '../state-folder.ts';
import type { Verb } from '../verb.ts';
import { instructionsText, reportText } from '../verification-text.ts';

export const verifyDomain: Verb = {
  example: 'tidings verify-domain docs.example --issue\ntidings verify-domain docs.example --check',

  configure(command) {
    command
      .argument('<domain>', 'the domain, without scheme or path')
      .option('--issue', 'issue a new token (the earlier one is no longer valid)')
      .option('--check', 'look for the token in DNS and in the well-known file')
      .addOption(
        new Option('--resolver <ip:port>', 'ask this DNS server instead of public ones (repeatable)').argParser(
          collect,
        ),
      )
      .addOption(
        new Option('--state <dir>', 'keep tokens here (default: the user’s state folder)').env('TIDINGS_STATE'),
      )
      .addOption(cacheOption())
      .addOption(botUrlOption())
      .addOption(allowPrivateOption('allow private addresses, for local use'))
      .addOption(caOption())
      .addOption(
        new Option('--https-port <port>', 'where a laboratory’s web server listens')
          .argParser(wholeNumber(1))
          .hideHelp(),
      )
      .addOption(
        new Option('--dns-port <port>', 'where a laboratory’s DNS servers listen').argParser(wholeNumber(1)).hideHelp(),
      )
      .option('--json', 'print the result as JSON');
  },

  async run([domain = ''], { issue, check, json, resolver, cache, ...options }, world) {
    if ((issue === true) === (check === true)) {
      throw new SettingRefusedError('verify-domain', domain, 'Say either --issue or --check.');
    }
    const named = typeof options.state === 'string' && options.state !== '' ? options.state : undefined;
    const state = named ?? stateFolder(world.env);
    if (issue) {
      const issuance = await issueToken(domain, { state });
      await world.print(
        json ? JSON.stringify(issuance) : instructionsText(issuance, named === undefined ? '' : ` --state ${named}`),
      );
      return ExitCode.Done;
    }

    world.status(`${domain}: asking DNS and the web server`);
    const report = await checkDomain(domain, {
      ...(options as Omit<CheckDomainOptions, 'state'>),
      state,
      cacheDir: cacheFolder(cache, world),
      resolvers: resolver as string[] | undefined,
      allowPrivate: isPrivateAllowed(options.allowPrivate, world),
      signal: world.signal,
    });
    world.status('');
    await world.print(json ? JSON.stringify(report) : reportText(report));
    if (report.verified) return ExitCode.Done;
    if (!json) world.complain(`tidings: ${report.domain} is not verified. ${report.remedy}`);
    return ExitCode.Incomplete;
  },
};
