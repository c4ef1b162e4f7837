/** `trapeza atms`: publishes ATM lists from files, and writes the published one out. */
import { writeFile } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import { EXPORT_FORMATS, type ExportFormat, exportAtms } from '../../atms/export.js';
import { importAtms } from '../../atms/import/import-atms.js';
import {
  IMPORT_FORMATS,
  type ImportFormat,
  type ImportResult,
  planImport,
} from '../../atms/import/result.js';
import { readAtmFile } from '../../atms/import/source.js';
import { atmsOf, currentAtms, type PublishOutcome } from '../../atms/publication.js';
import { instantText } from '../../lib/instant.js';
import { CommandError, print, printJson } from '../output.js';
import { withAdmin, withMigratedDb } from '../store.js';

interface ImportFlags {
  readonly format?: ImportFormat;
  readonly dryRun?: boolean;
  readonly allowRefused?: boolean;
  readonly json?: boolean;
}

/** On a terminal only, and on the error stream, so that reports stay clean. */
const showProgress = (done: number, total: number): void => {
  if (!process.stderr.isTTY) return;
  process.stderr.write(`\r${done} of ${total} records${done === total ? '\n' : ''}`);
};

/** In plain text the first ones are enough; the JSON report has all. */
const SHOWN = 20;

const printFindings = (
  what: string,
  entries: readonly {
    record: number;
    id: string | null;
    findings: readonly { field: string; reason: string }[];
  }[],
): void => {
  if (entries.length === 0) return;
  print(`\n${what}:`);
  for (const { record, id, findings } of entries.slice(0, SHOWN)) {
    for (const { field, reason } of findings)
      print(`  record ${record}${id === null ? '' : ` (${id})`}: ${field} ${reason}`);
  }
  if (entries.length > SHOWN) print(`  … and ${entries.length - SHOWN} more; --json lists all`);
};

const printReport = (result: ImportResult, outcome: string): void => {
  const { format, read, accepted, refused, repaired } = result;
  print(
    `Format ${format}: ${read} read, ${accepted.length} accepted (${repaired.length} of them repaired), ${refused.length} refused`,
  );
  printFindings(
    'Repaired',
    repaired.map(({ record, id, changes }) => ({ record, id, findings: changes })),
  );
  printFindings(
    'Refused',
    refused.map(({ record, id, faults }) => ({ record, id, findings: faults })),
  );
  print(`\n${outcome}`);
};

const publicationText = (outcome: PublishOutcome): string =>
  outcome.changed
    ? `Published ${outcome.count} ATMs, ETag ${outcome.etag}, last modified ${instantText(outcome.lastModifiedMs)}.`
    : `The list is the published one already: ETag ${outcome.etag} and date stay as they are.`;

const runImport = async (path: string, flags: ImportFlags): Promise<void> => {
  const result = importAtms(await readAtmFile(path), { format: flags.format, onProgress: showProgress });
  const plan = planImport(result, { allowRefused: flags.allowRefused ?? false });
  const published =
    plan.publish && !flags.dryRun ? await withAdmin((admin) => admin.publishAtms(plan.atms)) : undefined;
  const outcome = published
    ? publicationText(published)
    : plan.publish
      ? 'Dry run: nothing was published.'
      : `Nothing was published: ${plan.reason}.`;
  if (flags.json) {
    const { format, read, accepted, refused, repaired } = result;
    printJson({
      format,
      read,
      accepted: accepted.length,
      refused,
      repaired,
      published: published ?? null,
      outcome,
    });
  } else printReport(result, outcome);
  if (!plan.publish) process.exitCode = 1;
};

const runExport = (flags: { format: ExportFormat; out?: string }): Promise<void> =>
  withMigratedDb(async (db) => {
    const publication = await currentAtms(db);
    if (!publication) throw new CommandError('no ATM list has been published yet: trapeza atms import FILE');
    const text = exportAtms(atmsOf(publication), flags.format);
    if (flags.out === undefined) process.stdout.write(text);
    else {
      await writeFile(flags.out, text);
      print(`${publication.count} ATMs written to ${flags.out}.`);
    }
  });

export const registerAtms = (program: Command): void => {
  const atms = program.command('atms').description('the published ATM list: import, export');
  atms
    .command('import')
    .description('check a file and publish its ATMs, all or none (see docs/atm-import.md)')
    .argument('<file>', 'contract JSON, UK Open Data v2 JSON, CSV or GeoJSON')
    .addOption(
      new Option('--format <format>', 'the format, where it should not be guessed').choices([
        ...IMPORT_FORMATS,
      ]),
    )
    .option('--dry-run', 'report only, publish nothing')
    .option('--allow-refused', 'publish the accepted records although others were refused')
    .option('--json', 'print the whole report as JSON')
    .action(runImport);
  atms
    .command('export')
    .description('write the published ATMs')
    .addOption(new Option('--format <format>', 'the format').choices([...EXPORT_FORMATS]).default('json'))
    .option('--out <file>', 'write to a file instead of the standard output')
    .action(runExport);
};
