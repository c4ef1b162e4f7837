/** `trapeza operator`: who of the bank may use the console. */
import { type Command, Option } from 'commander';
import { operatorRoles } from '../acts/role.js';
import type { Config } from '../config/config.js';
import { type JsonFlag, print, printJson, printOutcome, printTable } from './output.js';
import { type ReasonFlag, vaultOf, withAdmin, withReason } from './store.js';

/** As browsers see it. If it takes any free port, the management listener knows the way. */
const consoleAddress = (config: Config): string => {
  const { operatorUrl, operatorHost, operatorPort, operatorTlsCertificate } = config;
  if (operatorUrl !== undefined) return operatorUrl;
  if (operatorPort === 0) return `http://${config.managementHost}:${config.managementPort}`;
  return `${operatorTlsCertificate ? 'https' : 'http'}://${operatorHost}:${operatorPort}`;
};

const add = (name: string, flags: { readonly role: string } & JsonFlag & ReasonFlag): Promise<void> =>
  withAdmin(async (admin, config) => {
    const link = await admin.inviteOperator(vaultOf(config), { name, role: flags.role });
    const url = `${consoleAddress(config).replace(/\/+$/, '')}/operator/enrol/${link}`;
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
      new Option(
        '--role <role>',
        'what it may do: service (no persons), customers, compliance, or everything',
      )
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
