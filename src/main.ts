#!/usr/bin/env node
/** The command line: argv to command. Only the file of the called command is loaded: the service is a hundred modules. */
import { Command } from 'commander';
import { registerCompletion } from './cli/completion.js';
import { addEnvironmentOption, ENV_FILE } from './cli/env-file.js';
import { addExamples } from './cli/examples.js';
import { allowClosedOutput, explain } from './cli/output.js';
import { MissingPackage, type Register, wingCommands } from './cli/wings.js';
import { version } from './version.js';

const doctor = async (): Promise<Register> => (await import('./cli/doctor/doctor.js')).registerDoctor;
const backup = async (): Promise<Register> => (await import('./cli/keeping/backup.js')).registerBackup;
const documents = async (): Promise<Register> => (await import('./cli/documents.js')).registerDocuments;

const commands: Readonly<Record<string, () => Promise<Register>>> = {
  serve: async () => (await import('./cli/serve.js')).registerServe,
  migrate: doctor,
  backup,
  restore: backup,
  import: async () => (await import('./cli/keeping/import.js')).registerImport,
  maintenance: async () => (await import('./cli/maintenance.js')).registerMaintenance,
  store: async () => (await import('./cli/keeping/move.js')).registerStore,
  doctor,
  tpp: async () => (await import('./cli/tpp/tpp.js')).registerTpp,
  trust: async () => (await import('./cli/trust.js')).registerTrust,
  application: async () => (await import('./cli/application.js')).registerApplication,
  key: async () => (await import('./cli/key.js')).registerKey,
  'signing-key': async () => (await import('./cli/key.js')).registerSigningKey,
  events: async () => (await import('./cli/records/events.js')).registerEvents,
  logs: async () => (await import('./cli/logs.js')).registerLogs,
  consents: async () => (await import('./cli/records/consents.js')).registerConsents,
  payments: async () => (await import('./cli/records/payments.js')).registerPayments,
  psu: async () => (await import('./cli/records/psu.js')).registerPsu,
  operator: async () => (await import('./cli/operator.js')).registerOperator,
  audit: async () => (await import('./cli/records/audit.js')).registerAudit,
  secret: async () => (await import('./cli/secret.js')).registerSecret,
  settings: async () => (await import('./cli/settings.js')).registerSettings,
  statistics: async () => (await import('./cli/statistics.js')).registerStatistics,
  incident: async () => (await import('./cli/statistics.js')).registerIncident,
  parity: async () => (await import('./cli/parity.js')).registerParity,
  downtime: async () => (await import('./cli/statistics.js')).registerDowntime,
  atms: async () => (await import('./cli/records/atms.js')).registerAtms,
  brand: async () => (await import('./cli/brand.js')).registerBrand,
  openapi: documents,
  docs: documents,
  ...wingCommands,
};

/** Help lists the commands of the packages that are installed. */
const unlessMissing = (load: () => Promise<Register>): Promise<Register | undefined> =>
  load().catch((error: unknown) => {
    if (error instanceof MissingPackage) return undefined;
    throw error;
  });

/** The first word that is no option of the program itself. */
const calledIn = ([first = '', ...rest]: readonly string[]): string => {
  if (first === ENV_FILE) return calledIn(rest.slice(1));
  return first.startsWith(`${ENV_FILE}=`) ? calledIn(rest) : first;
};

const run = async (): Promise<void> => {
  const program = new Command('trapeza')
    .description('A bank-side PSD2 interface. Settings are environment variables: docs/configuration.md')
    .version(version)
    .showHelpAfterError('(add --help for what is possible)')
    .showSuggestionAfterError();
  addEnvironmentOption(program);
  const name = calledIn(process.argv.slice(2));
  const called = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (called) (await called())(program);
  else if (name !== '--version' && name !== '-V') {
    for (const load of new Set(Object.values(commands))) (await unlessMissing(load))?.(program);
    registerCompletion(program);
  }
  addExamples(program);
  await program.parseAsync();
};

const isClosedOutput = allowClosedOutput();

/** When the command has done its work; a service goes on. */
export const finished: Promise<void> = run().catch((error: unknown) => {
  if (isClosedOutput(error)) return;
  console.error(`trapeza: ${explain(error)}`);
  process.exitCode = 1;
});
