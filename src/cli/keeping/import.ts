/** `trapeza import`: the cut-over from another gateway. See docs/cut-over.md. */
import type { Command } from 'commander';
import type { CutOverReport } from '../../admin/cut-over/cut-over.js';
import { CommandError, type JsonFlag, print, printJson, printTable } from '../output.js';
import { createProgress } from '../progress.js';
import { type ReasonFlag, vaultOf, withAdmin, withReason } from '../store.js';

interface ImportFlags extends JsonFlag, ReasonFlag {
  readonly apply?: boolean;
}

/** In plain text the first ones are enough; the JSON report has all. */
const SHOWN = 50;

const show = ({ read, fresh, faults, isApplied }: CutOverReport): void => {
  print(
    `Read: ${Object.entries(read)
      .map(([name, count]) => `${count} ${name}`)
      .join(', ')}.`,
  );
  print(
    `New: ${Object.entries(fresh)
      .map(([name, count]) => `${count} ${name}`)
      .join(', ')}.`,
  );
  if (faults.length > 0) {
    print(`\n${faults.length} fault(s); nothing is imported until they are corrected:`);
    printTable(faults.slice(0, SHOWN), '');
    if (faults.length > SHOWN) print(`… and ${faults.length - SHOWN} more; --json lists all`);
  } else if (isApplied) print('Imported. Keys and secrets in clear are no longer needed: delete the files.');
  else print('No fault. Nothing was written: repeat with --apply.');
};

const runImport = (path: string, { apply, json, reason }: ImportFlags): Promise<void> =>
  withAdmin(
    async (admin, config) => {
      if (config.fapi2Only === 'on')
        throw new CommandError(
          'imported applications have no profile yet: import with TRAPEZA_FAPI2_ONLY=off, then give each one with "trapeza application security"',
        );
      const report = await admin.cutOver({
        vault: vaultOf(config),
        timeZone: config.timeZone,
        path,
        isApplied: apply ?? false,
        onDone: createProgress('records'),
      });
      if (json) printJson(report);
      else show(report);
      if (report.faults.length > 0) process.exitCode = 1;
    },
    { reason },
  );

export const registerImport = (program: Command): void => {
  withReason(program.command('import'))
    .description(
      'third parties, applications, keys and live consents of another gateway; without --apply only a report',
    )
    .argument('<path>', 'a folder with CSV files, or a JSON file: docs/cut-over.md')
    .option('--apply', 'write, if there is no fault')
    .option('--json', 'print JSON')
    .action(runImport);
};
