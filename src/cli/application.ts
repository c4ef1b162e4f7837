/** `trapeza application`: the applications of third parties. */

import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import type { ClientId } from '../model/ids.js';
import * as acts from '../tpp/acts.js';
import { redirectUrisColumn } from '../tpp/columns.js';
import { MOST_OVERLAP_HOURS } from '../tpp/own-changes.js';
import type { SecurityWish } from '../tpp/security.js';
import { addDerived } from './derived.js';
import {
  CommandError,
  type JsonFlag,
  parsedBy,
  print,
  printJson,
  printOutcome,
  printTable,
} from './output.js';
import { type ReasonFlag, withAdmin, withReason } from './store.js';

const collect = (value: string, all: readonly string[]): readonly string[] => [...all, value];

interface CreateOptions extends ReasonFlag {
  readonly tpp: string;
  readonly name: string;
  readonly redirectUri: readonly string[];
  readonly webhook?: string;
  readonly jwks?: string;
  readonly binding?: string;
  readonly profile?: string;
  readonly json?: boolean;
}

const create = (options: CreateOptions): Promise<void> =>
  withAdmin(async (admin) => {
    const { webhook, binding, profile } = options;
    const wanted = { tppId: options.tpp, name: options.name, redirectUris: options.redirectUri };
    const keys = options.jwks === undefined ? {} : { jwks: await readFile(options.jwks, 'utf8') };
    const made = await admin.createApplication({ ...wanted, ...keys, webhook, binding, profile });
    if (options.json) return printJson({ ...made, ...wanted, ...(webhook === undefined ? {} : { webhook }) });
    print(`Client id      ${made.clientId}\nClient secret  ${made.clientSecret}   (shown only now)`);
    print(`Next: trapeza key create --application ${made.clientId}`);
  }, options);

const registerWebhook = (application: Command): void => {
  withReason(application.command('webhook'))
    .description('set the address at which an application is told of status changes, or remove it')
    .argument('<clientId>', 'client id of the application')
    .argument('[url]', 'https address')
    .option('--remove', 'tell it nothing; the events stay in the feed')
    .action((clientId: ClientId, url: string | undefined, options: { remove?: boolean } & ReasonFlag) =>
      withAdmin(async (admin) => {
        if ((url === undefined) !== (options.remove ?? false))
          throw new CommandError('give either an address or --remove');
        await admin.setWebhook(clientId, { url: url ?? null });
        print(
          `Application ${clientId} ${url === undefined ? 'has no webhook now' : 'is told of status changes'}.`,
        );
      }, options),
    );
};

const registerRedirects = (application: Command): void => {
  withReason(application.command('redirects'))
    .description('replace the addresses an account holder is sent back to; acts within five seconds')
    .argument('<clientId>', 'client id of the application')
    .argument('<uris...>', 'all that it has from now on')
    .option('--json', 'print JSON')
    .action((clientId: ClientId, uris: readonly string[], flags: JsonFlag & ReasonFlag) =>
      withAdmin(async (admin) => {
        await admin.setRedirectUris(clientId, { uris });
        printOutcome(
          flags,
          { clientId, uris },
          `Application ${clientId} has ${uris.length} redirect address(es).`,
        );
      }, flags),
    );
};

const readHours = (text: string): number => {
  if (!/^\d{1,3}$/.test(text) || Number(text) > MOST_OVERLAP_HOURS)
    throw new Error(`a whole number of hours from 0 to ${MOST_OVERLAP_HOURS}`);
  return Number(text);
};

const registerSecret = (application: Command): void => {
  withReason(application.command('secret'))
    .description('make a new client secret, which is shown only now')
    .argument('<clientId>', 'client id of the application')
    .option(
      '--overlap <hours>',
      'how long the last one still works; 0 ends it at once',
      parsedBy(readHours),
      0,
    )
    .option('--json', 'print JSON')
    .action((clientId: ClientId, { overlap, ...flags }: { overlap: number } & JsonFlag & ReasonFlag) =>
      withAdmin(async (admin) => {
        const clientSecret = await admin.rollSecret(clientId, { overlapHours: overlap });
        const last = overlap === 0 ? 'is refused from now on' : `works for ${overlap} hour(s) more`;
        const line = `Client secret  ${clientSecret}   (shown only now; the last one ${last})`;
        printOutcome(flags, { clientId, clientSecret, overlapHours: overlap }, line);
      }, flags),
    );
};

const registerSecurity = (application: Command): void => {
  withReason(application.command('security'))
    .description(
      'set what the tokens of an application are bound to, and its profile; acts within five seconds',
    )
    .argument('<clientId>', 'client id of the application')
    .option('--binding <kind>', 'certificate (RFC 8705), dpop (RFC 9449) or none')
    .option('--profile <name>', 'fapi2 turns the strict set on together; none')
    .option('--json', 'print JSON')
    .action((clientId: ClientId, { binding, profile, ...flags }: SecurityWish & JsonFlag & ReasonFlag) =>
      withAdmin(async (admin) => {
        if (binding === undefined && profile === undefined)
          throw new CommandError('give --binding, --profile or both');
        const set = await admin.setSecurity(clientId, { binding, profile });
        const line = `Application ${clientId}: binding ${set.binding}, profile ${set.profile}.`;
        printOutcome(flags, { clientId, binding: set.binding, profile: set.profile }, line);
      }, flags),
    );
};

export const registerApplication = (program: Command): void => {
  const application = program
    .command('application')
    .description('applications: create, list, redirects, secret, webhook, security, suspend, resume');
  withReason(application.command('create'))
    .description('create an application of a third party')
    .requiredOption('--tpp <id>', 'id of the third party')
    .requiredOption('--name <name>', 'name of the application')
    .option(
      '--redirect-uri <uri>',
      'address the account holder is sent back to; may be repeated',
      collect,
      [],
    )
    .option('--webhook <url>', 'address at which it is told of status changes')
    .option(
      '--jwks <file>',
      'public keys for private_key_jwt, a JSON Web Key Set; then the secret is not accepted',
    )
    .option(
      '--binding <kind>',
      'what its tokens are bound to: certificate (RFC 8705), dpop (RFC 9449) or none',
    )
    .option('--profile <name>', 'fapi2 turns the strict set on together; none')
    .option('--json', 'print JSON')
    .action(create);
  application
    .command('list')
    .description('list applications')
    .option('--json', 'print JSON')
    .action((options: { json?: boolean }) =>
      withAdmin(async (admin) => {
        const rows = await admin.applications();
        if (options.json)
          printJson(rows.map((row) => ({ ...row, redirectUris: redirectUrisColumn.read(row.redirectUris) })));
        else printTable(rows, 'There are no applications yet: trapeza application create --help');
      }),
    );
  registerWebhook(application);
  registerRedirects(application);
  registerSecret(application);
  registerSecurity(application);
  addDerived(application, acts);
};
