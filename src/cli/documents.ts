/** `trapeza openapi` and `trapeza docs`: what is generated from the code. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import {
  actsDocument,
  configurationDocument,
  coreOpenApiText,
  logsDocument,
  openApiText,
  problemsDocument,
  settingsSchemaText,
} from '../documents.js';
import { print } from './output.js';
import { parityDocument } from './parity-report.js';
import { loadSandbox } from './wings.js';

export const registerDocuments = (program: Command): void => {
  program
    .command('openapi')
    .description('print the OpenAPI 3.1 document of the interface')
    .option('--production', 'leave out the sandbox controls')
    .option('--json', 'print JSON, as without it')
    .action(async (options: { production?: boolean }) => {
      process.stdout.write(openApiText(options.production ? undefined : await loadSandbox()));
    });
  program
    .command('docs')
    .description(
      'write the generated documents: acts.md, configuration.md, settings.schema.json, logs.md, problems.md, openapi.json, core-openapi.json, parity.md',
    )
    .option('--out <folder>', 'where to', 'docs')
    .action(async (options: { out: string }) => {
      const documents = {
        'acts.md': actsDocument(),
        'configuration.md': configurationDocument(),
        'settings.schema.json': settingsSchemaText(),
        'logs.md': logsDocument(),
        'problems.md': problemsDocument(),
        'openapi.json': openApiText(),
        'core-openapi.json': coreOpenApiText(),
        'parity.md': parityDocument(),
      };
      await mkdir(options.out, { recursive: true });
      for (const [name, text] of Object.entries(documents)) await writeFile(join(options.out, name), text);
      print(`Written to ${options.out}: ${Object.keys(documents).join(', ')}`);
    });
};
