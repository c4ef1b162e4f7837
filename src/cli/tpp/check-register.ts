/** `trapeza tpp check-register`: the third parties against the register of the EBA. */
import type { Command } from 'commander';
import { CommandError, type JsonFlag, parsedBy, print, printJson, printTable } from '../output.js';
import { type ReasonFlag, withAdmin, withReason } from '../store.js';

interface CheckFlags extends JsonFlag, ReasonFlag {
  readonly country: string;
  readonly apply?: boolean;
}

const countryFrom = (text: string): string => {
  if (!/^[A-Z]{2}$/.test(text)) throw new Error('a country such as GR');
  return text;
};

const check = (path: string, { country, apply, json, reason }: CheckFlags): Promise<void> =>
  withAdmin(
    async (admin) => {
      const isApplied = apply ?? false;
      const { entities, findings } = await admin
        .checkRegister({ path, country, isApplied })
        .catch((error) => {
          const { code } = error as NodeJS.ErrnoException;
          throw code === undefined ? error : new CommandError(`${path} cannot be read (${code})`);
        });
      if (json) return printJson({ entities, findings, isApplied });
      print(`${entities} institutions are in the register.`);
      printTable(
        findings.map(({ registration, name, finding, act }) => ({
          ...{ registration, name, finding },
          act: act ? Object.keys(act).join() : '',
        })),
        'All third parties are in it as the bank knows them.',
      );
      if (isApplied) print('Done; registrations are held against this register from now on.');
      else if (findings.some(({ act }) => act)) print('Nothing was changed: repeat with --apply.');
    },
    { reason },
  );

export const addCheckRegisterCommand = (tpp: Command): void => {
  withReason(tpp.command('check-register'))
    .description('compare the third parties with the register of the EBA: authorisation, roles, name')
    .argument('<file>', 'the register of payment institutions in JSON, as the EBA publishes it, unpacked')
    .option('--country <code>', 'country of the bank', parsedBy(countryFrom), 'GR')
    .option('--apply', 'withdraw what is lost, and hold registrations against this register')
    .option('--json', 'print JSON')
    .action(check);
};
