/** `trapeza operator`: who of the bank may use the console. */
import { type Command, Option } from 'commander';
import { operatorRoles } from '../acts/role.js';
import { runAct } from '../acts/run-act.js';
import * as acts from '../admin/acts.js';
import type { Config } from '../config/config.js';
import { addDerived } from './derived.js';
import { type JsonFlag, printOutcome } from './output.js';
import { type ReasonFlag, withContext, withReason } from './store.js';

/** As browsers see it. If it takes any free port, the management listener knows the way. */
const consoleAddress = (config: Config): string => {
  const { operatorUrl, operatorHost, operatorPort, operatorTlsCertificate } = config;
  if (operatorUrl !== undefined) return operatorUrl;
  if (operatorPort === 0) return `http://${config.managementHost}:${config.managementPort}`;
  return `${operatorTlsCertificate ? 'https' : 'http'}://${operatorHost}:${operatorPort}`;
};

const add = (name: string, flags: { readonly role: string } & JsonFlag & ReasonFlag): Promise<void> =>
  withContext(async (context) => {
    const link = await runAct(context, acts.addOperator, name, { role: flags.role });
    const url = `${consoleAddress(context.config).replace(/\/+$/, '')}/operator/enrol/${link}`;
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
  addDerived(operator, acts);
};
