/** `trapeza tpp`: the third parties the bank knows. */
import type { Command } from 'commander';
import { instantText } from '../../lib/instant.js';
import * as acts from '../../tpp/acts.js';
import { addDerived } from '../derived.js';
import { CommandError, namesIn, print, printJson, printTable } from '../output.js';
import { type ReasonFlag, withAdmin, withReason } from '../store.js';
import { addCertificateCommands } from './certificates.js';
import { addCheckRegisterCommand } from './check-register.js';
import { addPolicyCommand } from './policy.js';
import { addUnattendedCommand } from './unattended.js';

const addApproveCommand = (tpp: Command): void => {
  withReason(tpp.command('approve'))
    .description('approve what a third party has registered by its certificate; acts within five seconds')
    .argument('<id>', 'id of the third party, or client id of one of its applications')
    .action((id: string, flags: ReasonFlag) =>
      withAdmin(async (admin) => {
        const count = await admin.approveRegistration(id);
        if (count === 0)
          throw new CommandError(`nothing of ${id} waits for approval: trapeza application list`);
        print(`${count} application(s) of ${id} are active.`);
      }, flags),
    );
};

export const registerTpp = (program: Command): void => {
  const tpp = program
    .command('tpp')
    .description(
      'third parties: create, register, approve, list, certificates, policy, unattended, check-register, suspend, resume',
    );
  withReason(tpp.command('create'))
    .description('register a third party')
    .requiredOption('--name <name>', 'its name, shown to account holders')
    .requiredOption('--registration <id>', 'its authorisation number, such as PSDGR-BOG-12345')
    .requiredOption('--roles <roles>', 'its roles, separated by commas: PSP_IC, PSP_AI, PSP_PI')
    .option('--json', 'print JSON')
    .action((options: { name: string; registration: string; roles: string; json?: boolean } & ReasonFlag) =>
      withAdmin(async (admin) => {
        const wanted = {
          name: options.name,
          registration: options.registration,
          roles: namesIn(options.roles),
        };
        const id = await admin.createTpp(wanted);
        if (options.json) printJson({ id, ...wanted });
        else
          print(
            `Third party ${options.name} is registered as ${id}.\nNext: trapeza application create --tpp ${id} --name …`,
          );
      }, options),
    );
  addApproveCommand(tpp);
  addCertificateCommands(tpp);
  addPolicyCommand(tpp);
  addUnattendedCommand(tpp);
  addCheckRegisterCommand(tpp);
  tpp
    .command('list')
    .description('list third parties')
    .option('--json', 'print JSON')
    .action((options: { json?: boolean }) =>
      withAdmin(async (admin) => {
        const rows = (await admin.tpps()).map(({ suspendedUntil: until, ...row }) => ({
          ...row,
          suspendedUntil: until === null ? null : instantText(until),
        }));
        if (options.json) printJson(rows);
        else printTable(rows, 'There are no third parties yet: trapeza tpp create --help');
      }),
    );
  addDerived(tpp, acts);
};
