/** `trapeza sandbox`: the whole service with a demo bank inside. */
import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { type Config, readConfig, settings } from 'trapeza/base';
import { print } from 'trapeza/cli';
import { type App, runServer } from 'trapeza/extend';
import { demoApplications } from './applications.js';
import { firstCall } from './first-call.js';
import { sandbox } from './sandbox.js';
import { sandboxSecret } from './secret.js';

const banner = (app: Pick<App, 'listenUrl' | 'managementUrl'>): string =>
  [
    '',
    `Trapeza sandbox is ready on ${app.listenUrl}`,
    `  documentation   ${app.listenUrl}/docs`,
    `  a whole flow    ${app.listenUrl}/sandbox/tpp`,
    `  credentials     ${app.listenUrl}/sandbox/credentials`,
    `  health, metrics ${app.managementUrl}/health/ready  ${app.managementUrl}/metrics`,
    '',
    'A first call:',
    '',
    firstCall(app.listenUrl, demoApplications),
    '',
    'Ctrl-C stops it.',
    '',
  ].join('\n');

const volumeArguments = ({ demoVolume }: Config): string[] =>
  demoVolume > 0 ? ['--volume', String(demoVolume)] : [];

/** What the command line says goes before the environment. */
const configOf = (volume: number | undefined): Config => {
  const config = readConfig();
  return volume === undefined ? config : { ...config, demoVolume: volume };
};

const volumeOf = (text: string): number => {
  try {
    return settings.demoVolume.parse(text);
  } catch (error) {
    throw new InvalidArgumentError(`It must be ${error instanceof Error ? error.message : 'a number'}.`);
  }
};

const run = (volume: number | undefined): Promise<void> => {
  const config = configOf(volume);
  return runServer({
    config,
    args: ['sandbox', ...volumeArguments(config)],
    options: async () => ({
      config: { ...config, secret: config.secret ?? sandboxSecret(resolve(config.dataFolder)) },
      extensions: [sandbox],
      tell: (line) => console.error(line),
    }),
    onReady: (service) => print(banner(service)),
  });
};

export const registerSandbox = (program: Command): void => {
  program
    .command('sandbox')
    .description('run the sandbox: the whole service with a demo bank inside')
    .option(
      '--volume <n>',
      'at the first start, make an additional account with so many transactions',
      volumeOf,
    )
    .action(({ volume }: { volume?: number }) => run(volume));
};
