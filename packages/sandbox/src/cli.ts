/** `trapeza sandbox`: the whole service with a demo bank inside. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { type Config, readConfig, settings } from 'trapeza/base';
import { parsedBy, print } from 'trapeza/cli';
import { type App, addPortOption, runServer } from 'trapeza/extend';
import { demoApplications } from './applications.js';
import { firstCall } from './first-call.js';
import { sandbox } from './sandbox.js';
import { sandboxSecret } from './secret.js';

const banner = (app: Pick<App, 'listenUrl' | 'managementUrl' | 'consoleUrl'>): string =>
  [
    '',
    `Trapeza sandbox is ready on ${app.listenUrl}`,
    `  documentation   ${app.listenUrl}/docs`,
    `  a whole flow    ${app.listenUrl}/sandbox/tpp`,
    `  credentials     ${app.listenUrl}/sandbox/credentials`,
    `  console         ${app.consoleUrl}/operator`,
    `  health, metrics ${app.managementUrl}/health/ready  ${app.managementUrl}/metrics`,
    '',
    'A first call:',
    '',
    firstCall(app.listenUrl, demoApplications),
    '',
    'Ctrl-C stops it.',
    '',
  ].join('\n');

type Wish = Partial<Pick<Config, 'demoVolume' | 'port' | 'seedFile'>>;

const run = (wish: Wish): Promise<void> => {
  const config = { ...readConfig(), ...wish };
  return runServer({
    config,
    options: async () => ({
      config: { ...config, secret: config.secret ?? sandboxSecret(resolve(config.dataFolder)) },
      extensions: [sandbox],
      tell: (line) => console.error(line),
    }),
    onReady: (service) => print(banner(service)),
    speaks: true,
  });
};

export const registerSandbox = (program: Command): void => {
  addPortOption(program.command('sandbox'))
    .description('run the sandbox: the whole service with a demo bank inside')
    .option(
      '--volume <n>',
      'at the first start, make an additional account with so many transactions',
      parsedBy(settings.demoVolume.parse),
    )
    .option(
      '--seed <file>',
      'JSON file with people, accounts and transactions of your own, beside the demo people (default: TRAPEZA_SEED)',
    )
    .action(({ port, volume, seed }: { port?: number; volume?: number; seed?: string }) =>
      run({
        ...(port === undefined ? {} : { port }),
        ...(volume === undefined ? {} : { demoVolume: volume }),
        ...(seed === undefined ? {} : { seedFile: seed }),
      }),
    );
};
