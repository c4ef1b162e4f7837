/** `trapeza operator`: who of the bank may use the console. */
import { type Command, Option } from 'commander';
import { operatorRoles } from '../admin/operators.js';
import { Vault } from '../lib/vault.js';
import { CommandError, type JsonFlag, print, printJson, printOutcome, printTable } from './output.js';
import { type ReasonFlag, withAdmin, withReason } from './store.js';

const add = (name: string, flags: { readonly role: string } & JsonFlag & ReasonFlag): Promise<void> =>
  withAdmin(async (admin, config) => {
    if (!config.secret) throw new CommandError('TRAPEZA_SECRET is missing: it encrypts the key for the app');
    const link = await admin.inviteOperator(new Vault(config.secret), { name, role: flags.role });
    const base = config.operatorUrl ?? `http://${config.managementHost}:${config.managementPort}`;
    const url = `${base.replace(/\/+$/, '')}/operator/enrol/${link}`;
    const line = `Give this link to ${name} (${flags.role}); it works once, within a day:\n${url}`;
    printOutcome(flags, { name, role: flags.role, url }, line);
  }, flags);

export const registerOperator = (program: Command): void => {
  const operator = program
    .command('operator')
    .description('people of the bank who use the console: add, list, remove');
  withReason(operator.command('add'))
    .description('add an account, or make a new link for one whose phone or passphrase is lost')
    .argument('<name>', 'small letters, digits, dots and dashes')
    .addOption(
      new Option('--role <role>', 'what it may do: read, customer care, everything')
        .choices([...operatorRoles])
        .makeOptionMandatory(),
    )
    .option('--json', 'print JSON')
    .action(add);
  operator
    .command('list')
    .description('list the accounts of the console')
    .option('--json', 'print JSON')
    .action(({ json }: JsonFlag) =>
      withAdmin(async (admin) => {
        const rows = (await admin.operators()).map(({ isEnrolled, ...row }) => ({
          ...row,
          status: isEnrolled === 1 ? 'active' : 'invited',
        }));
        if (json) printJson(rows);
        else printTable(rows, 'There are no operators yet: trapeza operator add --help');
      }),
    );
  withReason(operator.command('remove'))
    .description('remove an account and end its sessions')
    .argument('<name>', 'name of the operator')
    .action((name: string, flags: ReasonFlag) =>
      withAdmin(async (admin) => {
        await admin.removeOperator(name);
        print(`Operator ${name} is removed.`);
      }, flags),
    );
};
