/** `trapeza application`: the applications of third parties. */
import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { listApplications } from '../tpp/listing.js';
import { createApplication, setSuspended } from '../tpp/registry.js';
import { print, printJson, printTable } from './output.js';
import { now, withMigratedDb } from './store.js';

const collect = (value: string, all: readonly string[]): readonly string[] => [...all, value];

export const registerApplication = (program: Command): void => {
  const application = program
    .command('application')
    .description('applications: create, list, suspend, resume');
  application
    .command('create')
    .description('create an application of a third party')
    .requiredOption('--tpp <id>', 'id of the third party')
    .requiredOption('--name <name>', 'name of the application')
    .option(
      '--redirect-uri <uri>',
      'address the account holder is sent back to; may be repeated',
      collect,
      [],
    )
    .option(
      '--jwks <file>',
      'public keys for private_key_jwt, a JSON Web Key Set; then the secret is not accepted',
    )
    .option('--json', 'print JSON')
    .action(
      (options: {
        tpp: string;
        name: string;
        redirectUri: readonly string[];
        jwks?: string;
        json?: boolean;
      }) =>
        withMigratedDb(async (db) => {
          const wanted = { tppId: options.tpp, name: options.name, redirectUris: options.redirectUri };
          const keys = options.jwks === undefined ? {} : { jwks: await readFile(options.jwks, 'utf8') };
          const made = await db.transaction((tx) => createApplication(tx, { ...wanted, ...keys }, now()));
          if (options.json) return printJson({ ...made, ...wanted });
          print(`Client id      ${made.clientId}\nClient secret  ${made.clientSecret}   (shown only now)`);
          print(`Next: trapeza key create --application ${made.clientId}`);
        }),
    );
  application
    .command('list')
    .description('list applications')
    .option('--json', 'print JSON')
    .action((options: { json?: boolean }) =>
      withMigratedDb(async (db) => {
        const rows = await listApplications(db);
        if (options.json)
          printJson(rows.map((row) => ({ ...row, redirectUris: JSON.parse(row.redirectUris) as unknown })));
        else printTable(rows, 'There are no applications yet: trapeza application create --help');
      }),
    );
  for (const verb of ['suspend', 'resume'] as const) {
    application
      .command(verb)
      .description(`${verb} an application; acts within five seconds`)
      .argument('<clientId>', 'client id of the application')
      .action((id: string) =>
        withMigratedDb(async (db) => {
          await db.transaction((tx) => setSuspended(tx, 'application', id, verb === 'suspend'));
          print(`Application ${id} is ${verb === 'suspend' ? 'suspended' : 'active'}.`);
        }),
      );
  }
};
