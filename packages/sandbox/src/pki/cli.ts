/** `trapeza pki`: an authority for tests, so that a developer can sign a first request without a trust service provider. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Command, Option } from 'commander';
import { guardSockets, systemClock, webAddress, whole, writePrivately } from 'trapeza/base';
import { type CertificateUse, type PspRole, pemOf, roleOids } from 'trapeza/certificates';
import { CommandError, namesIn, now, print, printJson } from 'trapeza/cli';
import { type KeyKind, keyPem, newKeyPair } from '../authority/authority.js';
import { CsrFault, keyOfCsr } from '../authority/csr.js';
import { PkiError, PkiFolder } from '../authority/folder.js';
import { createResponder } from '../authority/responder.js';

const DEFAULT_BASE = 'http://127.0.0.1:8082';

/** Mistakes in the words of who found them, without a stack. */
const plainly = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof PkiError) throw new CommandError(error.message);
    if (error instanceof CsrFault) throw new CommandError(`the certificate request ${error.message}`);
    throw error;
  }
};

const rolesIn = (list: string): PspRole[] =>
  namesIn(list).map((name) => {
    if (!Object.hasOwn(roleOids, name))
      throw new CommandError(`"${name}" is not a role; use ${Object.keys(roleOids).join(', ')}`);
    return name as PspRole;
  });

const parsed = <T>(option: string, parse: (text: string) => T, text: string): T => {
  try {
    return parse(text);
  } catch (error) {
    throw new CommandError(`${option} must be ${error instanceof Error ? error.message : 'valid'}`);
  }
};

const addInit = (pki: Command): void => {
  pki
    .command('init')
    .description('make a root, an issuing authority and an empty revocation list')
    .requiredOption('--out <folder>', 'where to keep them')
    .option('--base-url <url>', 'where `pki ocsp` will answer about its certificates', DEFAULT_BASE)
    .action(({ out, baseUrl }: { out: string; baseUrl: string }) =>
      plainly(async () => {
        await PkiFolder.create(out, parsed('--base-url', webAddress, baseUrl), now());
        print(
          `The test PKI is in ${out}. Trust it: copy root.pem into the folder of TRAPEZA_TRUST_ANCHORS, issuing.pem into its subfolder intermediates.\nNext: trapeza pki issue --pki ${out} --help`,
        );
      }),
    );
};

interface IssueOptions {
  readonly pki: string;
  readonly use: CertificateUse;
  readonly name: string;
  readonly registration: string;
  readonly roles: string;
  readonly out: string;
  readonly days: string;
  readonly key: KeyKind;
  readonly csr?: string;
  readonly json?: boolean;
}

const issue = async (options: IssueOptions): Promise<void> => {
  const { use, name, registration, out, key, csr } = options;
  const roles = rolesIn(options.roles);
  const days = parsed('--days', whole(1, 1825), options.days);
  const folder = PkiFolder.open(options.pki);
  const made = csr === undefined ? await newKeyPair(key) : undefined;
  const publicKey = made?.publicKey ?? keyOfCsr(readFileSync(csr ?? '', 'utf8'));
  const { serial, der } = folder.issue({ use, name, registration, roles, publicKey, days }, now());
  const files = { certificate: `${out}.pem`, ...(made ? { privateKey: `${out}.key` } : {}) };
  writeFileSync(files.certificate, pemOf(der) + pemOf(folder.authority.issuing));
  if (made) writePrivately(`${out}.key`, keyPem(made.privateKey));
  const shown = { serial: serial.toString(16), ...files };
  if (options.json) printJson(shown);
  else
    print(
      `${use === 'seal' ? 'QSealC' : 'QWAC'} ${shown.serial} of ${registration} is in ${Object.values(files).join(' and ')}.`,
    );
};

const addIssue = (pki: Command): void => {
  pki
    .command('issue')
    .description('issue a QSealC (to sign requests) or a QWAC (for TLS)')
    .requiredOption('--pki <folder>', 'folder of the test PKI')
    .addOption(
      new Option('--use <use>', 'seal signs requests, web is for TLS')
        .choices(['seal', 'web'])
        .default('seal'),
    )
    .requiredOption('--name <name>', 'name of the third party')
    .requiredOption('--registration <id>', 'its authorisation number, such as PSDGR-BOG-12345')
    .requiredOption('--roles <roles>', 'its roles, separated by commas: PSP_IC, PSP_AI, PSP_PI, PSP_AS')
    .requiredOption('--out <path>', 'where to write path.pem and path.key')
    .option('--days <n>', 'days until it expires', '365')
    .addOption(
      new Option('--key <kind>', 'kind of the key that is made').choices(['rsa', 'ec']).default('rsa'),
    )
    .option('--csr <file>', 'certificate request (PKCS #10) for a key of your own')
    .option('--json', 'print JSON')
    .action((options: IssueOptions) => plainly(() => issue(options)));
};

const addRevoke = (pki: Command): void => {
  pki
    .command('revoke')
    .description('revoke a certificate and write a new revocation list')
    .argument('<serial>', 'its serial number, hexadecimal')
    .requiredOption('--pki <folder>', 'folder of the test PKI')
    .action((serial: string, options: { pki: string }) =>
      plainly(async () => {
        PkiFolder.open(options.pki).revoke(serial, now());
        print(`Certificate ${serial} is revoked.`);
      }),
    );
};

const addOcsp = (pki: Command): void => {
  pki
    .command('ocsp')
    .description('answer about its certificates: OCSP, revocation lists, root.pem and issuing.pem')
    .requiredOption('--pki <folder>', 'folder of the test PKI')
    .option('--port <n>', 'port on 127.0.0.1; that of its base address, if absent')
    .action((options: { pki: string; port?: string }) =>
      plainly(async () => {
        const folder = PkiFolder.open(options.pki);
        const base = new URL(folder.authority.baseUrl);
        const port = parsed('--port', whole(0, 65_535), options.port ?? (base.port || '80'));
        const { serve, routes } = createResponder({
          authority: async () => folder.authority,
          issued: async () => folder.issued(),
          clock: systemClock,
          prefix: base.pathname.replace(/\/+$/, ''),
        });
        const server = createServer(
          { requestTimeout: 5000 },
          (request, response) => void serve(request, response),
        );
        guardSockets(server);
        await new Promise<void>((resolve, reject) => {
          server.once('error', reject);
          server.listen(port, '127.0.0.1', resolve);
        });
        const { port: taken } = server.address() as AddressInfo;
        print(
          `Answering on http://127.0.0.1:${taken}: ${routes.map(({ path }) => path).join(', ')}. Ctrl-C ends it.`,
        );
        for (const signal of ['SIGINT', 'SIGTERM'] as const)
          process.once(signal, () => {
            server.close();
            server.closeAllConnections();
          });
      }),
    );
};

export const registerPki = (program: Command): void => {
  const pki = program.command('pki').description('an authority for tests: init, issue, revoke, ocsp');
  for (const add of [addInit, addIssue, addRevoke, addOcsp]) add(pki);
};
