/** `trapeza atms`: publishes ATM lists from files, and writes the published one out. */
import { writeFile } from 'node:fs/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { runAct } from '../../acts/run-act.js';
import { publishAtms } from '../../atms/acts.js';
import type { Atm } from '../../atms/atm.js';
import type { Finding } from '../../atms/check-atm.js';
import { type Difference, differenceOf } from '../../atms/difference.js';
import { EXPORT_FORMATS, type ExportFormat, exportAtms } from '../../atms/export.js';
import { importAtms } from '../../atms/import/import-atms.js';
import { countryOf } from '../../atms/import/repair/address.js';
import {
  countsOf,
  IMPORT_FORMATS,
  type ImportFormat,
  type ImportPlan,
  type ImportResult,
  planImport,
} from '../../atms/import/result.js';
import { showName } from '../../atms/import/show.js';
import { readAtmFile } from '../../atms/import/source.js';
import { kindsOf } from '../../atms/import/summary.js';
import { atmsOf, currentAtms, type PublishOutcome } from '../../atms/publication.js';
import { publishableList } from '../../atms/publishable.js';
import { instantText } from '../../lib/instant.js';
import type { Db } from '../../store/db.js';
import { CommandError, jsonFormatOption, print, printJson } from '../output.js';
import { createProgress } from '../progress.js';
import { type ReasonFlag, withContext, withMigratedDb, withReason } from '../store.js';

interface ImportFlags extends ReasonFlag {
  readonly format?: ImportFormat;
  readonly country?: string;
  readonly dryRun?: boolean;
  readonly preview?: boolean;
  readonly allowRefused?: boolean;
  readonly json?: boolean;
}

/** In plain text the first ones are enough; the JSON report has all. */
const SHOWN = 20;

const printSome = (title: string, lines: readonly string[]): void => {
  if (lines.length === 0) return;
  print(`\n${title}:`);
  for (const line of lines.slice(0, SHOWN)) print(`  ${line}`);
  if (lines.length > SHOWN) print(`  … and ${lines.length - SHOWN} more; --json lists all`);
};

const printKinds = (title: string, findingsOfEach: readonly (readonly Finding[])[]): void => {
  const kinds = kindsOf(findingsOfEach);
  const width = String(kinds[0]?.records ?? '').length;
  printSome(
    title,
    kinds.map(({ field, reason, records }) => `${String(records).padStart(width)} × ${field} ${reason}`),
  );
};

const differenceText = ({ added, changed, removed, unchanged }: Difference): string =>
  `Difference to the published list: ${added.length} added, ${changed.length} changed, ${removed.length} removed, ${unchanged} unchanged`;

const printDifference = ({ added, changed, removed }: Difference, atms: readonly Atm[]): void => {
  const names = new Map(atms.map(({ id, name, atmid }) => [id, showName(name ?? atmid ?? '')]));
  const line = (id: string): string => `${id} ${names.get(id) ?? ''}`.trimEnd();
  printSome('Added', added.map(line));
  printSome(
    'Changed',
    changed.map(({ id, members }) => `${line(id)}: ${members.join(', ')}`),
  );
  printSome('Removed', removed.map(line));
};

const printReport = ({ format, read, accepted, refused, repaired }: ImportResult): void => {
  print(
    `Format ${format}: ${read} read, ${accepted.length} accepted (${repaired.length} of them repaired), ${refused.length} refused`,
  );
  printKinds(
    'Repaired, by kind',
    repaired.map(({ changes }) => changes),
  );
  printKinds(
    'Refused, by kind',
    refused.map(({ faults }) => faults),
  );
  printSome(
    'Refused',
    refused.flatMap(({ record, id, faults }) =>
      faults.map(
        ({ field, reason }) => `record ${record}${id === null ? '' : ` (${id})`}: ${field} ${reason}`,
      ),
    ),
  );
};

const publicationText = (outcome: PublishOutcome): string =>
  outcome.changed
    ? `Published ${outcome.count} ATMs, ETag ${outcome.etag}, last modified ${instantText(outcome.lastModifiedMs)}.`
    : `The list is the published one already: ETag ${outcome.etag} and date stay as they are.`;

const outcomeText = (plan: ImportPlan, flags: ImportFlags, published: PublishOutcome | undefined): string => {
  if (published) return publicationText(published);
  if (!plan.publish) return `Nothing was published: ${plan.reason}.`;
  return `${flags.preview ? 'Preview' : 'Dry run'}: nothing was published.`;
};

/** ISO 3166, or how a country is also written: EL, UK. */
const countryFrom = (text: string): string => {
  const code = countryOf(text);
  if (code === undefined)
    throw new InvalidArgumentError(`"${text}" is not an ISO 3166 alpha-2 code, such as GR.`);
  return code;
};

const publishedAtms = async (db: Db): Promise<readonly Atm[]> => {
  const publication = await currentAtms(db);
  return publication ? atmsOf(publication) : [];
};

/** What would change, and the publication if it is wanted. */
const settle = (atms: readonly Atm[], { preview: isPreview = false, reason }: ImportFlags) =>
  withContext(
    async (context) => {
      const { db } = context;
      const before = await publishedAtms(db);
      const published = isPreview
        ? undefined
        : await runAct(context, publishAtms, '', { list: publishableList(atms) });
      return { before, difference: differenceOf(before, atms), published };
    },
    { reason },
  );

const runImport = async (path: string, flags: ImportFlags): Promise<void> => {
  const { format, country, allowRefused = false, preview = false } = flags;
  const onProgress = createProgress('records');
  const result = importAtms(await readAtmFile(path), { format, country, onProgress });
  const plan = planImport(countsOf(result), { allowRefused });
  const settled = plan.publish && !flags.dryRun ? await settle(result.accepted, flags) : undefined;
  const outcome = outcomeText(plan, flags, settled?.published);
  if (flags.json) {
    const { accepted, refused, repaired, read } = result;
    printJson({
      format: result.format,
      read,
      accepted: accepted.length,
      kinds: {
        repaired: kindsOf(repaired.map(({ changes }) => changes)),
        refused: kindsOf(refused.map(({ faults }) => faults)),
      },
      refused,
      repaired,
      difference: settled?.difference ?? null,
      published: settled?.published ?? null,
      outcome,
    });
  } else {
    printReport(result);
    if (settled) print(`\n${differenceText(settled.difference)}`);
    if (settled && preview) printDifference(settled.difference, [...settled.before, ...result.accepted]);
    print(`\n${outcome}`);
  }
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
  withReason(atms.command('import'))
    .description('check a file and publish its ATMs, all or none (see docs/atm-import.md)')
    .argument('<file>', 'contract JSON, UK Open Data v2 JSON, CSV or GeoJSON')
    .addOption(
      new Option('--format <format>', 'the format, where it should not be guessed').choices([
        ...IMPORT_FORMATS,
      ]),
    )
    .option('--country <code>', 'the country of addresses that name none, such as GR', countryFrom)
    .option('--dry-run', 'report only, publish nothing')
    .option('--preview', 'report, and show what would be added, changed and removed; publish nothing')
    .option('--allow-refused', 'publish the accepted records although others were refused')
    .option('--json', 'print the whole report as JSON')
    .action(runImport);
  atms
    .command('export')
    .description('write the published ATMs')
    .addOption(new Option('--format <format>', 'the format').choices([...EXPORT_FORMATS]).default('json'))
    .addOption(jsonFormatOption())
    .option('--out <file>', 'write to a file instead of the standard output')
    .action(runExport);
};
