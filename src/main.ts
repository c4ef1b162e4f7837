#!/usr/bin/env node
/** The command line: argv to command. */
import { Command } from 'commander';
import { registerApplication } from './cli/application.js';
import { registerAtms } from './cli/atms.js';
import { registerDoctor } from './cli/doctor.js';
import { registerDocuments } from './cli/documents.js';
import { registerKey, registerSigningKey } from './cli/key.js';
import { explain } from './cli/output.js';
import { registerService } from './cli/service.js';
import { registerTpp } from './cli/tpp.js';
import { version } from './version.js';

const program = new Command('trapeza')
  .description('A bank-side PSD2 interface. Settings are environment variables: docs/configuration.md')
  .version(version)
  .showHelpAfterError('(add --help for what is possible)')
  .showSuggestionAfterError();

for (const register of [
  registerService,
  registerDoctor,
  registerTpp,
  registerApplication,
  registerKey,
  registerSigningKey,
  registerAtms,
  registerDocuments,
]) {
  register(program);
}

program.parseAsync().catch((error: unknown) => {
  console.error(`trapeza: ${explain(error)}`);
  process.exitCode = 1;
});
